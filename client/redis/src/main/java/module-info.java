import org.jspecify.annotations.NullMarked;

/// Floor 4: clients of Redis: pipelining, subscriptions, client-side caching, clusters.
///
/// ```java
/// try (RedisClient redis = RedisClient.builder(group).address("localhost", 6379).start()) {
///     redis.send("SET", "key", "value").join().close();
///     try (RespValue value = redis.send("GET", "key").join()) {
///         System.out.println(value.text());
///     }
/// }
/// ```
@NullMarked
module io.weft.client.redis {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec.redis;
    requires io.weft.client.pipelined;
    requires io.weft.handler.codec;

    exports io.weft.client.redis;
}
