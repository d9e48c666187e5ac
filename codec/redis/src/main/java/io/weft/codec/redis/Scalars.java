package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import io.weft.codec.redis.RespValue.BigInt;
import io.weft.codec.redis.RespValue.Bool;
import io.weft.codec.redis.RespValue.Int;
import io.weft.codec.redis.RespValue.Null;
import io.weft.codec.redis.RespValue.Real;
import io.weft.codec.redis.RespValue.SimpleError;
import io.weft.codec.redis.RespValue.SimpleString;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;

/// Values that are one line.
final class Scalars {
    /// Digits of a big number: parsing one takes more than linear time.
    private static final int MAX_DIGITS = 4096;

    private static final int OK = 'O' << 8 | 'K';
    private static final int PONG = 'P' << 24 | 'O' << 16 | 'N' << 8 | 'G';
    private static final byte[] QUEUED = "QUEUED".getBytes(StandardCharsets.US_ASCII);

    private Scalars() {}

    /// Finds the line of a value of `type` that begins at `from`, behind its type.
    ///
    /// @return false when more bytes are needed
    static boolean find(RespType type, Lines lines, Buffer in, int from, RespLimits limits) {
        return switch (type) {
            // Not before a sign could be told from a line without any digit.
            case INTEGER -> in.writeOffset() - from > 1 && lines.findNumber(in, plus(in, from));
            case BIG_NUMBER -> {
                try {
                    yield lines.find(in, from, MAX_DIGITS + 1);
                } catch (RespException e) {
                    throw e.fault() == RespFault.LINE_LIMIT
                            ? RespException.beyond(
                                    RespFault.BIG_NUMBER, "digits", MAX_DIGITS + 1L, MAX_DIGITS)
                            : e;
                }
            }
            default -> lines.find(in, from, limits.lineBytes());
        };
    }

    /// The index behind a plus, which RESP allows before an integer.
    private static int plus(Buffer in, int from) {
        return in.getByte(from) == '+' && in.getByte(from + 1) != '-' ? from + 1 : from;
    }

    /// The value whose line was found.
    static RespValue value(RespType type, Lines lines, Buffer in, int from) {
        int length = lines.end - from;
        return switch (type) {
            case SIMPLE_STRING -> simple(lines, in, from, length);
            case SIMPLE_ERROR -> new SimpleError(text(lines, in, from));
            case INTEGER -> new Int(lines.number);
            case DOUBLE -> new Real(Doubles.parse(lines.text(in, from)));
            case BIG_NUMBER -> big(lines.text(in, from));
            case BOOLEAN -> {
                byte b = length == 1 ? in.getByte(from) : 0;
                if (b != 't' && b != 'f') {
                    throw unexpected(RespFault.BOOLEAN, in, from, lines.end, "t or f");
                }
                yield Bool.of(b == 't');
            }
            case NULL -> {
                if (length != 0) {
                    throw unexpected(RespFault.NULL, in, from, lines.end, "nothing");
                }
                yield Null.NULL;
            }
            default -> throw new AssertionError(type);
        };
    }

    private static RespException unexpected(
            RespFault fault, Buffer in, int from, int to, String expected) {
        return new RespException(
                fault, DecoderException.quote(in, from, to) + " (expected: " + expected + ")");
    }

    /// Nearly all of them are the same few words.
    private static SimpleString simple(Lines lines, Buffer in, int from, int length) {
        if (length == 2 && in.getUnsignedShort(from) == OK) {
            return SimpleString.OK;
        }
        if (length == 4 && in.getInt(from) == PONG) {
            return SimpleString.PONG;
        }
        if (length == QUEUED.length && in.contentEquals(from, QUEUED, 0, length)) {
            return SimpleString.QUEUED;
        }
        return new SimpleString(text(lines, in, from));
    }

    private static String text(Lines lines, Buffer in, int from) {
        String text = lines.text(in, from);
        if (text.indexOf('\0') >= 0) {
            throw new RespException(
                    RespFault.LINE_END, "line: " + Lines.quote(text) + " (expected: no NUL)");
        }
        return text;
    }

    private static BigInt big(String text) {
        int sign = !text.isEmpty() && (text.charAt(0) == '-' || text.charAt(0) == '+') ? 1 : 0;
        boolean valid = text.length() > sign && text.length() - sign <= MAX_DIGITS;
        for (int i = sign; valid && i < text.length(); i++) {
            valid = text.charAt(i) >= '0' && text.charAt(i) <= '9';
        }
        if (!valid) {
            throw new RespException(
                    RespFault.BIG_NUMBER,
                    "big number: " + Lines.quote(text) + " (expected: 1 to 4096 digits)");
        }
        return new BigInt(new BigInteger(text));
    }
}
