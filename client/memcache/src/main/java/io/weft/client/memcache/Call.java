package io.weft.client.memcache;

import io.weft.codec.memcache.BinaryMessage;
import io.weft.loop.Promise;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A request and the promise of its answer. Closing one that was not sent fails it.
///
/// @param <T> the answer as the caller gets it
final class Call<T> implements AutoCloseable {
    final Promise<T> promise;

    /// Nanoseconds of the clock at which it has failed without an answer.
    final long deadline;

    private final BinaryMessage request;

    /// Makes the answer of a message, which becomes its own; null if another one follows.
    private final Function<BinaryMessage, @Nullable T> reader;

    private boolean sent;

    Call(
            BinaryMessage request,
            Function<BinaryMessage, @Nullable T> reader,
            Promise<T> promise,
            long deadline) {
        this.request = request;
        this.reader = reader;
        this.promise = promise;
        this.deadline = deadline;
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
        fail(new MemcacheFailure.Disconnected(false, "the connection is closed"));
    }

    @Override
    public String toString() {
        return "an answer to opcode " + opcode() + ", opaque " + opaque();
    }
}
