package io.weft.handler.redis;

import io.weft.channel.Channel;
import io.weft.codec.redis.CommandDecoder;
import io.weft.codec.redis.RespEncoder;
import io.weft.codec.redis.RespLimits;
import io.weft.codec.redis.RespPart;
import io.weft.codec.redis.RespValue;
import io.weft.codec.redis.RespVersion;

/// A connection as its [RedisService] sees it.
///
/// **Threads.** [#push] any thread; everything else on the channel's loop.
public final class RedisSession {
    private final RedisServerHandler handler;
    private final CommandDecoder decoder;
    private final RespEncoder encoder;

    RedisSession(RedisServerHandler handler, CommandDecoder decoder, RespEncoder encoder) {
        this.handler = handler;
        this.decoder = decoder;
        this.encoder = encoder;
    }

    public Channel channel() {
        return handler.channel();
    }

    /// Writes the reply to the command that is being handled, or the next part of it, which becomes
    /// the session's. It is sent with all others of the same read.
    ///
    /// @throws IllegalArgumentException when a part cannot be where it is
    public void reply(RespPart part) {
        handler.reply(part);
    }

    /// Writes a value that answers no command, such as a published message, between two replies.
    /// It becomes the session's; after the end of the connection it is released. If it cannot be
    /// written, for want of memory, that is thrown on the loop; elsewhere the connection ends.
    public void push(RespValue value) {
        handler.push(value);
    }

    /// The version of what is written.
    public RespVersion version() {
        return encoder.version();
    }

    /// Sets the version of what is written from now on, as HELLO asks for.
    public void version(RespVersion version) {
        encoder.version(version);
    }

    /// Sets the limits of the commands that follow.
    public void limits(RespLimits limits) {
        decoder.limits(limits);
    }

    /// Closes the connection when what was replied is sent.
    public void close() {
        handler.close();
    }
}
