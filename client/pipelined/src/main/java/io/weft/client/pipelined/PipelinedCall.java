package io.weft.client.pipelined;

import io.weft.loop.Promise;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/// A request and the promise of its answer. Closing one that was not sent gives it back to its
/// client, for the next connection.
///
/// @param <T> the answer as the caller gets it
public abstract class PipelinedCall<T> implements AutoCloseable {
    private final Promise<T> promise;
    private final CallErrors errors;

    /// Takes this back if it was not sent; null for one that belongs to its connection.
    private final @Nullable Reconnection owner;

    /// Nanoseconds of the clock at which this has failed without an answer.
    final long deadline;

    /// Place in the order of the client's calls, under its lock.
    long number;

    private boolean sent;

    /// @param owner null for a call that belongs to its connection
    protected PipelinedCall(
            Promise<T> promise, long deadline, CallErrors errors, @Nullable Reconnection owner) {
        this.promise = promise;
        this.deadline = deadline;
        this.errors = errors;
        this.owner = owner;
    }

    /// Releases a request that was not sent.
    protected abstract void release();

    /// Returns the promise of the answer.
    public final Promise<T> promise() {
        return promise;
    }

    /// Returns the nanoseconds of the clock at which this has failed without an answer.
    public final long deadline() {
        return deadline;
    }

    /// Tells if this is part of how a connection begins, which no limit stops.
    final boolean isFirst() {
        return owner == null;
    }

    /// Notes that the request belongs to the encoder.
    protected final void sent() {
        sent = true;
    }

    /// Fails the promise, and releases a request that was not sent.
    public final void fail(Throwable cause) {
        if (!sent) {
            sent = true;
            release();
        }
        var _ = promise.tryFailure(cause);
    }

    @Override
    public final void close() {
        if (owner == null || promise.isDone()) {
            fail(errors.disconnected(false, "the connection is closed"));
        } else {
            owner.takeBack(this);
        }
    }

    /// Removes calls that were cancelled from the head of a queue.
    static void dropDone(Queue<? extends PipelinedCall<?>> queue) {
        for (PipelinedCall<?> call; (call = queue.peek()) != null && call.promise.isDone(); ) {
            var _ = queue.remove();
            call.close();
        }
    }
}
