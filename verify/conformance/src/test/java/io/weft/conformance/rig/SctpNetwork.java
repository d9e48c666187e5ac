package io.weft.conformance.rig;

import io.weft.channel.ServerBootstrap;
import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.sctp.SctpAddress;
import io.weft.transport.sctp.SctpOption;
import io.weft.transport.sctp.SctpProvider;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;

/// Byte streams of SCTP over the loopback, between loops of two groups.
record SctpNetwork(EventLoopGroup group, EventLoopGroup peers) implements Network {
    static {
        KernelNetwork.prepare();
    }

    SctpNetwork(String transport, int loops) {
        this(groupOrSkip(transport, loops), EventLoopGroup.create("epoll", 1));
    }

    private static EventLoopGroup groupOrSkip(String transport, int loops) {
        String refusal = SctpProvider.refusal();
        Assumptions.assumeTrue(refusal == null, "no SCTP (dev/sctp.sh --contract): " + refusal);
        return KernelNetwork.groupOrSkip(transport, loops);
    }

    /// Without notifications, which would be user events among those that tests count.
    @Override
    public ServerBootstrap prepared(ServerBootstrap server) {
        return server.option(SctpOption.NOTIFICATIONS, Set.of());
    }

    @Override
    public SocketAddress anyAddress() {
        return SctpAddress.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
    }

    @Override
    public Socket connect(SocketAddress address, int receiveBuffer) throws IOException {
        return ChannelSocket.connect(peers, address, receiveBuffer);
    }

    @Override
    public void close() {
        peers.close();
    }
}
