import org.jspecify.annotations.NullMarked;

/// Floor 3: the kqueue engine of macOS and FreeBSD.
@NullMarked
module io.weft.transport.kqueue {
    requires static transitive org.jspecify;
    requires io.weft.ffi;
    requires io.weft.engine;
    requires io.weft.transport.posix;

    provides io.weft.engine.EngineProvider with
            io.weft.transport.kqueue.KqueueProvider;
}
