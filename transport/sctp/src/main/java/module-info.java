import org.jspecify.annotations.NullMarked;

/// Floor 3: SCTP of Linux, for loops of the io_uring and epoll engines, and handlers for its
/// messages.
@NullMarked
module io.weft.transport.sctp {
    requires static transitive org.jspecify;
    requires io.weft.ffi;
    requires transitive io.weft.channel;
    requires io.weft.transport.posix;

    exports io.weft.transport.sctp;

    provides io.weft.engine.EndpointProvider with
            io.weft.transport.sctp.SctpProvider;
}
