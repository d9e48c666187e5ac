package io.weft.conformance.rig;

import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Assumptions;

/// Sockets of the system, with the JDK's as peers.
public record KernelNetwork(EventLoopGroup group) implements Network {
    static {
        warmUp();
    }

    public KernelNetwork(String transport, int loops) {
        this(groupOrSkip(transport, loops));
    }

    static EventLoopGroup groupOrSkip(String transport, int loops) {
        try {
            return EventLoopGroup.create(transport, loops);
        } catch (IllegalStateException e) {
            return Assumptions.abort(e.getMessage());
        }
    }

    /// The JDK opens descriptors of its own with its first socket.
    private static void warmUp() {
        try (var listener = new java.net.ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                var _ = new Socket(listener.getInetAddress(), listener.getLocalPort());
                var _ = java.nio.channels.SocketChannel.open();
                var _ = java.nio.channels.Selector.open()) {
            listener.accept().close();
        } catch (IOException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// Loads the class.
    public static void prepare() {}

    @Override
    public SocketAddress anyAddress() {
        return new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    }

    @Override
    public Socket connect(SocketAddress address, int receiveBuffer) throws IOException {
        Socket peer = new Socket();
        try {
            if (receiveBuffer > 0) {
                peer.setReceiveBufferSize(receiveBuffer);
            }
            peer.setSoTimeout((int) TimeUnit.SECONDS.toMillis(Rig.PATIENCE_SECONDS));
            peer.connect(address);
            peer.setTcpNoDelay(true);
            return peer;
        } catch (IOException e) {
            peer.close();
            throw e;
        }
    }

    @Override
    public void close() {}
}
