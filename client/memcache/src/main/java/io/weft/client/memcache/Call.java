package io.weft.client.memcache;

import static java.util.Objects.requireNonNull;

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

    private @Nullable T answer;
    private @Nullable MemcacheFailure refusal;

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

    /// Takes a message of the answer; returns true if it was the last, and [#complete] is due.
    boolean answered(BinaryMessage message) {
        try {
            answer = reader.apply(message);
            return answer != null;
        } catch (MemcacheFailure refused) {
            refusal = refused;
            return true;
        }
    }

    /// Tells the caller of the answer.
    void complete() {
        T whole = answer;
        if (whole == null) {
            var _ = promise().tryFailure(requireNonNull(refusal));
        } else if (!promise().trySuccess(whole)) {
            Answers.close(whole); // it has failed already
        }
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
