package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import java.nio.charset.StandardCharsets;
import org.jspecify.annotations.Nullable;

/// Splits lines that people type into arguments, by the rules of Redis: words between spaces, with
/// quotes of two kinds.
final class InlineCommand {
    private final Buffer in;
    private final int from;
    private final int end;
    private int at;
    private final byte[] word;
    private int length;

    private InlineCommand(Buffer in, int from, int end) {
        this.in = in;
        this.from = from;
        this.at = from;
        this.end = end;
        word = new byte[end - from];
    }

    /// Returns the command in [from, end) of `in`; null when that is blank.
    static @Nullable Command parse(Buffer in, int from, int end, RespLimits limits) {
        InlineCommand line = new InlineCommand(in, from, end);
        if (!line.skipSpaces()) {
            return null;
        }
        line.word();
        line.refuseHttp();
        try (Command.Builder command = new Command.Builder(4)) {
            int count = 0;
            do {
                if (count++ > 0) {
                    line.word();
                }
                if (count > limits.elements()) {
                    throw RespException.beyond(
                            RespFault.ELEMENTS_LIMIT, "elements", count, limits.elements());
                }
                command.add(line.word, line.length);
            } while (line.skipSpaces());
            return command.build();
        }
    }

    /// As Redis does: POST is no command of its, and Host: comes behind any request line.
    private void refuseHttp() {
        String name = new String(word, 0, Math.min(length, 6), StandardCharsets.ISO_8859_1);
        if (name.equalsIgnoreCase("POST") || name.equalsIgnoreCase("Host:")) {
            throw new RespException(
                    RespFault.HTTP, "command: " + name + " (expected: not a request of HTTP)");
        }
    }

    private static boolean isSpace(byte b) {
        return b == ' ' || b == '\t' || b == '\r' || b == 0x0B || b == '\f' || b == 0;
    }

    private boolean skipSpaces() {
        while (at < end && isSpace(in.getByte(at))) {
            at++;
        }
        return at < end;
    }

    private void word() {
        length = 0;
        while (at < end) {
            byte b = in.getByte(at++);
            if (isSpace(b)) {
                return;
            } else if (b == '"' || b == '\'') {
                quoted(b);
                if (at < end && !isSpace(in.getByte(at))) {
                    throw unbalanced("a space behind a quote");
                }
            } else {
                word[length++] = b;
            }
        }
    }

    private void quoted(byte quote) {
        while (at < end) {
            byte b = in.getByte(at++);
            if (b == quote) {
                return;
            }
            boolean escape = b == '\\' && at < end;
            if (escape && quote == '"') {
                b = escaped();
            } else if (escape && in.getByte(at) == '\'') {
                b = in.getByte(at++);
            }
            word[length++] = b;
        }
        throw unbalanced("a quote at the end");
    }

    private byte escaped() {
        byte b = in.getByte(at++);
        if (b == 'x' && at + 1 < end) {
            int high = Character.digit(in.getByte(at), 16);
            int low = Character.digit(in.getByte(at + 1), 16);
            if (high >= 0 && low >= 0) {
                at += 2;
                return (byte) (high << 4 | low);
            }
        }
        return switch (b) {
            case 'n' -> '\n';
            case 'r' -> '\r';
            case 't' -> '\t';
            case 'b' -> '\b';
            case 'a' -> 7;
            default -> b;
        };
    }

    private RespException unbalanced(String expected) {
        return new RespException(
                RespFault.QUOTES,
                "line: "
                        + DecoderException.quote(in, Math.max(from, end - 20), end)
                        + " (expected: "
                        + expected
                        + ")");
    }
}
