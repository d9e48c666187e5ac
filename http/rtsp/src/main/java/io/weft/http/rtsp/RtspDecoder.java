package io.weft.http.rtsp;

import static io.weft.codec.DecoderException.quote;

import io.weft.buffer.Buffer;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Status;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the messages of one direction: requests, responses, and the data between them. Messages
/// come whole, with their body in memory.
///
/// ```
/// START -- "$" ----------------> data
///   '-- start line -> HEADERS -> BODY -> message -> START
/// ```
///
/// It is strict, as the decoder of HTTP is: lines end in CR LF, a length is said once, in digits,
/// and there are no transfer codings (RFC 2326, 4.4). Each message has a CSeq (12.17). Empty lines
/// between messages are ignored. Errors are [RtspException]s, with the status to answer.
public final class RtspDecoder extends StepDecoder<RtspMessage> {
    /// Of `$`, channel and length.
    private static final int DATA_HEAD = 4;

    private enum State {
        START,
        HEADERS,
        BODY
    }

    private final RtspLimits limits;
    private State state = State.START;

    /// Bytes of a line or section in which its end was looked for.
    private int looked;

    /// Start of the header line that is not whole, from the read offset on.
    private int lineStart;

    private int fields;
    private @Nullable StartLine line;
    private Headers headers = Headers.EMPTY;
    private long cseq;
    private int length;

    public RtspDecoder() {
        this(RtspLimits.DEFAULT);
    }

    public RtspDecoder(RtspLimits limits) {
        this.limits = limits;
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super RtspMessage> out) {
        if (state == State.BODY) {
            return body(in, out);
        }
        if (!in.isReadable()) {
            return false;
        }
        if (state == State.HEADERS) {
            return headers(in);
        }
        return in.getByte(in.readOffset()) == '$' ? data(in, out) : startLine(in);
    }

    // ---- data ----

    private boolean data(Buffer in, Consumer<? super RtspMessage> out) {
        if (in.readableBytes() < DATA_HEAD) {
            return false;
        }
        int start = in.readOffset();
        int bytes = in.getShort(start + 2) & 0xFFFF;
        if (bytes > limits.dataBytes()) {
            throw tooLarge("interleaved bytes", limits.dataBytes());
        }
        if (in.readableBytes() < DATA_HEAD + bytes) {
            return false;
        }
        int channel = in.getByte(start + 1) & 0xFF;
        in.skipReadable(DATA_HEAD);
        out.accept(new RtspData(channel, in.split(bytes)));
        return true;
    }

    // ---- the start line ----

    private boolean startLine(Buffer in) {
        int start = in.readOffset();
        int end = endOfLine(in, start, start + looked, limits.lineBytes(), "start line bytes");
        if (end < 0) {
            return false;
        }
        looked = 0;
        in.readOffset(end + 2);
        if (end > start) {
            line = StartLine.parse(in, start, end);
            state = State.HEADERS;
            fields = 0;
        }
        return true;
    }

    /// Returns the index of the CR that ends the line, or -1. Controls are refused where they
    /// stand.
    ///
    /// @param most bytes before the CR
    private int endOfLine(Buffer in, int start, int from, int most, String what) {
        int end = in.writeOffset();
        for (int i = from; i < end; i++) {
            byte b = in.getByte(i);
            if (b == '\r') {
                if (i + 1 == end) {
                    looked = i - start;
                    return -1;
                }
                if (in.getByte(i + 1) == '\n') {
                    return i;
                }
            }
            if ((b >= 0 && b < ' ' && b != '\t') || b == 0x7F) {
                throw RtspException.bad(
                        "control: " + quote(in, i, i + 1) + " (expected: text, ended by CR LF)");
            }
            if (i - start >= most) {
                throw tooLarge(what, most);
            }
        }
        looked = end - start;
        return -1;
    }

    private static RtspException tooLarge(String what, int most) {
        Status status =
                what.startsWith("start")
                        ? Status.URI_TOO_LONG
                        : what.startsWith("header")
                                ? Status.REQUEST_HEADER_FIELDS_TOO_LARGE
                                : Status.CONTENT_TOO_LARGE;
        return new RtspException(
                status, what + ": over " + most + " (expected: at most " + most + ")");
    }

    // ---- the fields ----

    private boolean headers(Buffer in) {
        int start = in.readOffset();
        int at = lineStart;
        while (true) {
            int from = Math.max(start + looked, start + at);
            int end = endOfLine(in, start, from, limits.headerBytes(), "header bytes");
            if (end < 0) {
                lineStart = at;
                return false;
            }
            if (end == start + at) {
                read(in, start, end);
                return true;
            }
            if (++fields > limits.headers()) {
                throw tooLarge("header fields", limits.headers());
            }
            at = end + 2 - start;
            looked = at;
        }
    }

    private void read(Buffer in, int start, int end) {
        try {
            headers = Headers.parse(in, start, end, fields);
        } catch (IllegalArgumentException e) {
            throw RtspException.bad(String.valueOf(e.getMessage()));
        }
        in.readOffset(end + 2);
        looked = 0;
        lineStart = 0;
        cseq = number(RtspHeader.CSEQ, RtspMessage.MAX_CSEQ);
        if (cseq < 0) {
            throw RtspException.bad("cseq: none (expected: one)");
        }
        if (headers.contains(HeaderName.TRANSFER_ENCODING)) {
            throw RtspException.bad("transfer-encoding (expected: none)");
        }
        long announced = Math.max(0, number(HeaderName.CONTENT_LENGTH, Long.MAX_VALUE));
        StartLine l = line;
        Status status = l == null ? null : l.status();
        if (status != null && status.isWithoutContent() && announced > 0) {
            throw RtspException.bad("content-length: with " + status + " (expected: none)");
        }
        if (announced > limits.bodyBytes()) {
            throw tooLarge("body bytes", limits.bodyBytes());
        }
        length = (int) announced;
        state = State.BODY;
    }

    /// Returns the number that a field has, or -1 without the field.
    private long number(HeaderName name, long most) {
        int field = headers.indexOf(name, 0);
        if (field < 0) {
            return -1;
        }
        int digits = headers.valueLength(field);
        long number = 0;
        boolean valid = digits > 0 && headers.indexOf(name, field + 1) < 0;
        for (int i = 0; valid && i < digits; i++) {
            int digit = headers.valueByte(field, i) - '0';
            valid = digit >= 0 && digit <= 9 && number <= (most - digit) / 10;
            number = number * 10 + digit;
        }
        if (!valid) {
            throw RtspException.bad(name + ": malformed (expected: digits, once, to " + most + ")");
        }
        return number;
    }

    // ---- the body ----

    private boolean body(Buffer in, Consumer<? super RtspMessage> out) {
        if (in.readableBytes() < length) {
            return false;
        }
        StartLine l = line;
        if (l == null) {
            throw new AssertionError("no start line (expected: one before the body)");
        }
        Body body = Body.empty();
        if (length > 0) {
            try (Buffer bytes = in.split(length)) {
                body = Body.of(bytes);
            }
        }
        Headers of = headers;
        headers = Headers.EMPTY;
        line = null;
        state = State.START;
        emitted();
        Method method = l.method();
        Status status = l.status();
        if (method != null) {
            out.accept(new RtspRequest(method, l.uri(), l.version(), cseq, of, body));
        } else if (status != null) {
            out.accept(new RtspResponse(l.version(), status, cseq, of, body));
        }
        return true;
    }

    @Override
    protected void finish(int unread, Consumer<? super RtspMessage> out) {
        if (state != State.START || unread > 0) {
            throw new PrematureEndException("a message of RTSP");
        }
    }
}
