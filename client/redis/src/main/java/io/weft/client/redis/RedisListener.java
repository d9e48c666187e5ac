package io.weft.client.redis;

import io.weft.codec.redis.RespValue;
import org.jspecify.annotations.Nullable;

/// Hears what a server says by itself. All methods are called on a loop and must not block; values
/// are closed when they return.
public interface RedisListener {
    /// Hears nothing.
    RedisListener NONE = new RedisListener() {};

    /// A message was published.
    ///
    /// @param channel that it was published on
    /// @param message its content
    default void message(String channel, RespValue message) {}

    /// A message was published on a channel that a pattern matches.
    default void message(String pattern, String channel, RespValue message) {
        message(channel, message);
    }

    /// Keys that were read with client-side caching have changed.
    ///
    /// @param keys an array of them; a null when all have, which is also told when a connection was
    ///     lost
    default void invalidated(RespValue keys) {}

    /// The server has ended a subscription, or refused it to a new connection. It is not made
    /// again.
    ///
    /// @param name the channel or the pattern
    /// @param refusal the server's error; null if it has ended the subscription by itself, as when
    ///     the slot of a shard's channel moves
    default void unsubscribed(String name, @Nullable Throwable refusal) {}

    /// Another push of RESP3.
    default void pushed(RespValue push) {}

    /// The connection stands, and subscriptions have been made again.
    default void connected() {}

    /// The connection is lost, or could not be made; the client tries again.
    default void disconnected(Throwable cause) {}
}
