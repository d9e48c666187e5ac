package io.weft.http.grpc;

import io.weft.buffer.MemoryLimitException;
import io.weft.http.client.StreamedResponse;
import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.TimeUnit;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// One call, as its client sees it: messages in both directions, each at its own pace.
///
/// ```java
/// try (var call = client.open(CHAT)) {
///     call.write(hello);
///     call.halfClose();
///     for (Line line; (line = call.read()) != null; ) { ... }
/// }
/// ```
///
/// **Threads.** One at a time reads, one at a time writes; both may block, and are not for loops.
/// Any may [#cancel].
///
/// @param <Q> messages of this side
/// @param <R> messages of the service
public final class GrpcClientCall<Q, R> implements AutoCloseable {
    private final GrpcMethod<Q, R> method;
    private final GrpcCallOptions options;
    private final GrpcLimits limits;
    private final MessageWriter writer;
    private final CompletableFuture<StreamedResponse> answer;

    /// Completes when the time is over.
    private final CompletableFuture<Void> deadline = new CompletableFuture<>();

    // ---- under this object's lock ----

    private @Nullable MessageReader reader;
    private boolean over;

    /// The reason of an end without success.
    private @Nullable GrpcException failure;

    private Headers trailers = Headers.EMPTY;

    /// @param http sends a request with the body that it gets
    GrpcClientCall(
            GrpcMethod<Q, R> method,
            GrpcCallOptions options,
            GrpcLimits limits,
            Function<Body, CompletableFuture<StreamedResponse>> http) {
        this.method = method;
        this.options = options;
        this.limits = limits;
        this.writer = new MessageWriter(limits.pendingBytes(), () -> {});
        try {
            this.answer = http.apply(Body.of(writer));
        } catch (RuntimeException e) {
            writer.close();
            throw e;
        }
    }

    /// Begins to watch the deadline.
    void begin() {
        Duration timeout = options.timeout();
        if (timeout != null) {
            long nanos = GrpcTimeout.nanos(timeout);
            var _ = deadline.completeOnTimeout(null, nanos, TimeUnit.NANOSECONDS);
            var _ = deadline.thenRun(this::late);
        }
    }

    // ---- requests ----

    /// Sends a message, compressed if the call is, and waits while the service takes none.
    ///
    /// @return false when the service takes no more: [#read] tells how the call has ended
    public boolean write(Q message) throws InterruptedException {
        return write(message, options.coding());
    }

    /// Sends a message as [#write] does, but not compressed.
    public boolean writeUncompressed(Q message) throws InterruptedException {
        return write(message, GrpcCoding.IDENTITY);
    }

    private boolean write(Q message, GrpcCoding by) throws InterruptedException {
        try {
            return writer.write(message, method.request(), by);
        } catch (MemoryLimitException e) {
            var _ = end(GrpcException.noMemory(e));
            return false;
        }
    }

    /// Ends the messages of this side. Again without effect.
    public void halfClose() {
        writer.end(Headers.EMPTY);
    }

    // ---- responses ----

    /// Waits for the metadata before the messages, which comes with the first of them at the
    /// latest.
    ///
    /// @throws GrpcException when the call ends without it
    public Headers headers() throws InterruptedException {
        try {
            return response().headers();
        } catch (GrpcException e) {
            throw end(e);
        }
    }

    /// Waits for the next message. An interrupt cancels the call.
    ///
    /// @return null when the call has ended with OK
    /// @throws GrpcException when it has ended with another status
    public @Nullable R read() throws InterruptedException {
        try {
            MessageReader from = reader();
            R message = from == null ? null : from.read(method.response());
            if (message == null) {
                succeed();
            }
            return message;
        } catch (GrpcException e) {
            throw end(e);
        } catch (IOException e) {
            throw end(HttpFailures.of(e));
        } catch (InterruptedException e) {
            cancel();
            throw e;
        }
    }

    /// Tells if the message that was read last came compressed.
    public boolean wasCompressed() {
        MessageReader from;
        synchronized (this) {
            from = reader;
        }
        return from != null && from.wasCompressed();
    }

    /// Returns the metadata behind the messages; empty until the end was read.
    public synchronized Headers trailers() {
        return trailers;
    }

    /// Makes a call of one request and one response of this one.
    R unary(Q request) throws InterruptedException {
        var _ = write(request);
        halfClose();
        R message = read();
        if (message == null || read() != null) {
            throw end(
                    new GrpcException(
                            GrpcCode.INTERNAL,
                            "responses: "
                                    + (message == null ? "none" : "several")
                                    + " (expected: 1)"));
        }
        return message;
    }

    private StreamedResponse response() throws InterruptedException {
        try {
            return answer.get();
        } catch (CancellationException e) {
            throw HttpFailures.of(e);
        } catch (ExecutionException e) {
            Throwable cause = e.getCause();
            throw HttpFailures.of(cause == null ? e : cause);
        }
    }

    /// @return null when the call has ended with OK
    private @Nullable MessageReader reader() throws InterruptedException {
        StreamedResponse head = response();
        synchronized (this) {
            if (failure != null) {
                throw failure;
            }
            if (over) {
                return null;
            }
            if (reader == null) {
                reader = new MessageReader(head.source(), check(head), limits);
            }
            return reader;
        }
    }

    /// @return the coding of compressed messages
    private static GrpcCoding check(StreamedResponse head) {
        Headers headers = head.headers();
        GrpcStatus said = GrpcStatus.of(headers);
        if (said != null && !said.isOk()) {
            throw new GrpcException(said, headers);
        }
        String type = headers.first(HeaderName.CONTENT_TYPE);
        if (head.status() != Status.OK || type == null || !GrpcServices.isGrpc(type)) {
            throw new GrpcException(
                    GrpcCode.ofHttp(head.status().code()),
                    "response: " + head.status() + ", " + type + " (expected: 200 and gRPC)");
        }
        String named = headers.first(GrpcCoding.ENCODING);
        GrpcCoding coding = GrpcCoding.of(named);
        if (coding == null) {
            throw new GrpcException(
                    GrpcCode.INTERNAL,
                    "grpc-encoding: " + named + " (expected: " + GrpcCoding.ACCEPTED + ")");
        }
        return coding;
    }

    // ---- the end ----

    /// The messages are over: the trailers say how the call has ended.
    private void succeed() throws InterruptedException {
        StreamedResponse head = response();
        Headers behind = head.trailers();
        GrpcStatus status = GrpcStatus.of(behind);
        if (status == null) {
            behind = head.headers(); // of an end without messages
            status = GrpcStatus.of(behind);
        }
        if (status == null) {
            throw new GrpcException(GrpcCode.UNKNOWN, "grpc-status: none (expected: one)");
        }
        if (!status.isOk()) {
            throw new GrpcException(status, behind);
        }
        synchronized (this) {
            if (failure != null) {
                throw failure;
            }
            over = true;
            trailers = behind;
        }
        stop();
    }

    /// Ends the call with `cause`, unless it has ended.
    ///
    /// @return the reason of its end
    private GrpcException end(GrpcException cause) {
        GrpcException first;
        MessageReader from;
        synchronized (this) {
            if (failure == null) {
                failure = cause;
                trailers = cause.trailers();
            }
            over = true;
            first = failure;
            from = reader;
        }
        if (from != null) {
            from.fail(first); // gives up what was received: nobody has to close the call now
        }
        stop();
        return first;
    }

    /// Gives the call up: the service hears of it, and reads and writes end. Without effect when it
    /// has ended.
    public void cancel() {
        giveUp(new GrpcException(GrpcCode.CANCELLED, "cancelled by the caller"));
    }

    private void late() {
        giveUp(
                new GrpcException(
                        GrpcCode.DEADLINE_EXCEEDED,
                        "the time is over (expected: within " + options.timeout() + ")"));
    }

    private void giveUp(GrpcException why) {
        MessageReader from;
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
            failure = why;
            from = reader;
        }
        if (from != null) {
            from.fail(why);
        }
        stop();
    }

    /// Ends what is under way below.
    private void stop() {
        var _ = deadline.cancel(false);
        if (!answer.cancel(true) && answer.state() == Future.State.SUCCESS) {
            answer.resultNow().close();
        }
        writer.close();
    }

    /// Gives up what is left of the call; without effect behind its end.
    @Override
    public void close() {
        cancel();
        MessageReader from;
        synchronized (this) {
            from = reader;
        }
        if (from != null) {
            from.close();
        }
    }
}
