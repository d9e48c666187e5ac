package io.weft.codec.smtp;

import io.weft.buffer.Buffer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Takes the content of DATA apart (RFC 5321, 4.5.2): dots that were stuffed go, and a dot alone
/// between CRLFs ends it. Bytes are slices of the input, cut at stuffed dots alone.
final class DataDecoder {
    static final int MORE = 0;
    static final int PART = 1;
    static final int END = 2;

    private static final byte CR = '\r';
    private static final byte LF = '\n';
    private static final byte DOT = '.';

    private final SmtpLimits limits;
    private final BareLineEnds bare;

    /// At the start of a line, where a dot means something.
    private boolean atStart = true;

    /// Bytes of the current line so far.
    private int line;

    private long total;

    /// Index up to which the current run is handed out: to its end, or to where a limit is reached.
    private int allowed;

    /// Index of the first NUL of the current run, or -1.
    private int nul;

    private @Nullable SmtpReply fault;

    DataDecoder(SmtpLimits limits, BareLineEnds bare) {
        this.limits = limits;
        this.bare = bare;
    }

    void begin() {
        atStart = true;
        line = 0;
        total = 0;
        fault = null;
    }

    /// Takes what it can. A CR at the end of the input stays unread, and a dot at the start of a
    /// line with it: what they mean depends on the bytes behind.
    ///
    /// @return [#END] when the content has ended, [#MORE] when more input is needed, else [#PART]
    int step(Buffer in, Consumer<? super SmtpRequest> out) {
        int readable = in.readableBytes();
        if (readable == 0) {
            return MORE;
        }
        int start = in.readOffset();
        if (atStart && in.getByte(start) == DOT) {
            if (readable < 2) {
                return MORE;
            }
            if (in.getByte(start + 1) == CR) {
                if (readable < 3) {
                    return MORE;
                }
                if (in.getByte(start + 2) == LF) {
                    in.skipReadable(3);
                    return END;
                }
            }
            in.skipReadable(1); // a stuffed one
            atStart = false;
            return PART;
        }
        int end = endOfRun(in, start, start + readable);
        if (end == start) {
            return MORE;
        }
        emit(in, end, out);
        return PART;
    }

    @Nullable SmtpReply fault() {
        return fault;
    }

    /// Index behind the bytes that are content as they stand: up to a dot that starts a line, to CR
    /// or LF alone, or to the end of the input, a last CR excepted. One pass finds these, and NUL.
    private int endOfRun(Buffer in, int from, int to) {
        allowed = from;
        nul = -1;
        int at = from;
        int i = from;
        while ((i = LineScanner.candidate(in, i, to)) < to) {
            byte b = in.getByte(i);
            if (b == CR && i + 1 == to) {
                return take(at, i); // LF may follow
            }
            if (b == CR && in.getByte(i + 1) == LF) {
                i += 2;
                var _ = take(at, i);
                atStart = true;
                line = 0;
                at = i;
                if (i < to && in.getByte(i) == DOT) {
                    return i;
                }
                continue;
            }
            if (bare == BareLineEnds.REFUSE && (b == CR || b == LF)) {
                if (i == from) {
                    throw alone(b == CR ? "CR" : "LF");
                }
                return take(at, i);
            }
            if (b == 0 && nul < 0) {
                nul = i;
            }
            i++;
        }
        return take(at, to);
    }

    private static SmtpException alone(String what) {
        return new SmtpException(
                521, "5.5.2", what + " alone in a content (expected: lines end with CRLF)");
    }

    /// Counts [at, to), of one line, and allows what the limits leave of it.
    private int take(int at, int to) {
        if (to == at) {
            return to;
        }
        atStart = false;
        if (fault == null) {
            long ofLine = (long) limits.textLine() - line;
            long ofContent = limits.content() - total;
            long room = Math.min(ofLine, ofContent);
            allowed = (int) Math.min(to, at + room);
            if (to - at > room) {
                fault = ofContent <= ofLine ? tooLarge(limits) : tooLongLine();
            }
            line += to - at;
            total += to - at;
        }
        return to;
    }

    static SmtpReply tooLarge(SmtpLimits limits) {
        return SmtpReply.of(
                552,
                "5.3.4",
                "content: more than " + limits.content() + " bytes (expected: at most as many)");
    }

    /// RFC 5321, 4.5.3.1.6 and 4.5.3.1.9.
    private SmtpReply tooLongLine() {
        return SmtpReply.of(
                554,
                "5.6.0",
                "text line: more than " + limits.textLine() + " bytes (expected: at most as many)");
    }

    /// A content has none unless it is binary, which DATA is not for (RFC 2045, 2.7 and 2.8; RFC
    /// 5321, 4.1.1.4 warns of them): what comes behind one is lost by programs that take it for the
    /// end of a text. The session goes on.
    static SmtpReply nulRefused() {
        return SmtpReply.of(554, "5.6.0", "content: a NUL (expected: none, or BODY=BINARYMIME)");
    }

    private void emit(Buffer in, int end, Consumer<? super SmtpRequest> out) {
        int start = in.readOffset();
        if (nul >= 0 && nul < allowed) {
            allowed = nul;
            fault = nulRefused(); // it comes before what else is wrong
        }
        Buffer bytes = allowed > start ? in.split(allowed - start) : null;
        in.readOffset(end);
        if (bytes != null) {
            out.accept(new SmtpContent.Part(bytes));
        }
    }
}
