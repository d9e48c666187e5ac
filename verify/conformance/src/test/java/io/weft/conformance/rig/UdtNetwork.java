package io.weft.conformance.rig;

import io.weft.eventloop.EventLoopGroup;
import io.weft.transport.udt.UdtAddress;
import io.weft.transport.udt.UdtLimits;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.security.SecureRandom;

/// Streams of UDT over the loopback, between loops of two groups.
record UdtNetwork(EventLoopGroup group, EventLoopGroup peers) implements Network {
    /// Small enough for a writer to come to its end.
    private static final UdtLimits LIMITS =
            UdtLimits.DEFAULT.withWindow(64).withSendBuffer(64 << 10);

    static {
        KernelNetwork.prepare();
        new SecureRandom().nextInt(); // opens descriptors of its own
    }

    UdtNetwork(int loops) {
        this(EventLoopGroup.create("nio", loops), EventLoopGroup.create("nio", 1));
    }

    @Override
    public SocketAddress anyAddress() {
        return UdtAddress.of(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))
                .with(LIMITS);
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
