package io.weft.client.memcache;

import io.weft.client.pipelined.PipelinedCall;
import io.weft.client.pipelined.Reconnection;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.loop.Promise;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// A request and the promise of its answer.
///
/// @param <T> the answer as the caller gets it
final class Call<T> extends PipelinedCall<T> {
    private final BinaryMessage request;

    /// Makes the answer of a message, which becomes its own; null if another one follows.
    private final Function<BinaryMessage, @Nullable T> reader;

    /// @param owner null for a call that belongs to its connection
    Call(
            BinaryMessage request,
            Function<BinaryMessage, @Nullable T> reader,
            Promise<T> promise,
            long deadline,
            @Nullable Reconnection owner) {
        super(promise, deadline, Errors.INSTANCE, owner);
        this.request = request;
        this.reader = reader;
    }

    int opaque() {
        return request.opaque();
    }

    int opcode() {
        return request.opcode();
    }

    /// The request belongs to the encoder.
    BinaryMessage send() {
        sent();
        return request;
    }

    /// Takes a message of the answer; returns true if it was the last.
    boolean answered(BinaryMessage message) {
        T answer;
        try {
            answer = reader.apply(message);
        } catch (MemcacheFailure failure) {
            var _ = promise().tryFailure(failure);
            return true;
        }
        if (answer == null) {
            return false;
        }
        if (!promise().trySuccess(answer)) {
            Answers.close(answer); // it has failed already
        }
        return true;
    }

    @Override
    protected void release() {
        request.close();
    }

    @Override
    public String toString() {
        return "an answer to opcode " + opcode() + ", opaque " + opaque();
    }
}
