package io.weft.handler.redis;

import io.weft.codec.redis.Command;

/// Answers the commands of one connection. All methods are called on the channel's loop and must
/// not block.
@FunctionalInterface
public interface RedisService {
    /// Answers `command` with one [RedisSession#reply], or with several parts that make one value.
    /// The command is closed when this returns: what is kept of it is copied, or taken as a buffer.
    ///
    /// What it throws is answered with an error, and the connection goes on: an
    /// [IllegalArgumentException] with its message. If a reply or a part of one was written before,
    /// the connection closes behind that instead.
    void handle(Command command);

    /// The connection is gone.
    default void closed() {}
}
