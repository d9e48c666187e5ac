package io.weft.codec.memcache;

import io.weft.codec.Encoder;
import io.weft.codec.Output;

/// Writes messages of both protocols, and values in chunks behind them. Bodies above 512 bytes
/// travel as they are, uncopied.
public final class MemcacheEncoder implements Encoder<MemcachePart> {
    private static final short CRLF = '\r' << 8 | '\n';

    /// Bytes of a value that are to come; -1 outside of values.
    private long left = -1;

    /// True if CR LF is behind the value.
    private boolean text;

    public MemcacheEncoder() {}

    /// @throws IllegalArgumentException when the part cannot be where it is: a value is not begun,
    ///     not complete, or longer than its message said
    @Override
    public void encode(MemcachePart part, Output out) {
        try (part) {
            switch (part) {
                case BinaryMessage message -> {
                    require(left < 0, "the end of the value");
                    boolean streamed = message.isStreamed();
                    out.add(message.wire().retain());
                    message.encodeRest(out);
                    text = false;
                    left = streamed ? message.valueLength() : -1;
                }
                case TextMessage message -> {
                    require(left < 0, "the end of the value");
                    out.add(message.wire().retain());
                    text = true;
                    left = message.isStreamed() ? message.dataLength() : -1;
                }
                case MemcachePart.ValueChunk chunk -> {
                    int length = chunk.content().readableBytes();
                    require(length <= left, "at most " + Math.max(0, left) + " bytes of a value");
                    out.add(chunk.content().retain());
                    left -= length;
                }
                case MemcachePart.ValueEnd _ -> {
                    require(left == 0, "all of the value");
                    if (text) {
                        out.buffer(2).writeShort(CRLF);
                    }
                    left = -1;
                }
            }
        }
    }

    private static void require(boolean valid, String expected) {
        if (!valid) {
            throw new IllegalArgumentException("part: out of place (expected: " + expected + ")");
        }
    }
}
