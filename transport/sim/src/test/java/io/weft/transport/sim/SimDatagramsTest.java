package io.weft.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.engine.Datagram;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Which datagrams a simulated socket takes, and whom it names as their sender.
class SimDatagramsTest {
    private final Simulation sim = new Simulation(1, Faults.none());
    private final SimHost server = sim.host("server");
    private final SimHost client = sim.host("client");

    /// Answers each datagram with the same.
    private static final class Answer implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.writeAndFlush(message);
        }
    }

    private static final class Inbox implements ChannelHandler {
        final List<String> texts = new ArrayList<>();
        final List<SocketAddress> senders = new ArrayList<>();
        final List<Throwable> failures = new ArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Datagram datagram = (Datagram) message) {
                texts.add(datagram.content().readString(StandardCharsets.US_ASCII));
                senders.add(datagram.address());
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failures.add(cause);
        }
    }

    @AfterEach
    void close() {
        sim.close();
    }

    private static Buffer bytes(int length) {
        return BufferAllocator.pooled().allocate(length).writeAscii("x".repeat(length));
    }

    private static DatagramBootstrap bootstrap(SimHost host, ChannelHandler handler) {
        return new DatagramBootstrap(host.group(1)).handler(ch -> ch.pipeline().addLast(handler));
    }

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "127.0.0.7", "::1"})
    void connectedSocketHearsItsPeerOverTheLoopback(String address) {
        InetSocketAddress peer = new InetSocketAddress(InetAddress.ofLiteral(address), 53);
        sim.await(bootstrap(client, new Answer()).bind(client.address(53)));
        assertAnswered(peer);
    }

    @ParameterizedTest
    @ValueSource(strings = {"192.0.2.1", "2001:db8::1"})
    void connectedSocketHearsItsPeerByAnAlias(String alias) {
        InetAddress address = InetAddress.ofLiteral(alias);
        server.alias(address);
        sim.await(bootstrap(server, new Answer()).bind(server.address(53)));
        assertAnswered(new InetSocketAddress(address, 53));
    }

    private void assertAnswered(InetSocketAddress peer) {
        Inbox inbox = new Inbox();
        Channel channel = sim.await(bootstrap(client, inbox).connect(peer));
        channel.writeAndFlush(bytes(3));
        sim.run(Duration.ofSeconds(1));
        assertThat(inbox.failures).isEmpty();
        assertThat(inbox.texts).containsExactly("xxx");
        assertThat(inbox.senders).containsExactly(peer);
    }

    @Test
    void connectedSocketHearsNobodyElse() {
        Inbox inbox = new Inbox();
        Channel connected = sim.await(bootstrap(client, inbox).connect(server.address(53)));
        SocketAddress to = connected.localAddress();
        for (Channel stranger :
                List.of(
                        sim.await(bootstrap(server, new Inbox()).bind(server.address(54))),
                        sim.await(bootstrap(client, new Inbox()).bind(client.address(53))))) {
            stranger.writeAndFlush(new Datagram(bytes(1), to));
        }
        sim.run(Duration.ofSeconds(1));
        assertThat(inbox.texts).isEmpty();
    }

    @Test
    void senderOverTheLoopbackIsNamedByIt() {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        Inbox inbox = new Inbox();
        sim.await(bootstrap(client, inbox).bind(client.address(53)));
        Channel sender = sim.await(bootstrap(client, new Inbox()).bind(client.address(54)));
        sender.writeAndFlush(new Datagram(bytes(1), new InetSocketAddress(loopback, 53)));
        sim.run(Duration.ofSeconds(1));
        assertThat(inbox.senders).containsExactly(new InetSocketAddress(loopback, 54));
    }

    /// As Linux with its default of 212,992 bytes: what finds more than that in front of it is
    /// dropped. Each datagram counts with the kernel's record of it, of 768 bytes.
    @ParameterizedTest
    @CsvSource({"65507, 0, 4", "1472, 0, 96", "65507, 1048576, 32", "1, 0, 256"})
    void socketThatDoesNotReceiveKeepsSoManyBytes(int length, int receiveBuffer, int kept) {
        Inbox inbox = new Inbox();
        Channel receiver =
                sim.await(
                        bootstrap(server, inbox)
                                .option(ChannelOption.AUTO_READ, false)
                                .option(ChannelOption.SO_RCVBUF, receiveBuffer)
                                .bind(server.address(53)));
        Channel sender = sim.await(bootstrap(client, new Inbox()).connect(server.address(53)));
        for (int i = 0; i < 300; i++) {
            sender.writeAndFlush(bytes(length));
        }
        sim.run(Duration.ofSeconds(1));
        receiver.autoRead(true);
        sim.run(Duration.ofSeconds(1));
        assertThat(inbox.texts).hasSize(kept);
        sender.writeAndFlush(bytes(length)); // there is room again
        sim.run(Duration.ofSeconds(1));
        assertThat(inbox.texts).hasSize(kept + 1);
    }
}
