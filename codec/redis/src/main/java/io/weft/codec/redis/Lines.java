package io.weft.codec.redis;

import io.weft.buffer.Buffer;
import io.weft.codec.DecoderException;
import java.nio.charset.StandardCharsets;

/// Finds the line at one place of the input, and reads the number in it.
///
/// Most numbers are lengths and counts of few digits. Those are read together with the end of their
/// line by one access of eight bytes; all others, and all errors, go the long way.
final class Lines {
    private static final long ONES = 0x0101010101010101L;
    private static final long HIGHS = 0x8080808080808080L;
    private static final long CRS = '\r' * ONES;
    private static final long ZEROS = '0' * ONES;
    private static final byte LF = '\n';
    private static final byte CR = '\r';

    /// Digits and sign of the smallest long.
    private static final int MAX_NUMBER = 20;

    /// Bytes that are known to hold no LF, from where the line begins.
    private int looked;

    /// The end of the line that was found, without CR LF.
    int end;

    /// The index behind its CR LF.
    int next;

    /// The number in it.
    long number;

    /// Forgets how far it has looked: another line comes.
    void reset() {
        looked = 0;
    }

    /// Looks for the end of the line that begins at `from`.
    ///
    /// @param max bytes of the line without its end
    /// @return false when more bytes are needed; true with `end` and `next` set
    boolean find(Buffer in, int from, int max) {
        // The LF of the longest line is behind `max` bytes and a CR.
        int until = Math.min(in.writeOffset(), from + max + 2);
        int lf = in.indexOf(LF, Math.min(from + looked, until), until);
        if (lf < 0) {
            looked = Math.max(0, until - from);
            if (looked == max + 2) {
                throw RespException.beyond(RespFault.LINE_LIMIT, "line bytes", max + 1L, max);
            }
            return false;
        }
        looked = 0;
        if (lf == from || in.getByte(lf - 1) != CR || in.indexOf(CR, from, lf - 1) >= 0) {
            throw new RespException(
                    RespFault.LINE_END,
                    "line: "
                            + DecoderException.quote(in, from, lf + 1)
                            + " (expected: CR LF at its end, and neither inside)");
        }
        end = lf - 1;
        next = lf + 1;
        return true;
    }

    /// As [#find], but a LF alone ends the line too, and it may have CR inside: people type these.
    boolean findLoose(Buffer in, int from, int max) {
        int until = Math.min(in.writeOffset(), from + max + 2);
        int lf = in.indexOf(LF, Math.min(from + looked, until), until);
        if (lf < 0 && until - from < max + 2) {
            looked = until - from;
            return false;
        }
        int length = lf < 0 ? max + 1 : lf - from;
        if (lf > from && in.getByte(lf - 1) == CR) {
            length--;
        }
        if (length > max) {
            throw RespException.beyond(RespFault.LINE_LIMIT, "line bytes", max + 1L, max);
        }
        looked = 0;
        end = from + length;
        next = lf + 1;
        return true;
    }

    /// Reads the line from `from` on as an integer.
    ///
    /// @return false when more bytes are needed; true with `number` and `next` set
    boolean findNumber(Buffer in, int from) {
        if (in.writeOffset() - from >= 8) {
            long word = in.getLongLE(from);
            long x = word ^ CRS;
            // The position of the first CR, 8 if there is none.
            int digits = Long.numberOfTrailingZeros((x - ONES) & ~x & HIGHS) >>> 3;
            if (digits >= 1 && digits <= 6 && (byte) (word >>> (8 * digits + 8)) == LF) {
                // The digits move to the top: zeros before them count as none.
                long value = (word << (64 - 8 * digits)) - (ZEROS << (64 - 8 * digits));
                boolean decimal =
                        ((value + 0x0606060606060606L | value) & 0xF0F0F0F0F0F0F0F0L) == 0;
                if (decimal && (digits == 1 || (byte) word != '0')) {
                    value = value * 10 + (value >>> 8);
                    number =
                            ((value & 0x000000FF000000FFL) * 0x000F424000000064L
                                            + (value >>> 16 & 0x000000FF000000FFL)
                                                    * 0x0000271000000001L)
                                    >>> 32;
                    next = from + digits + 2;
                    looked = 0;
                    return true;
                }
            }
        }
        if (!find(in, from, MAX_NUMBER)) {
            return false;
        }
        number = parse(in, from, end);
        return true;
    }

    /// An integer as Redis takes it: an optional minus, no zero before other digits.
    private static long parse(Buffer in, int from, int to) {
        int at = from;
        boolean negative = at < to && in.getByte(at) == '-';
        if (negative) {
            at++;
        }
        boolean valid = at < to && (in.getByte(at) != '0' || (at + 1 == to && !negative));
        long value = 0; // negative, as there is one more of these
        for (; valid && at < to; at++) {
            int digit = in.getByte(at) - '0';
            valid =
                    digit >= 0
                            && digit <= 9
                            && value >= Long.MIN_VALUE / 10
                            && value * 10 >= Long.MIN_VALUE + digit;
            value = value * 10 - digit;
        }
        if (!valid || (!negative && value == Long.MIN_VALUE)) {
            throw new RespException(
                    RespFault.INTEGER,
                    "integer: " + DecoderException.quote(in, from, to) + " (expected: a decimal)");
        }
        return negative ? value : -value;
    }

    /// Text of the peer's, cut and escaped for a message.
    static String quote(String text) {
        StringBuilder quoted = new StringBuilder().append('"');
        text.codePoints()
                .limit(40)
                .forEach(c -> quoted.append(c < 0x20 || c > 0x7E ? '?' : (char) c));
        return quoted.append(text.length() > 40 ? "\"..." : "\"").toString();
    }

    String text(Buffer in, int from) {
        return in.getString(from, end - from, StandardCharsets.UTF_8);
    }
}
