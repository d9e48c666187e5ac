package io.weft.conformance.rig;

import io.weft.channel.ServerBootstrap;
import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;

/// The networks of the tests: the kernel's sockets, this process, a simulation.
interface Network extends AutoCloseable {
    /// The side under test.
    EventLoopGroup group();

    /// Sets what tests expect of a transport's channels and is not its default.
    default ServerBootstrap prepared(ServerBootstrap server) {
        return server;
    }

    /// To listen at; a new one each time, or one that becomes a new one.
    SocketAddress anyAddress();

    /// A peer in blocking style.
    ///
    /// @param receiveBuffer what may wait for it, in bytes; 0 for the default
    Socket connect(SocketAddress address, int receiveBuffer) throws IOException;

    /// Checks that the loops under test rest.
    ///
    /// @param spinMillis how long to look at them, in processor time
    default void assertIdle(long spinMillis) {
        Processor.assertIdle(group(), spinMillis);
    }

    /// Ends what is not under test; the group has ended already.
    @Override
    void close();

    /// Skips the test where the transport does not work, with its reason.
    static Network of(String transport, int loops) {
        return switch (transport) {
            case "local" -> new LocalNetwork(loops);
            case "udt" -> new UdtNetwork(loops);
            case "sim" -> new SimulatedNetwork(loops);
            case String name when name.startsWith("sctp-") ->
                    new SctpNetwork(name.substring("sctp-".length()), loops);
            default -> new KernelNetwork(transport, loops);
        };
    }
}
