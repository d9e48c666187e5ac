package io.weft.http.server.exchange;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServerLimits;
import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// The body of one request after the other as it comes in: collected, or a stream that the handler
/// reads meanwhile. Of one that is collected, memory is taken for what has arrived, and for some
/// times as much of what was announced. Thread: the loop.
public final class RequestBody {
    /// Times a first piece for which room is made at once, if more is announced: a body of 64 KiB
    /// that comes in receives of 16 KiB is not moved while it grows, and a client that announces
    /// much and sends little holds little.
    private static final int AHEAD = 4;

    private final ExchangeWire wire;
    private final HttpServerLimits limits;

    /// Collected so far.
    private @Nullable Buffer bytes;

    /// The announced length of the body that is collected; -1 if only the end will tell.
    private long announced = -1;

    /// Collected, and as long as announced.
    private Body.@Nullable Bytes whole;

    /// There was no memory for a piece.
    private boolean starved;

    /// Of the request that is under way, if its handler takes a stream.
    private @Nullable IncomingBody stream;

    RequestBody(ExchangeWire wire, HttpServerLimits limits) {
        this.wire = wire;
        this.limits = limits;
    }

    /// Takes a piece, which is released. It is copied: a piece of a slow upload must not hold a
    /// receive buffer.
    ///
    /// @return false when the body is longer than the limit, or there is no memory for it; see
    ///     [#refusal]
    public boolean add(Buffer piece) {
        IncomingBody streamed = stream;
        if (streamed == null) {
            return collect(piece);
        }
        streamed.add(piece);
        return !streamed.isTooLong();
    }

    /// Begins a body that is collected.
    ///
    /// @param length -1 when only the end will tell
    public void collect(long length) {
        announced = length;
        starved = false;
    }

    /// Returns the status with which to refuse a body that [#add] did not take a piece of.
    public Status refusal() {
        return starved ? Status.SERVICE_UNAVAILABLE : Status.CONTENT_TOO_LARGE;
    }

    private boolean collect(Buffer piece) {
        try (piece) {
            int size = bytes == null ? 0 : bytes.readableBytes();
            if (whole != null || piece.readableBytes() > limits.body() - size) {
                return false;
            }
            if (size + piece.readableBytes() == announced) {
                whole = joined(bytes, size, piece);
                release();
                return true;
            }
            if (bytes == null) {
                bytes = BufferAllocator.pooled().allocate(room(piece.readableBytes()));
            }
            bytes.writeBytes(piece);
            return true;
        } catch (MemoryLimitException e) {
            starved = true;
            release();
            return false;
        }
    }

    private int room(int first) {
        return (int) Math.clamp(announced, first, (long) AHEAD * first);
    }

    /// Copies the last piece to its place at once, and not behind the others first.
    private static Body.Bytes joined(@Nullable Buffer first, int size, Buffer last) {
        if (first == null) {
            return Body.of(last);
        }
        int length = last.readableBytes();
        byte[] all = new byte[size + length];
        first.readBytes(all, 0, size);
        last.readBytes(all, size, length);
        return Body.wrap(all);
    }

    /// The body that was collected; the next one begins.
    public Body take() {
        Body body = whole;
        if (body == null) {
            body = bytes == null ? Body.empty() : Body.of(bytes);
        }
        whole = null;
        announced = -1;
        release();
        return body;
    }

    /// Begins a body that comes in while it is read.
    ///
    /// @param length -1 when only the end will tell
    public Body stream(long length) {
        IncomingBody begun = new IncomingBody(wire, limits.streamedBody());
        stream = begun;
        return Body.of(begun, length, limits.body());
    }

    /// The streamed body is whole.
    public void end(Headers trailers) {
        if (stream != null) {
            stream.end(trailers);
        }
    }

    /// The rest of the streamed body will not come, by the client's fault.
    ///
    /// @param status that the client gets if the handler fails for that
    /// @return false if the handler learns of it only when it reads
    public boolean cutOff(Status status, String why) {
        return stream == null || stream.cutOff(new BodyCutOffException(status, why));
    }

    /// Tells if the handler has to read some of the streamed body before there is room for more.
    public boolean isFull() {
        return stream != null && stream.isFull();
    }

    /// Returns how many bytes of the streamed body were read, or thrown away, since the last call.
    public int takeRead() {
        return stream == null ? 0 : stream.takeRead();
    }

    /// Tells if the streamed body is longer than its limit.
    public boolean isTooLong() {
        return stream != null && stream.isTooLong();
    }

    /// Tells if a streamed body is wanted that has not come.
    public boolean isWanted() {
        return stream != null && !stream.isClosed();
    }

    /// Tells if a streamed body is wanted behind the head of `answer`, which may be made of it. An
    /// error is taken for a refusal of the body.
    public boolean isWantedFor(Response answer, Method method) {
        return isWanted()
                && answer.body() instanceof Body.Stream
                && method != Method.HEAD
                && answer.status().code() < 400
                && !answer.status().isWithoutContent();
    }

    /// Tells if the body is a stream, and this is it.
    boolean is(BodySource source) {
        return source == stream;
    }

    /// Tells if the request that is under way has a streamed body.
    boolean isStreamed() {
        return stream != null;
    }

    /// The answer is out: the handler may read no more.
    void close() {
        if (stream != null) {
            stream.giveUp();
            stream = null;
        }
    }

    /// The wire is gone. A handler that reads is told; [#close] it then.
    void cancel() {
        release();
        whole = null;
        if (stream != null) {
            boolean _ = stream.cutOff(new IOException("the request was cut off"));
        }
    }

    private void release() {
        if (bytes != null) {
            bytes.release();
            bytes = null;
        }
    }
}
