import org.jspecify.annotations.NullMarked;

/// Floor 3: messages of Redis, RESP2 and RESP3, of clients and servers.
///
/// A client writes a [io.weft.codec.redis.Command] and reads a [io.weft.codec.redis.RespValue] for
/// each:
///
/// ```java
/// new CommandEncoder().encode(Command.of("GET", "key"), out);
/// new RespDecoder().decode(in, value -> {
///     try (value) {
///         System.out.println(value.text());
///     }
/// });
/// ```
///
/// A server goes the other way round, with [io.weft.codec.redis.CommandDecoder] and
/// [io.weft.codec.redis.RespEncoder], which writes every value for the version that its client
/// speaks. Values too large to be held are read and written in parts:
/// [io.weft.codec.redis.RespPartDecoder].
@NullMarked
module io.weft.codec.redis {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.redis;
}
