package io.weft.http.grpc;

import io.weft.buffer.MemoryLimitException;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.BodyTooLongException;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One call, as its service sees it.
///
/// **Threads.** One at a time reads, one at a time writes; both may block. Metadata is the
/// writer's.
///
/// @param <Q> messages of the caller
/// @param <R> messages of the service
public final class GrpcServerCall<Q, R> {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.grpc");

    private final Request request;
    private final GrpcMethod<Q, R> method;
    private final GrpcHandler<Q, R> handler;
    private final MessageReader reader;
    private final MessageWriter writer;
    private final CompletableFuture<Response> response = new CompletableFuture<>();

    /// Completes when the time is over; null without a deadline.
    private final @Nullable CompletableFuture<Void> deadline;

    private final long timeout;
    private final long begun = System.nanoTime();

    // ---- under this object's lock ----

    private final HeadersBuilder initial = Headers.builder();
    private final HeadersBuilder trailing = Headers.builder();
    private GrpcCoding coding = GrpcCoding.IDENTITY;
    private @Nullable Thread thread;
    private boolean headSent;
    private boolean over;

    /// @param timeout nanoseconds; null for none
    /// @param received the coding of requests that are compressed
    GrpcServerCall(
            Request request,
            GrpcMethod<Q, R> method,
            GrpcHandler<Q, R> handler,
            GrpcLimits limits,
            @Nullable Long timeout,
            GrpcCoding received) {
        this.request = request;
        this.method = method;
        this.handler = handler;
        this.timeout = timeout == null ? 0 : timeout;
        this.deadline = timeout == null ? null : new CompletableFuture<>();
        this.reader = new MessageReader(source(request.body()), received, limits);
        this.writer = new MessageWriter(limits.pendingBytes(), this::gone);
    }

    private static BodySource source(Body body) {
        return body instanceof Body.Stream stream
                ? stream.source()
                : Body.concat(List.of(body)).source();
    }

    // ---- the caller ----

    /// Returns the request as it came: its metadata, with the fields of HTTP and gRPC among it, and
    /// its peer.
    public Request request() {
        return request;
    }

    /// Returns the metadata that the caller sent, with the fields of HTTP and gRPC among it.
    public Headers metadata() {
        return request.headers();
    }

    /// Returns the time that is left; null without a deadline, zero behind it.
    public @Nullable Duration remaining() {
        if (deadline == null) {
            return null;
        }
        return Duration.ofNanos(Math.max(0, timeout - (System.nanoTime() - begun)));
    }

    /// Tells if the call is over: the caller has given it up, the deadline has passed, or the
    /// status is sent.
    public synchronized boolean isOver() {
        return over;
    }

    /// Waits for the next message.
    ///
    /// @return null when the caller has sent its last one
    /// @throws GrpcException when the caller has given the call up, or breaks the protocol
    public @Nullable Q read() throws InterruptedException {
        try {
            return reader.read(method.request());
        } catch (BodyTooLongException e) {
            throw new GrpcException(
                    GrpcCode.RESOURCE_EXHAUSTED, "the requests: " + e.getMessage(), e);
        } catch (IOException e) {
            throw new GrpcException(
                    GrpcCode.CANCELLED, "the request broke off: " + e.getMessage(), e);
        }
    }

    /// Tells if the message that was read last came compressed.
    public boolean wasCompressed() {
        return reader.wasCompressed();
    }

    // ---- the answer ----

    /// Adds metadata before the messages. Fields of HTTP and gRPC are left out.
    ///
    /// @throws IllegalStateException when that is sent
    public synchronized void header(String name, String value) {
        checkHead();
        initial.add(name, value);
    }

    /// Adds metadata behind the messages. Fields of HTTP and gRPC are left out. Behind the status
    /// it is without effect.
    public synchronized void trailer(String name, String value) {
        trailing.add(name, value);
    }

    /// Compresses the messages that follow, if the caller takes that.
    ///
    /// @return whether it does
    /// @throws IllegalStateException when the metadata is sent
    public synchronized boolean compress(GrpcCoding by) {
        checkHead();
        boolean takes =
                by == GrpcCoding.IDENTITY
                        || metadata().containsToken(GrpcCoding.ACCEPT, by.toString());
        coding = takes ? by : GrpcCoding.IDENTITY;
        return takes;
    }

    private void checkHead() {
        if (headSent) {
            throw new IllegalStateException("metadata: sent (expected: before the first message)");
        }
    }

    /// Sends the metadata now rather than with the first message.
    public synchronized void sendHeaders() {
        if (!headSent && !over) {
            sendHead(head(true).build());
        }
    }

    /// Sends a message, and waits while the caller takes none.
    ///
    /// @throws GrpcException when the call is over
    public void write(R message) throws InterruptedException {
        GrpcCoding by;
        synchronized (this) {
            by = coding;
        }
        write(message, by);
    }

    /// Sends a message that is not compressed, whatever the others are.
    ///
    /// @throws GrpcException when the call is over
    public void writeUncompressed(R message) throws InterruptedException {
        write(message, GrpcCoding.IDENTITY);
    }

    private void write(R message, GrpcCoding by) throws InterruptedException {
        sendHeaders();
        if (!writer.write(message, method.response(), by)) {
            throw new GrpcException(GrpcCode.CANCELLED, "the call is over");
        }
    }

    // ---- its life ----

    /// Runs the handler on a thread of its own.
    CompletableFuture<Response> start(ActiveCalls active) {
        var _ =
                response.whenComplete(
                        (_, cause) -> {
                            if (cause != null) {
                                gone(); // the stream was reset before there was an answer
                            }
                        });
        if (deadline != null) {
            var _ = deadline.completeOnTimeout(null, timeout, TimeUnit.NANOSECONDS);
            var _ = deadline.thenRun(this::late);
        }
        active.begin();
        var _ =
                Thread.ofVirtual()
                        .name("weft-grpc")
                        .start(
                                () -> {
                                    try {
                                        run();
                                    } finally {
                                        active.end();
                                    }
                                });
        return response;
    }

    private void run() {
        synchronized (this) {
            thread = over ? null : Thread.currentThread();
        }
        try {
            if (!isOver()) {
                handler.handle(this);
                var _ = finish(GrpcStatus.OK, Headers.EMPTY);
            }
        } catch (GrpcException e) {
            var _ = finish(e.status(), e.trailers());
        } catch (MemoryLimitException e) {
            var _ = finish(GrpcException.noMemory(e).status(), Headers.EMPTY);
        } catch (Throwable t) {
            failed(t);
        } finally {
            synchronized (this) {
                thread = null;
            }
            reader.close();
        }
    }

    private void failed(Throwable t) {
        if (finish(new GrpcStatus(GrpcCode.UNKNOWN, "the service failed"), Headers.EMPTY)) {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    method + ": the handler failed; the caller gets UNKNOWN",
                    t);
        }
    }

    private void late() {
        GrpcStatus status = new GrpcStatus(GrpcCode.DEADLINE_EXCEEDED, "the time is over");
        if (finish(status, Headers.EMPTY)) {
            stop(status);
        }
    }

    /// The caller is gone, or wants no answer.
    private void gone() {
        synchronized (this) {
            if (over) {
                return;
            }
            over = true;
        }
        end();
        writer.close();
        stop(new GrpcStatus(GrpcCode.CANCELLED, "the caller has given the call up"));
    }

    /// Has the handler stop.
    private void stop(GrpcStatus why) {
        reader.fail(new GrpcException(why, Headers.EMPTY));
        synchronized (this) {
            if (thread != null) {
                thread.interrupt();
            }
        }
    }

    private void end() {
        if (deadline != null) {
            var _ = deadline.cancel(false);
        }
    }

    /// Sends the status. Once; a failure without messages before it goes with the head. One whose
    /// fields cannot be made is UNKNOWN: a call must not stay open for what its handler says.
    ///
    /// @return false when the call was over before
    private boolean finish(GrpcStatus status, Headers more) {
        try {
            return finishWith(status, true, more);
        } catch (RuntimeException e) {
            GrpcStatus instead = new GrpcStatus(GrpcCode.UNKNOWN, "the service failed");
            boolean first = finishWith(instead, false, Headers.EMPTY);
            if (first) {
                LOGGER.log(
                        System.Logger.Level.WARNING,
                        method + ": a status cannot be sent; the caller gets UNKNOWN",
                        e);
            }
            return first;
        }
    }

    /// @param all whether metadata that the handler has added goes along
    private boolean finishWith(GrpcStatus status, boolean all, Headers more) {
        Headers end;
        boolean headOnly;
        synchronized (this) {
            if (over) {
                return false;
            }
            headOnly = !headSent && !status.isOk();
            HeadersBuilder fields = headOnly ? head(all) : Headers.builder();
            status.writeTo(fields);
            if (all) {
                Metadata.append(trailing.build(), fields);
            }
            Metadata.append(more, fields);
            end = fields.build();
            Headers begin = headOnly || headSent ? null : head(all).build();
            over = true; // behind all that may throw
            if (begin != null) {
                sendHead(begin);
            }
        }
        end();
        writer.end(end);
        if (headOnly) {
            response.complete(Response.of(Status.OK, end, Body.empty()));
        }
        return true;
    }

    private void sendHead(Headers fields) {
        headSent = true;
        response.complete(Response.of(Status.OK, fields, Body.of(writer)));
    }

    private HeadersBuilder head(boolean all) {
        String type = metadata().first(HeaderName.CONTENT_TYPE);
        HeadersBuilder fields = Headers.builder();
        fields.add(HeaderName.CONTENT_TYPE, type == null ? GrpcServices.CONTENT_TYPE : type);
        fields.add(GrpcCoding.ACCEPT, GrpcCoding.ACCEPTED);
        if (coding != GrpcCoding.IDENTITY) {
            fields.add(GrpcCoding.ENCODING, coding.toString());
        }
        if (all) {
            Metadata.append(initial.build(), fields);
        }
        return fields;
    }
}
