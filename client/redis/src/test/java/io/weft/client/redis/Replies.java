package io.weft.client.redis;

import io.weft.codec.redis.RespValue;
import io.weft.loop.Future;

/// Replies as tests look at them.
final class Replies {
    private Replies() {}

    /// Waits for a reply and closes it.
    static String text(Future<RespValue> reply) {
        try (RespValue value = reply.join()) {
            return String.valueOf(value.text());
        }
    }
}
