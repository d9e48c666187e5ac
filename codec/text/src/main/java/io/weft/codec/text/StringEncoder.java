package io.weft.codec.text;

import io.weft.codec.Encoder;
import io.weft.codec.Output;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;

/// Writes text without an end: something else has to frame it, see `LineEncoder` and
/// `LengthFieldPrepender`.
public final class StringEncoder implements Encoder<CharSequence> {
    private final Charset charset;

    /// UTF-8.
    public StringEncoder() {
        this(StandardCharsets.UTF_8);
    }

    public StringEncoder(Charset charset) {
        this.charset = charset;
    }

    @Override
    public void encode(CharSequence message, Output out) {
        if (charset.equals(StandardCharsets.UTF_8)) {
            out.buffer(message.length()).writeUtf8(message);
        } else {
            byte[] bytes = message.toString().getBytes(charset);
            out.buffer(bytes.length).writeBytes(bytes);
        }
    }
}
