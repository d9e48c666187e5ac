package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.NameSet;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import org.jspecify.annotations.Nullable;

/// Encodes the responses of one connection (RFC 9112). The framing is made here and nowhere else.
///
/// A response is [#head], which writes a body in memory too. While [#isBodyDue] it goes on with any
/// number of pieces, each by [#data] or by [#beginData] and [#endData] around bytes that travel by
/// themselves, and with [#end].
///
/// **Errors.** When a method throws, nothing was written and the encoder is as it was. Only
/// validated types come in, so no text of the application can end a line.
///
/// **Threads.** One thread at a time.
public final class ResponseEncoder {
    private static final byte[] CONTENT_LENGTH = "content-length: ".getBytes(US_ASCII);
    private static final byte[] NO_CONTENT = "content-length: 0\r\n".getBytes(US_ASCII);
    private static final byte[] CHUNKED = "transfer-encoding: chunked\r\n".getBytes(US_ASCII);
    private static final byte[] CLOSE = "connection: close\r\n".getBytes(US_ASCII);
    private static final byte[] KEEP_ALIVE = "connection: keep-alive\r\n".getBytes(US_ASCII);
    private static final NameSet CONNECTION = NameSet.of(HeaderName.CONNECTION);

    /// At most what this class adds to a response's own fields, with the line ends.
    private static final int ADDED = 160;

    /// Heads longer than this are not kept.
    private static final int MAX_KEPT = 512;

    private final @Nullable DateField date;
    private final BodyWriter bodyWriter = new BodyWriter();

    /// The head that [#writeAgain] writes; it was encoded for the status, headers and length below.
    private byte @Nullable [] lastHead;

    private @Nullable Status lastStatus;
    private @Nullable Headers lastHeaders;
    private long lastLength;

    /// Without Date fields, for servers without a clock.
    public ResponseEncoder() {
        this(null);
    }

    public ResponseEncoder(@Nullable DateField date) {
        this.date = date;
    }

    /// Checks a final response as [#head] does, for another wire: what has no place over HTTP/1.1
    /// is refused there, too.
    ///
    /// @param method of the request
    /// @throws IllegalArgumentException for an interim response, content with a status that has
    ///     none, and a length that is not that of what is sent
    public static void check(Response response, Method method) {
        Status status = response.status();
        checkFinal(status);
        checkContent(response, method, isWithoutLength(status, method));
    }

    /// Tells if a response is in progress whose body is a stream that has to be sent.
    public boolean isBodyDue() {
        return bodyWriter.isDue();
    }

    /// Writes the head, and the body if it is in memory and `method` wants it. A stream that need
    /// not be sent, for HEAD or 304, is not [#isBodyDue]; it is the caller's to close.
    ///
    /// @param method of the request; for one that could not be decoded, GET
    /// @param version of the request; for one that could not be decoded, HTTP/1.1
    /// @param close whether the server wants to close behind this response
    /// @return whether the connection goes on; if not, close it behind the body
    /// @throws IllegalArgumentException for an interim response, or content with a status that has
    ///     none
    public boolean head(
            Response response, Method method, Version version, boolean close, Buffer out) {
        return head(response, method, version, close, Integer.MAX_VALUE, out);
    }

    /// As the other, but a body in memory of more than `most` bytes is due behind the head, as a
    /// stream is.
    public boolean head(
            Response response,
            Method method,
            Version version,
            boolean close,
            int most,
            Buffer out) {
        if (bodyWriter.isDue()) {
            throw new IllegalStateException("head within a body (expected: end first)");
        }
        Status status = response.status();
        Headers headers = response.headers();
        Body body = response.body();
        boolean plain =
                method != Method.HEAD
                        && method != Method.CONNECT
                        && version == Version.HTTP_1_1
                        && !close
                        && body instanceof Body.Bytes;
        if (plain && writeAgain(status, headers, (Body.Bytes) body, most, out)) {
            return true;
        }
        boolean none = isWithoutLength(status, method);
        checkFinal(status);
        checkContent(response, method, none);

        boolean stream = body instanceof Body.Stream;
        boolean byClose = stream && body.length() < 0 && version == Version.HTTP_1_0;
        boolean silent = none || method == Method.HEAD || status == Status.NOT_MODIFIED;
        boolean persists =
                !(close
                        || (byClose && !silent)
                        || (headers.mayContain(CONNECTION)
                                && headers.containsToken(HeaderName.CONNECTION, "close")));
        int inMemory = body instanceof Body.Bytes && !silent ? (int) body.length() : 0;
        boolean behind = inMemory > most;
        out.ensureWritable(
                Math.addExact(
                        headers.sectionLength() + 2 * headers.size() + ADDED,
                        behind ? 0 : inMemory));

        // From here on nothing throws but a shared content that was released: there is room for
        // all.
        int start = out.writeOffset();
        out.writeBytes(StatusLines.of(status));
        headers.writeTo(out);
        if (!persists || version == Version.HTTP_1_0) {
            connection(headers, persists, out);
        }
        if (!none && !headers.contains(HeaderName.CONTENT_LENGTH)) {
            framing(body.length(), byClose, silent, out);
        }
        if (plain && persists && inMemory > 0) {
            remember(status, headers, body.length(), out, start);
        }
        if (date != null && !headers.contains(HeaderName.DATE)) {
            date.writeTo(out);
        }
        out.writeShort(Lines.CRLF);
        if (behind) {
            bodyWriter.beginLength(inMemory);
        } else if (inMemory > 0) {
            Contents.write((Body.Bytes) body, start, out);
        } else if (stream && !silent) {
            beginStream(body.length(), byClose);
        }
        return persists;
    }

    /// Writes a response whose head, up to the date, is that of the one before: servers mostly say
    /// the same about what they send. False when it is not.
    private boolean writeAgain(
            Status status, Headers headers, Body.Bytes body, int most, Buffer out) {
        byte[] head = lastHead;
        if (head == null
                || status != lastStatus
                || headers != lastHeaders
                || body.length() != lastLength) {
            return false;
        }
        boolean behind = lastLength > most;
        out.ensureWritable(Math.addExact(head.length + ADDED, behind ? 0 : (int) lastLength));
        int start = out.writeOffset();
        out.writeBytes(head);
        if (date != null && !headers.contains(HeaderName.DATE)) {
            date.writeTo(out);
        }
        out.writeShort(Lines.CRLF);
        if (behind) {
            bodyWriter.beginLength(lastLength);
        } else {
            Contents.write(body, start, out);
        }
        return true;
    }

    /// Gives up the head that it keeps in case that the next response has the same; for connections
    /// that may say nothing for long.
    public void forget() {
        lastHead = null;
        lastStatus = null;
        lastHeaders = null;
    }

    /// Keeps a head that came twice, so that heads that differ each time cost no memory.
    private void remember(Status status, Headers headers, long length, Buffer out, int start) {
        int size = out.writeOffset() - start;
        lastHead = null;
        if (status == lastStatus
                && headers == lastHeaders
                && length == lastLength
                && size <= MAX_KEPT) {
            byte[] head = new byte[size];
            out.getBytes(start, head, 0, size);
            lastHead = head;
        }
        lastStatus = status;
        lastHeaders = headers;
        lastLength = length;
    }

    /// Writes an interim response, 100 (Continue) or 103 (Early Hints), which changes nothing for
    /// the final one.
    ///
    /// @throws IllegalArgumentException for another status
    public void interim(Status status, Headers headers, Buffer out) {
        if (!status.isInformational() || status == Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException(
                    "interim status: " + status + " (expected: 1xx but 101)");
        }
        if (bodyWriter.isDue()) {
            throw new IllegalStateException("interim response within a body (expected: before it)");
        }
        checkContent(Response.of(status, headers, Body.empty()), Method.GET, true);
        out.ensureWritable(headers.sectionLength() + 2 * headers.size() + ADDED);
        out.writeBytes(StatusLines.of(status));
        headers.writeTo(out);
        out.writeShort(Lines.CRLF);
    }

    /// Statuses and methods whose responses have neither content nor a length (RFC 9110, 8.6).
    private static boolean isWithoutLength(Status status, Method method) {
        int code = status.code();
        return code < 200 || code == 204 || (method == Method.CONNECT && code < 300);
    }

    private static void checkFinal(Status status) {
        if (status.isInformational() && status != Status.SWITCHING_PROTOCOLS) {
            throw new IllegalArgumentException("status: " + status + " (expected: a final one)");
        }
    }

    private static void checkContent(Response response, Method method, boolean none) {
        Status status = response.status();
        boolean empty = response.body().length() == 0;
        if (!empty && (none || status == Status.RESET_CONTENT)) {
            throw new IllegalArgumentException(
                    "content with " + status + " for " + method + " (expected: none)");
        }
        int length = response.headers().indexOf(HeaderName.CONTENT_LENGTH, 0);
        boolean silent = method == Method.HEAD || status == Status.NOT_MODIFIED;
        if (length >= 0
                && (none || (empty && !silent && !response.headers().valueIs(length, "0")))) {
            throw new IllegalArgumentException(
                    "content-length: "
                            + response.headers().value(length)
                            + " with "
                            + status
                            + " for "
                            + method
                            + " (expected: the length of what is sent)");
        }
    }

    private static void connection(Headers headers, boolean persists, Buffer out) {
        if (!headers.containsToken(HeaderName.CONNECTION, persists ? "keep-alive" : "close")) {
            out.writeBytes(persists ? KEEP_ALIVE : CLOSE);
        }
    }

    /// @param silent whether the content stays unsent; then a length of 0 is no news of it
    private static void framing(long length, boolean byClose, boolean silent, Buffer out) {
        if (length < 0) {
            if (!byClose) {
                out.writeBytes(CHUNKED);
            }
        } else if (length > 0) {
            out.writeBytes(CONTENT_LENGTH);
            Digits.writeDecimal(length, out);
            out.writeShort(Lines.CRLF);
        } else if (!silent) {
            out.writeBytes(NO_CONTENT);
        }
    }

    private void beginStream(long length, boolean byClose) {
        if (length >= 0) {
            bodyWriter.beginLength(length);
        } else if (byClose) {
            bodyWriter.beginUntilClose();
        } else {
            bodyWriter.beginChunks();
        }
    }

    /// Writes all readable bytes of `data` as a piece of the body. They count as read; `data` stays
    /// the caller's.
    ///
    /// @throws IllegalStateException when no body is due, or `data` is longer than what is left of
    ///     it
    public void data(Buffer data, Buffer out) {
        bodyWriter.data(data, out);
    }

    /// Writes what stands before a piece of `length` bytes, which the caller sends next.
    ///
    /// @throws IllegalArgumentException for a length below 1: an empty chunk would end the body
    /// @throws IllegalStateException when no body is due, or `length` is more than what is left of
    ///     it
    public void beginData(long length, Buffer out) {
        bodyWriter.beginData(length, out);
    }

    /// Writes what stands behind a piece.
    public void endData(Buffer out) {
        bodyWriter.endData(out);
    }

    /// Ends a body. Trailers go out with chunks only; with other framings there is no place for
    /// them.
    ///
    /// @throws IllegalStateException when no body is due, or bytes of it are missing: then close
    ///     the connection
    /// @throws IllegalArgumentException for a field that may not be a trailer
    public void end(Headers trailers, Buffer out) {
        bodyWriter.end(trailers, out);
    }
}
