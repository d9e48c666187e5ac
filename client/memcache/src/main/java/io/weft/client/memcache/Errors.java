package io.weft.client.memcache;

import io.weft.client.pipelined.CallErrors;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Errors of calls, as types of [MemcacheFailure].
enum Errors implements CallErrors {
    INSTANCE;

    @Override
    public MemcacheFailure disconnected(boolean sent, String reason) {
        return new MemcacheFailure.Disconnected(sent, reason);
    }

    @Override
    public MemcacheFailure overloaded(int waiting) {
        return new MemcacheFailure.Overloaded(waiting);
    }

    @Override
    public MemcacheFailure timedOut(boolean sent, Duration limit, @Nullable Throwable lastFailure) {
        String why = lastFailure == null ? "" : " without a connection: " + lastFailure;
        return new MemcacheFailure.TimedOut(sent, "after " + limit + why);
    }
}
