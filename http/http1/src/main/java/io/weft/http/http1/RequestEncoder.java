package io.weft.http.http1;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.buffer.Buffer;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.NameSet;
import io.weft.http.model.Request;

/// Encodes the requests of one connection (RFC 9112). The framing is made here and nowhere else,
/// and what a server could read in two ways is refused: see [RequestRules].
///
/// A request is [#head], which writes a body in memory too, unless the request expects 100
/// (Continue). While [#isBodyDue] it goes on with any number of pieces, each by [#data] or by
/// [#beginData] and [#endData] around bytes that travel by themselves, and with [#end].
///
/// **Errors.** When a method throws, nothing was written and the encoder is as it was. Only
/// validated types come in, so no text of the application can end a line.
///
/// **Threads.** One thread at a time.
public final class RequestEncoder {
    private static final byte[] VERSION = " HTTP/1.1\r\n".getBytes(US_ASCII);
    private static final byte[] CONTENT_LENGTH = "content-length: ".getBytes(US_ASCII);
    private static final byte[] CHUNKED = "transfer-encoding: chunked\r\n".getBytes(US_ASCII);
    private static final byte[] CLOSE = "connection: close\r\n".getBytes(US_ASCII);
    private static final byte[] TE = "connection: te\r\n".getBytes(US_ASCII);
    private static final NameSet CONNECTION = NameSet.of(HeaderName.CONNECTION);

    /// At most what this class adds to a request's own bytes, with the line ends.
    private static final int ADDED = 128;

    private final BodyWriter bodyWriter = new BodyWriter();

    public RequestEncoder() {}

    /// Checks a request as [#head] does, for another wire: a proxy may send on what it got over
    /// HTTP/2 over HTTP/1.1, so what could be read in two ways there is refused here.
    ///
    /// @throws IllegalArgumentException for a request that breaks [RequestRules]
    public static void check(Request request) {
        RequestRules.check(request);
    }

    /// Tells if a request is in progress whose body has to be sent.
    public boolean isBodyDue() {
        return bodyWriter.isDue();
    }

    /// Writes the head, and the body if that is in memory and need not wait for 100 (Continue).
    ///
    /// @param close whether the client wants to close behind the response
    /// @return whether the server is asked to keep the connection
    /// @throws IllegalArgumentException for a request that breaks [RequestRules]
    public boolean head(Request request, boolean close, Buffer out) {
        if (bodyWriter.isDue()) {
            throw new IllegalStateException("head within a body (expected: end first)");
        }
        RequestRules.check(request);
        Headers headers = request.headers();
        Body body = request.body();
        String method = request.method().name();
        String target = request.target().toString();
        boolean chunked = body.length() < 0;
        boolean waits = headers.contains(HeaderName.EXPECT);
        int inMemory = body instanceof Body.Bytes && !waits ? (int) body.length() : 0;
        out.ensureWritable(
                Math.addExact(
                        method.length()
                                + target.length()
                                + headers.sectionLength()
                                + 2 * headers.size()
                                + ADDED,
                        inMemory));

        // From here on nothing throws but a shared content that was released: there is room for
        // all.
        int start = out.writeOffset();
        out.writeAscii(method).writeByte(' ').writeAscii(target).writeBytes(VERSION);
        headers.writeTo(out);
        boolean closes =
                headers.mayContain(CONNECTION)
                        && headers.containsToken(HeaderName.CONNECTION, "close");
        if (close && !closes) {
            out.writeBytes(CLOSE);
        }
        // RFC 9110, 10.1.4: nobody on the way may pass it on.
        if (headers.contains(HeaderName.TE)
                && !headers.containsToken(HeaderName.CONNECTION, "te")) {
            out.writeBytes(TE);
        }
        if (chunked) {
            out.writeBytes(CHUNKED);
        } else if (isLengthDue(request)) {
            out.writeBytes(CONTENT_LENGTH);
            Digits.writeDecimal(body.length(), out);
            out.writeShort(Lines.CRLF);
        }
        out.writeShort(Lines.CRLF);
        if (inMemory > 0) {
            Contents.write((Body.Bytes) body, start, out);
        } else if (chunked || body.length() > 0 || body instanceof Body.Stream) {
            beginBody(body.length());
        }
        return !close && !closes;
    }

    private void beginBody(long length) {
        if (length < 0) {
            bodyWriter.beginChunks();
        } else {
            bodyWriter.beginLength(length);
        }
    }

    /// RFC 9110, 8.6: a length of 0 is told for methods that are expected to have content.
    private static boolean isLengthDue(Request request) {
        if (request.headers().contains(HeaderName.CONTENT_LENGTH)) {
            return false;
        }
        Method method = request.method();
        return request.body().length() > 0
                || request.body() instanceof Body.Stream
                || method == Method.POST
                || method == Method.PUT
                || method == Method.PATCH
                || method == Method.QUERY;
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

    /// Ends a body. Trailers go out with chunks only.
    ///
    /// @throws IllegalStateException when no body is due, or bytes of it are missing: then close
    ///     the connection
    /// @throws IllegalArgumentException for a field that may not be a trailer
    public void end(Headers trailers, Buffer out) {
        bodyWriter.end(trailers, out);
    }
}
