package io.weft.client.pipelined;

import io.weft.loop.Promise;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// A call whose request is its name.
final class Note extends PipelinedCall<String> {
    /// Errors that say which method made them.
    static final CallErrors ERRORS =
            new CallErrors() {
                @Override
                public Throwable disconnected(boolean sent, String reason) {
                    return new IllegalStateException("disconnected, sent " + sent + ": " + reason);
                }

                @Override
                public Throwable overloaded(int waiting) {
                    return new IllegalStateException("overloaded");
                }

                @Override
                public Throwable timedOut(
                        boolean sent, Duration limit, @Nullable Throwable lastFailure) {
                    return new IllegalStateException("timed out, sent " + sent);
                }
            };

    static final PipelineLimits LIMITS =
            new PipelineLimits(
                    16, 16, Duration.ofSeconds(5), Duration.ofMillis(1), Duration.ofMillis(1));

    final String name;

    Note(String name, Promise<String> promise, long deadline, @Nullable Reconnection owner) {
        super(promise, deadline, ERRORS, owner);
        this.name = name;
    }

    void markSent() {
        sent();
    }

    @Override
    protected void release() {}
}
