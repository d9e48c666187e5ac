import org.jspecify.annotations.NullMarked;

/// Floor 3: messages of memcached, in its binary protocol and in its text protocol with meta
/// commands, of clients and servers.
///
/// ```java
/// new MemcacheEncoder().encode(TextMessage.of("get", "key"), out);
/// MemcacheDecoder.textReplies().decode(in, part -> {
///     try (part) {
///         if (part instanceof TextMessage reply && reply.hasData()) {
///             System.out.println(reply.dataText());
///         }
///     }
/// });
/// ```
///
/// A server reads either protocol with [io.weft.codec.memcache.MemcacheDecoder#requests()], which
/// tells them apart by the first byte.
@NullMarked
module io.weft.codec.memcache {
    requires static transitive org.jspecify;
    requires transitive io.weft.codec;

    exports io.weft.codec.memcache;
}
