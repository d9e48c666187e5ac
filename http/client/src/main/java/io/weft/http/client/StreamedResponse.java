package io.weft.http.client;

import io.weft.http.client.HttpClientException.TooLarge;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.BodyTooLongException;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.io.InputStream;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicBoolean;

/// A response whose body is received while it is read: by [#inputStream], [#source] or [#collect],
/// one of them, once. What is not read stays with the server (back-pressure).
///
/// Read it to the end or [#close] it: until then it keeps a connection of the client, at the
/// longest for the client's total time-out.
public final class StreamedResponse implements AutoCloseable {
    /// Of a length that a [Response] takes.
    private static final int MAX_DIGITS = 18;

    private final Request request;
    private final Origin origin;
    private final Status status;
    private final Headers headers;
    private final ResponseBody body;
    private final AtomicBoolean taken = new AtomicBoolean();

    StreamedResponse(
            Request request, Origin origin, Status status, Headers headers, ResponseBody body) {
        this.request = request;
        this.origin = origin;
        this.status = status;
        this.headers = headers;
        this.body = body;
    }

    /// Returns the request that it answers: behind redirects, the last one. Its target names the
    /// origin unless that was given beside it.
    public Request request() {
        return request;
    }

    public Status status() {
        return status;
    }

    /// Returns the fields as they were received. If the client decompresses the body, without
    /// Content-Encoding and Content-Length, which are of the compressed one.
    public Headers headers() {
        return headers;
    }

    /// Returns the fields behind the body; empty until all of that was received.
    public Headers trailers() {
        return body.trailers();
    }

    /// Returns the body as a source, for the body of another message: `Body.of(r.source())`. It
    /// throws an [HttpClientException] when the body is not whole.
    ///
    /// @throws IllegalStateException when the body was taken before
    public BodySource source() {
        take();
        return body;
    }

    /// Returns the body as a stream, which blocks the reading thread; a virtual one at best, never
    /// an event loop. It throws an [HttpClientException] when the body is not whole.
    ///
    /// @throws IllegalStateException when the body was taken before
    public InputStream inputStream() {
        take();
        return Body.of(body).asInputStream();
    }

    /// Collects the body in memory.
    ///
    /// @param most bytes; if there are more, the response is given up
    /// @return fails with an [HttpClientException]
    /// @throws IllegalStateException when the body was taken before
    public CompletionStage<Response> collect(int most) {
        take();
        return Body.of(body)
                .collect(most)
                .thenApply(this::whole)
                .exceptionallyCompose(cause -> CompletableFuture.failedStage(failure(cause, most)));
    }

    private Throwable failure(Throwable cause, int most) {
        Throwable why = cause;
        if (cause instanceof CompletionException && cause.getCause() != null) {
            why = cause.getCause();
        }
        return why instanceof BodyTooLongException
                ? new TooLarge(
                        origin, "body: over " + most + " (expected: at most " + most + ")", why)
                : why;
    }

    /// Framing is over, and a response in memory has its own: its length is spelt as ours are, and
    /// of a body that was not sent, such as that of HEAD, left out where it is absurd.
    private Response whole(Body.Bytes collected) {
        Headers fields = headers.without(HeaderName.TRANSFER_ENCODING);
        int length = fields.indexOf(HeaderName.CONTENT_LENGTH, 0);
        if (length >= 0 && collected.length() > 0) {
            String spelt = Long.toString(collected.length());
            if (!fields.value(length).equals(spelt)) {
                fields = fields.with(HeaderName.CONTENT_LENGTH, spelt);
            }
        } else if (length >= 0 && fields.valueLength(length) > MAX_DIGITS) {
            fields = fields.without(HeaderName.CONTENT_LENGTH);
        }
        return Response.of(status, fields, collected.length() == 0 ? Body.empty() : collected);
    }

    private void take() {
        if (taken.getAndSet(true)) {
            throw new IllegalStateException("body: taken before (expected: once)");
        }
    }

    /// Gives the rest of the body up. Without effect when it was read to its end. Any thread: a
    /// reader that waits for more fails with [HttpClientException.Cancelled].
    @Override
    public void close() {
        body.close(new HttpClientException.Cancelled(origin, HttpClientException.Stage.BODY));
    }

    /// Without headers and body, which may be secrets.
    @Override
    public String toString() {
        return status.toString();
    }
}
