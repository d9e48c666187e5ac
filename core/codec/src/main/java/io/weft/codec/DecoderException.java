package io.weft.codec;

import io.weft.buffer.Buffer;
import org.jspecify.annotations.Nullable;

/// The peer's bytes break the protocol or a limit. It carries no stack trace: the peer causes it,
/// as often as it likes, and the message says what was wrong.
public class DecoderException extends RuntimeException {
    private static final long serialVersionUID = 1L;
    private static final int QUOTED = 40;
    private static final char[] HEX = "0123456789abcdef".toCharArray();

    public DecoderException(String message) {
        this(message, null);
    }

    /// @param cause error of a library that saw it, for which `message` has words of our own
    public DecoderException(String message, @Nullable Throwable cause) {
        super(message, cause, false, false);
    }

    /// At most 40 of the peer's bytes, [from, to) of `in`, fit for a message or a log: all but
    /// printable ASCII is escaped, so that no line can be forged.
    public static String quote(Buffer in, int from, int to) {
        int end = Math.min(to, from + QUOTED);
        StringBuilder text = new StringBuilder(QUOTED + 8).append('"');
        for (int i = from; i < end; i++) {
            int b = in.getByte(i) & 0xFF;
            if (b < 0x20 || b > 0x7E || b == '"' || b == '\\') {
                text.append("\\x").append(HEX[b >> 4]).append(HEX[b & 15]);
            } else {
                text.append((char) b);
            }
        }
        text.append('"');
        return end < to ? text.append("...").toString() : text.toString();
    }
}
