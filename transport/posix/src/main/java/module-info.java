import org.jspecify.annotations.NullMarked;

/// Floor 3: what the engines on descriptors share: slots, socket options, addresses, message
/// headers, and the engine by readiness. Not for users.
@NullMarked
@SuppressWarnings("module") // the engines are built after this module
module io.weft.transport.posix {
    requires static transitive org.jspecify;
    requires io.weft.ffi;
    requires transitive io.weft.engine;

    exports io.weft.transport.posix to
            io.weft.transport.epoll,
            io.weft.transport.kqueue,
            io.weft.transport.sctp,
            io.weft.transport.uring;
}
