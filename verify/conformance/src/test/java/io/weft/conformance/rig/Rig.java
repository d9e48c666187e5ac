package io.weft.conformance.rig;

import static java.net.StandardSocketOptions.SO_REUSEPORT;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelInitializer;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.SocketException;
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
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Assumptions;

/// A group on the transport under test, and blocking peers. Closing it checks that nothing is left:
/// no buffer, no descriptor, no loop; and that handlers have kept to the grammar of events.
public final class Rig implements AutoCloseable {
    /// Of transports with sockets.
    public static final InetSocketAddress ANY_PORT =
            new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);

    /// Longest wait for an event that must happen, before it counts as a failure.
    public static final long PATIENCE_SECONDS = 60;

    public final EventLoopGroup group;
    private final String transport;
    private final Network network;
    private final Set<String> before;
    private final List<Socket> peers = new ArrayList<>();
    private final Grammar grammar = new Grammar();

    /// Skips the test where the transport does not work, with its reason.
    public Rig(String transport, int loops) throws IOException {
        KernelNetwork.prepare();
        this.transport = transport;
        before = Descriptors.open();
        network = Network.of(transport, loops);
        group = network.group();
    }

    /// For tests of what only sockets of the system have; skips the others.
    public static Rig ofSockets(String transport, int loops) throws IOException {
        assumeSockets(transport);
        return new Rig(transport, loops);
    }

    /// Tells if the transport has sockets of the system, with buffers of limited sizes.
    boolean hasSockets() {
        return hasSockets(transport);
    }

    private static boolean hasSockets(String transport) {
        return switch (transport) {
            case "local", "sim", "udt" -> false;
            default -> !transport.startsWith("sctp-");
        };
    }

    public static void assumeSockets(String transport) {
        Assumptions.assumeTrue(
                hasSockets(transport),
                "about sockets of the system, which the transport " + transport + " has none of");
    }

    public String transport() {
        return transport;
    }

    // ---- Weft's side ----

    public ServerBootstrap server(ChannelInitializer children) {
        return network.prepared(new ServerBootstrap(group)).childHandler(checked(children));
    }

    /// From now on no handler is expected to keep an event that it gets, not even one of a test,
    /// and places behind these are checked as strictly as others.
    public void checkGrammarStrictly() {
        grammar.trustAll();
    }

    /// The same pipeline with checks of the grammar of events, which [#close] asks.
    public ChannelInitializer checked(ChannelInitializer initializer) {
        return grammar.checked(initializer);
    }

    /// Returns the violations that the checks have found since the last call.
    public List<String> grammar() {
        return grammar.takeBroken();
    }

    public SocketAddress listen(ServerBootstrap server) {
        return listener(server).localAddress();
    }

    public ServerChannel listener(ServerBootstrap server) {
        return server.bind(anyAddress()).join();
    }

    public SocketAddress anyAddress() {
        return network.anyAddress();
    }

    public SocketAddress listen(ChannelInitializer children) {
        return listen(server(children));
    }

    /// Returns an address at which a listener was closed: connects are refused, and the port is not
    /// given away before the end.
    public SocketAddress listenedOnce() throws IOException {
        ServerBootstrap server = server(ch -> {});
        Socket holder = new Socket();
        synchronized (peers) {
            peers.add(holder);
        }
        boolean held = hasSockets() && holder.supportedOptions().contains(SO_REUSEPORT);
        if (held) {
            server.option(ChannelOption.SO_REUSEPORT, true);
        }
        ServerChannel gone = listener(server);
        if (held) {
            holder.setOption(SO_REUSEPORT, true);
            holder.bind(gone.localAddress());
        }
        gone.close().join();
        return gone.localAddress();
    }

    public Channel connectWeft(SocketAddress address, ChannelInitializer handler) {
        return new Bootstrap(group).handler(checked(handler)).connect(address).join();
    }

    /// Runs `action` on the channel's loop and waits for it.
    public static void onLoop(Channel channel, Runnable action) {
        channel.eventLoop()
                .submit(
                        () -> {
                            action.run();
                            return null;
                        })
                .join();
    }

    public static Buffer buffer(String text) {
        return buffer(text.getBytes(StandardCharsets.UTF_8));
    }

    public static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    // ---- the peers' side ----

    public Socket connect(SocketAddress address) throws IOException {
        return connect(address, 0);
    }

    /// @param receiveBuffer what the peer lets the kernel keep for it, in bytes; 0 for the default
    public Socket connect(SocketAddress address, int receiveBuffer) throws IOException {
        Socket peer = network.connect(address, receiveBuffer);
        synchronized (peers) {
            peers.add(peer);
        }
        return peer;
    }

    public static void send(Socket peer, String text) throws IOException {
        peer.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
    }

    public static String receive(Socket peer, int length) throws IOException {
        return new String(peer.getInputStream().readNBytes(length), StandardCharsets.UTF_8);
    }

    public static String receiveAll(Socket peer) throws IOException {
        return new String(peer.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
    }

    /// Sends to somebody who will close without having read everything, and so resets: at any
    /// moment.
    ///
    /// @return what arrived before the end or the reset
    public static String sendUntilGone(Socket peer, String text) throws IOException {
        ByteArrayOutputStream received = new ByteArrayOutputStream();
        try {
            send(peer, text);
            peer.getInputStream().transferTo(received);
        } catch (SocketException reset) {
            assertThat(reset.getMessage()).containsAnyOf("reset", "Broken pipe", "Closed");
        }
        return received.toString(StandardCharsets.UTF_8);
    }

    public static void reset(Socket peer) throws IOException {
        peer.setSoLinger(true, 0);
        peer.close();
    }

    /// Sends a byte and gets it back.
    public static void assertServed(Socket peer) throws IOException {
        send(peer, "x");
        assertThat(receive(peer, 1)).isEqualTo("x");
    }

    // ---- waiting ----

    public static <T> T await(CompletableFuture<T> future) {
        try {
            return future.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
        } catch (InterruptedException | ExecutionException | TimeoutException e) {
            throw new AssertionError(e);
        }
    }

    /// Waits for `future`, or for a failure, as long as bytes arrive: where a kernel drops what
    /// exceeds the smallest receive buffer, its retransmission time-out, 200 ms, is what two
    /// segments take.
    ///
    /// @param failed never succeeds
    /// @param arrived the bytes so far; any thread
    public static <T> T awaitProgress(
            CompletableFuture<T> future, CompletableFuture<Void> failed, LongSupplier arrived)
            throws Exception {
        CompletableFuture<Object> either = CompletableFuture.anyOf(future, failed);
        for (long before = arrived.getAsLong(); !either.isDone(); before = arrived.getAsLong()) {
            try {
                either.get(PATIENCE_SECONDS, TimeUnit.SECONDS);
            } catch (TimeoutException e) {
                if (arrived.getAsLong() == before) {
                    throw new AssertionError("nothing more happened", e);
                }
            }
        }
        either.join();
        return future.join();
    }

    /// For what can only be looked up.
    public static void awaitTrue(String what, BooleanSupplier condition) {
        long deadline = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - deadline).as("waited in vain: " + what).isNegative();
            LockSupport.parkNanos(200_000);
        }
    }

    /// Checks that the loops rest, once they have done what there was to do.
    ///
    /// @param spinMillis how long to look at them, in processor time, where they have threads of
    ///     their own
    public void assertIdle(long spinMillis) {
        network.assertIdle(spinMillis);
    }

    // ---- the end ----

    @Override
    public void close() throws IOException {
        for (Socket peer : peers) {
            peer.close();
        }
        await(group.shutdownGracefully().toCompletableFuture());
        network.close();
        assertThat(Ledger.takeOpen()).as("open buffers").isEmpty();
        Set<String> left = Descriptors.open();
        left.removeAll(before);
        assertThat(left).as("open descriptors").isEmpty();
        assertThat(grammar()).as("breaches of the grammar of events").isEmpty();
    }
}
