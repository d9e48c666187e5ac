import org.jspecify.annotations.NullMarked;

/// Floor 3: UDT, reliable streams and messages over UDP, on the datagrams of any engine.
@NullMarked
module io.weft.transport.udt {
    requires static transitive org.jspecify;
    requires transitive io.weft.engine;

    exports io.weft.transport.udt;

    provides io.weft.engine.EndpointProvider with
            io.weft.transport.udt.UdtProvider;
}
