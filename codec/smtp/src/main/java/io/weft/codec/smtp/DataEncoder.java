package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import io.weft.codec.Output;

/// Stuffs dots into the content of DATA (RFC 5321, 4.5.2). Lines travel as slices of what is given,
/// cut at dots alone.
final class DataEncoder {
    private static final byte CR = '\r';
    private static final byte LF = '\n';
    private static final byte DOT = '.';
    private static final int CRLF = 0x0D0A;

    private boolean atStart = true;

    /// The last byte was CR: LF has to follow.
    private boolean afterCr;

    void begin() {
        atStart = true;
        afterCr = false;
    }

    /// Appends `bytes`, which become the encoder's.
    ///
    /// @throws IllegalArgumentException for CR or LF alone; nothing is changed then
    void add(Buffer bytes, Output out) {
        try (bytes) {
            boolean cr = requirePaired(bytes, afterCr);
            int from = bytes.readOffset();
            int to = bytes.writeOffset();
            int sent = from;
            boolean start = atStart;
            for (int at = from; at < to; ) {
                if (start && bytes.getByte(at) == DOT) {
                    // The dot ends this slice and begins the next one.
                    slice(bytes, sent, at, out);
                    out.buffer(1).writeByte(DOT);
                    sent = at;
                }
                int lf = bytes.indexOf(LF, at, to);
                start = lf >= 0;
                at = lf < 0 ? to : lf + 1;
            }
            slice(bytes, sent, to, out);
            if (to > from) {
                atStart = start;
                afterCr = cr;
            }
        }
    }

    private static void slice(Buffer bytes, int from, int to, Output out) {
        if (to > from) {
            out.add(bytes.slice(from, to - from));
        }
    }

    /// Checks a whole content.
    ///
    /// @throws IllegalArgumentException for CR or LF alone
    static void requireLines(Buffer content) {
        if (requirePaired(content, false)) {
            throw alone("CR");
        }
    }

    /// Returns true if the last byte is CR.
    private static boolean requirePaired(Buffer bytes, boolean afterCr) {
        int at = bytes.readOffset();
        int to = bytes.writeOffset();
        boolean cr = afterCr;
        while (at < to) {
            if (cr && bytes.getByte(at) != LF) {
                throw alone("CR");
            }
            int nextCr = bytes.indexOf(CR, at, to);
            int end = nextCr < 0 ? to : nextCr;
            if (bytes.indexOf(LF, cr ? at + 1 : at, end) >= 0) {
                throw alone("LF");
            }
            cr = nextCr >= 0;
            at = end + 1;
        }
        return cr;
    }

    private static IllegalArgumentException alone(String what) {
        return new IllegalArgumentException(
                "content: " + what + " alone (expected: lines end with CRLF)");
    }

    /// Ends the last line, if it has no end, and the content.
    ///
    /// @throws IllegalArgumentException when the content ended with CR
    void end(Output out) {
        if (afterCr) {
            throw alone("CR");
        }
        Buffer to = out.buffer(5);
        if (!atStart) {
            to.writeShort(CRLF);
        }
        to.writeByte(DOT).writeShort(CRLF);
        begin();
    }
}
