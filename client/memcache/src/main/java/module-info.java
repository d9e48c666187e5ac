import org.jspecify.annotations.NullMarked;

/// Floor 4: clients of memcached: pipelining, one server or several by consistent hashing.
///
/// ```java
/// try (MemcacheClient memcached = MemcacheClient.builder(group).address("localhost", 11211).start()) {
///     memcached.set("key", "value").join();
///     try (Item item = memcached.get("key").join().orElseThrow()) {
///         System.out.println(item.text());
///     }
/// }
/// ```
@NullMarked
module io.weft.client.memcache {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec.memcache;
    requires io.weft.client.pipelined;
    requires io.weft.handler.codec;

    exports io.weft.client.memcache;
}
