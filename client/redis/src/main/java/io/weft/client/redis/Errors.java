package io.weft.client.redis;

import io.weft.client.pipelined.CallErrors;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// Errors of calls, as types of [RedisException].
enum Errors implements CallErrors {
    INSTANCE;

    @Override
    public RedisException disconnected(boolean sent, String reason) {
        return new RedisException.Disconnected(sent, reason);
    }

    @Override
    public RedisException overloaded(int waiting) {
        return new RedisException.Overloaded(waiting);
    }

    @Override
    public RedisException timedOut(boolean sent, Duration limit, @Nullable Throwable lastFailure) {
        return new RedisException.TimedOut(sent, limit, lastFailure);
    }
}
