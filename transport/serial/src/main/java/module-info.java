import org.jspecify.annotations.NullMarked;

/// Floor 3: serial ports of Linux, for loops of the io_uring and epoll engines.
@NullMarked
module io.weft.transport.serial {
    requires static transitive org.jspecify;
    requires io.weft.ffi;
    requires transitive io.weft.engine;

    exports io.weft.transport.serial;

    provides io.weft.engine.EndpointProvider with
            io.weft.transport.serial.SerialProvider;
}
