import org.jspecify.annotations.NullMarked;

/// Floor 4: requests whose answers come in their order, over a connection that is made again when
/// it is lost. Shared by clients, not for users.
@NullMarked
@SuppressWarnings("module") // the clients are built after this module
module io.weft.client.pipelined {
    requires static transitive org.jspecify;
    requires transitive io.weft.channel;
    requires transitive io.weft.codec;

    exports io.weft.client.pipelined to
            io.weft.client.memcache,
            io.weft.client.redis;
}
