import org.jspecify.annotations.NullMarked;

/// Floor 3: the epoll engine of Linux.
@NullMarked
module io.weft.transport.epoll {
    requires static transitive org.jspecify;
    requires io.weft.ffi;
    requires io.weft.engine;
    requires io.weft.transport.posix;

    provides io.weft.engine.EngineProvider with
            io.weft.transport.epoll.EpollProvider;
}
