package io.weft.codec.text;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.DecoderException;
import io.weft.codec.MessageDecoder;
import java.nio.charset.CharacterCodingException;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.nio.charset.StandardCharsets;
import java.util.function.Consumer;

/// Turns frames into text, strictly: bytes that are no text in the charset are refused, not
/// replaced.
public final class StringDecoder implements MessageDecoder<Buffer, String> {
    private final Charset charset;
    private final CharsetDecoder decoder;

    /// UTF-8.
    public StringDecoder() {
        this(StandardCharsets.UTF_8);
    }

    public StringDecoder(Charset charset) {
        this.charset = charset;
        decoder =
                charset.newDecoder()
                        .onMalformedInput(CodingErrorAction.REPORT)
                        .onUnmappableCharacter(CodingErrorAction.REPORT);
    }

    @Override
    public void decode(Buffer in, Consumer<? super String> out) {
        String text;
        try (in) {
            text = text(in);
        }
        out.accept(text);
    }

    private String text(Buffer in) {
        try {
            return decoder.decode(in.byteBuffer(in.readOffset(), in.readableBytes())).toString();
        } catch (CharacterCodingException e) {
            throw new CorruptedFrameException(
                    DecoderException.quote(in, in.readOffset(), in.writeOffset())
                            + " (expected: text in "
                            + charset
                            + ")");
        }
    }
}
