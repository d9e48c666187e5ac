import org.jspecify.annotations.NullMarked;

/// Floor 3: the epoll engine of Linux.
@NullMarked
module io.weft.transport.epoll {
    requires static transitive org.jspecify;
    requires io.weft.ffi;
    requires io.weft.channel;
    requires io.weft.transport.posix;

    provides io.weft.channel.spi.EngineProvider with
            io.weft.transport.epoll.EpollProvider;
}
