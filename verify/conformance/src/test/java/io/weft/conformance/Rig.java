package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.EventLoopGroup;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Assumptions;

/// A group on the transport under test, and blocking sockets as its peers. Closing it checks that nothing is left: no
/// buffer, no descriptor, no loop.
final class Rig implements AutoCloseable {
    static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /// How long to wait for what must happen before it counts as a failure.
    static final long PATIENCE_SECONDS = 30;

    static {
        warmUp();
    }

    final EventLoopGroup group;
    private final Set<String> before;
    private final List<Socket> peers = new ArrayList<>();

    /// Skips the test where the transport does not work, with its reason.
    Rig(String transport, int loops) throws IOException {
        before = Descriptors.open();
        group = groupOrSkip(transport, loops);
    }

    private static EventLoopGroup groupOrSkip(String transport, int loops) {
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

    // ---- Weft's side ----

    ServerBootstrap server(ChannelInitializer children) {
        return new ServerBootstrap(group).childHandler(children);
    }

    InetSocketAddress listen(ServerBootstrap server) {
        return (InetSocketAddress) listener(server).localAddress();
    }

    ServerChannel listener(ServerBootstrap server) {
        return server.bind(ANY_PORT).join();
    }

    InetSocketAddress listen(ChannelInitializer children) {
        return listen(server(children));
    }

    Channel connectWeft(InetSocketAddress address, ChannelInitializer handler) {
        return new Bootstrap(group).handler(handler).connect(address).join();
    }

    /// Runs `action` on the channel's loop and waits for it.
    static void onLoop(Channel channel, Runnable action) {
        channel.eventLoop()
                .submit(
                        () -> {
                            action.run();
                            return null;
                        })
                .join();
    }

    static Buffer buffer(String text) {
        return buffer(text.getBytes(StandardCharsets.UTF_8));
    }

    static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    // ---- the peers' side ----

    Socket connect(InetSocketAddress address) throws IOException {
        return connect(address, 0);
    }

    /// @param receiveBuffer what the peer lets the kernel keep for it, in bytes; 0 for the default
    Socket connect(InetSocketAddress address, int receiveBuffer) throws IOException {
        Socket peer = new Socket();
        synchronized (peers) {
            peers.add(peer);
        }
        if (receiveBuffer > 0) {
            peer.setReceiveBufferSize(receiveBuffer);
        }
        peer.setSoTimeout((int) TimeUnit.SECONDS.toMillis(PATIENCE_SECONDS));
        peer.connect(address);
        peer.setTcpNoDelay(true);
        return peer;
    }

    static void send(Socket peer, String text) throws IOException {
        peer.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    static String receive(Socket peer, int length) throws IOException {
        return new String(peer.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    static String receiveAll(Socket peer) throws IOException {
        return new String(peer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    static void reset(Socket peer) throws IOException {
        peer.setSoLinger(true, 0);
        peer.close();
    }

    /// Sends a byte and gets it back.
    static void assertServed(Socket peer) throws IOException {
        send(peer, "x");
        assertThat(receive(peer, 1)).isEqualTo("x");
    }

    // ---- waiting ----

    static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /// For what can only be looked up.
    static void awaitTrue(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("waited in vain: " + what).isNegative();
            LockSupport.parkNanos(200_000);
        }
    }

    // ---- the end ----

    @Override
    public void close() throws IOException {
        for (Socket peer : peers) {
            peer.close();
        }
        await(group.shutdownGracefully().toCompletableFuture());
        assertThat(Ledger.takeOpen()).as("open buffers").isEmpty();
        Set<String> left = Descriptors.open();
        left.removeAll(before);
        assertThat(left).as("open descriptors").isEmpty();
    }
}
