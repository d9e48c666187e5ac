package io.weft.codec.framing;

import io.weft.codec.LimitExceededException;
import java.util.function.Consumer;

/// The action of a framer if a frame is longer than its limit.
public sealed interface TooLong {
    /// The frame ends the decoder with a [LimitExceededException], as soon as it is known to be too
    /// long.
    static TooLong fail() {
        return Fail.INSTANCE;
    }

    /// The frame is skipped, whatever its length, and nothing of it is kept; `listener` is told as
    /// soon as it is known to be too long. Frames behind it are decoded. Only for protocols where a
    /// lost frame does no harm.
    static TooLong discard(Consumer<? super LimitExceededException> listener) {
        return new Discard(listener);
    }

    /// Returns when the frame is to be skipped.
    default void found(String what, long length, long limit) {
        LimitExceededException e = new LimitExceededException(what, length, limit);
        switch (this) {
            case Fail _ -> throw e;
            case Discard discard -> discard.listener.accept(e);
        }
    }

    /// See [TooLong#fail].
    enum Fail implements TooLong {
        INSTANCE
    }

    /// See [TooLong#discard].
    record Discard(Consumer<? super LimitExceededException> listener) implements TooLong {}
}
