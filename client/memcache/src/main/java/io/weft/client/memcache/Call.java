package io.weft.client.memcache;

import io.weft.codec.memcache.BinaryMessage;
import io.weft.loop.Promise;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A request and the promise of its answer. Closing one that was not sent gives it back to the
/// client, for the next connection.
///
/// @param <T> the answer as the caller gets it
final class Call<T> implements AutoCloseable {
    final Promise<T> promise;

    /// Nanoseconds of the clock at which it has failed without an answer.
    final long deadline;

    private final BinaryMessage request;

    /// Makes the answer of a message, which becomes its own; null if another one follows.
    private final Function<BinaryMessage, @Nullable T> reader;

    /// Takes it back if it was not sent; null for one that belongs to its connection.
    private final @Nullable Consumer<Call<?>> owner;

    /// Place in the order of the client's calls, under its lock.
    long number;

    private boolean sent;

    Call(
            BinaryMessage request,
            Function<BinaryMessage, @Nullable T> reader,
            Promise<T> promise,
            long deadline,
            @Nullable Consumer<Call<?>> owner) {
        this.request = request;
        this.owner = owner;
        this.reader = reader;
        this.promise = promise;
        this.deadline = deadline;
    }

    /// Tells if it is part of how a connection begins, which no limit stops.
    boolean isFirst() {
        return owner == null;
    }

    int opaque() {
        return request.opaque();
    }

    int opcode() {
        return request.opcode();
    }

    /// The request belongs to the encoder.
    BinaryMessage send() {
        sent = true;
        return request;
    }

    /// Takes a message of the answer; returns true if it was the last.
    boolean answered(BinaryMessage message) {
        T answer;
        try {
            answer = reader.apply(message);
        } catch (MemcacheFailure failure) {
            var _ = promise.tryFailure(failure);
            return true;
        }
        if (answer == null) {
            return false;
        }
        if (!promise.trySuccess(answer)) {
            Answers.close(answer); // it has failed already
        }
        return true;
    }

    void fail(Throwable cause) {
        if (!sent) {
            sent = true;
            request.close();
        }
        var _ = promise.tryFailure(cause);
    }

    @Override
    public void close() {
        if (owner == null || promise.isDone()) {
            fail(new MemcacheFailure.Disconnected(false, "the connection is closed"));
        } else {
            owner.accept(this);
        }
    }

    @Override
    public String toString() {
        return "an answer to opcode " + opcode() + ", opaque " + opaque();
    }
}
