import org.jspecify.annotations.NullMarked;

/// Floor 3: the server's side of Redis in a pipeline: commands in, replies out.
///
/// ```java
/// RedisServerHandler.addTo(channel.pipeline(), session -> (command) -> {
///     if (command.is(0, "PING")) {
///         session.reply(SimpleString.PONG);
///     } else {
///         session.reply(new SimpleError("ERR unknown command"));
///     }
/// });
/// ```
@NullMarked
module io.weft.handler.redis {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec.redis;
    requires io.weft.handler.codec;

    exports io.weft.handler.redis;
}
