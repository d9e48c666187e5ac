package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.Datagram;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.PortUnreachableException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Datagrams over UDP, connected and not.
@EveryTransport
class DatagramTest {
    private final Rig rig;

    DatagramTest(String transport) throws IOException {
        Assumptions.assumeFalse(transport.equals("local"), "streams only");
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private static String text(Datagram datagram) {
        return datagram.content().readString(StandardCharsets.UTF_8);
    }

    /// Writes down what comes.
    private static final class Inbox implements ChannelHandler {
        final List<String> texts = new CopyOnWriteArrayList<>();
        final List<SocketAddress> senders = new CopyOnWriteArrayList<>();
        final List<Throwable> failures = new CopyOnWriteArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Datagram datagram = (Datagram) message) {
                senders.add(datagram.address());
                texts.add(text(datagram));
            }
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            failures.add(cause);
        }
    }

    /// Answers each datagram with the same.
    private static final class Answer implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.write(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }
    }

    private DatagramBootstrap bootstrap(ChannelHandler handler) {
        return new DatagramBootstrap(rig.group).handler(ch -> ch.pipeline().addLast(handler));
    }

    private Channel bind(ChannelHandler handler) {
        return bootstrap(handler).bind(Rig.ANY_PORT).join();
    }

    private static SocketAddress address(Channel channel) {
        return channel.eventLoop().submit(channel::localAddress).join();
    }

    private static void await(Inbox inbox, int count) {
        Rig.awaitTrue(count + " datagrams", () -> inbox.texts.size() >= count);
    }

    @Test
    void anAnswerGoesToWhoAsked() throws IOException {
        Rig.assumeSockets(rig.transport());
        Channel server = bind(new Answer());
        try (DatagramSocket peer = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            peer.setSoTimeout(60_000);
            byte[] question = "who am I".getBytes(StandardCharsets.UTF_8);
            for (int i = 0; i < 3; i++) {
                peer.send(new DatagramPacket(question, question.length, address(server)));
                DatagramPacket answer = new DatagramPacket(new byte[100], 100);
                peer.receive(answer);
                assertThat(answer.getLength()).isEqualTo(question.length);
                assertThat(answer.getSocketAddress()).isEqualTo(address(server));
            }
        }
    }

    @Test
    void whatComesAfterTheCloseIsToldOfTheClose() {
        Channel channel = bind(new Answer());
        SocketAddress somewhere = address(channel);
        channel.close().join();
        Promise<Void> late = channel.newPromise();
        channel.writeAndFlush(new Datagram(Rig.buffer("late"), somewhere), late);
        assertThatThrownBy(late::join).hasCauseInstanceOf(ClosedChannelException.class);
    }

    @Test
    void aConnectedChannelTakesBuffersAndHearsItsPeerOnly() {
        Channel server = bind(new Answer());
        Inbox inbox = new Inbox();
        Channel client = bootstrap(inbox).connect(address(server)).join();
        Channel stranger = bind(new Inbox());
        stranger.writeAndFlush(new Datagram(Rig.buffer("not for you"), address(client)));
        client.writeAndFlush(Rig.buffer("for you"));
        await(inbox, 1);
        assertThat(inbox.texts).containsExactly("for you");
        assertThat(inbox.senders).containsExactly(address(server));
        assertThat(client.eventLoop().submit(client::remoteAddress).join())
                .isEqualTo(address(server));
    }

    @Test
    void receptionGoesOnWhenThereIsMemoryAgain() throws IOException {
        Rig.assumeSockets(rig.transport());
        Inbox inbox = new Inbox();
        Channel server = bind(inbox);
        AllocationTap none =
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                };
        Rig.onLoop(server, () -> AllocationTap.set(none));
        try (DatagramSocket peer = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            byte[] text = "after all".getBytes(StandardCharsets.UTF_8);
            peer.send(new DatagramPacket(text, text.length, address(server)));
            Rig.awaitTrue("a failure", () -> !inbox.failures.isEmpty());
            Rig.onLoop(server, () -> AllocationTap.set(null));
            await(inbox, 1);
        }
        assertThat(inbox.texts).containsExactly("after all");
    }

    @Test
    void datagramsAreSentInBatchesAndInOrder() {
        Inbox inbox = new Inbox();
        Channel server =
                bootstrap(inbox).option(ChannelOption.SO_RCVBUF, 1 << 20).bind(Rig.ANY_PORT).join();
        Channel client = bootstrap(new Inbox()).connect(address(server)).join();
        List<String> sent = IntStream.range(0, 200).mapToObj(i -> "datagram " + i).toList();
        Promise<Void> last = client.newPromise();
        Rig.onLoop(
                client,
                () -> {
                    for (int i = 0; i < 200; i++) {
                        client.write(Rig.buffer(sent.get(i)), i == 199 ? last : null);
                    }
                    client.flush();
                });
        last.join();
        await(inbox, 200);
        assertThat(inbox.texts).isEqualTo(sent);
    }

    @Test
    void anEmptyDatagramIsOneToo() {
        Inbox inbox = new Inbox();
        Channel server = bind(inbox);
        Channel client = bind(new Inbox());
        client.writeAndFlush(new Datagram(Rig.buffer(""), address(server)));
        client.writeAndFlush(new Datagram(Rig.buffer("after"), address(server)));
        await(inbox, 2);
        assertThat(inbox.texts).containsExactly("", "after");
    }

    @Test
    void aDatagramLongerThanTheLimitIsCut() {
        Inbox inbox = new Inbox();
        Channel server =
                bootstrap(inbox)
                        .option(ChannelOption.MAX_DATAGRAM_SIZE, 10)
                        .bind(Rig.ANY_PORT)
                        .join();
        Channel client = bootstrap(new Inbox()).connect(address(server)).join();
        client.writeAndFlush(Rig.buffer("0123456789 and more"));
        await(inbox, 1);
        assertThat(inbox.texts).containsExactly("0123456789");
    }

    @Test
    void oneThatCannotBeSentFailsAlone() {
        Inbox inbox = new Inbox();
        Channel server = bind(inbox);
        Channel client = bind(new Inbox());
        SocketAddress serverAddress = address(server);
        Promise<Void> before = client.newPromise();
        Promise<Void> large = client.newPromise();
        Promise<Void> nowhere = client.newPromise();
        Promise<Void> after = client.newPromise();
        Rig.onLoop(
                client,
                () -> {
                    client.write(new Datagram(Rig.buffer("before"), serverAddress), before);
                    client.write(new Datagram(Rig.buffer(new byte[70_000]), serverAddress), large);
                    client.write(Rig.buffer("no recipient"), nowhere);
                    client.write(new Datagram(Rig.buffer("after"), serverAddress), after);
                    client.flush();
                });
        before.join();
        after.join();
        assertThatThrownBy(large::join).hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(nowhere::join).hasCauseInstanceOf(IOException.class);
        await(inbox, 2);
        assertThat(inbox.texts).containsExactly("before", "after");
        assertThat(client.isActive()).isTrue();
    }

    @Test
    void whatIsNoDatagramIsRefused() {
        Channel channel = bind(new Inbox());
        Promise<Void> promise = channel.newPromise();
        channel.writeAndFlush("text", promise);
        assertThatThrownBy(promise::join).hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aPeerThatIsNotThereIsToldAndTheChannelLivesOn() throws IOException {
        Rig.assumeSockets(rig.transport());
        Inbox inbox = new Inbox();
        Channel client;
        try (DatagramSocket deaf = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            SocketAddress itself = deaf.getLocalSocketAddress();
            deaf.connect(itself); // it hears nobody else, and nobody else gets its port
            client = bootstrap(inbox).connect(itself).join();
            client.writeAndFlush(Rig.buffer("anybody?"));
            Rig.awaitTrue("told", () -> !inbox.failures.isEmpty());
        }
        assertThat(inbox.failures).first().isInstanceOf(PortUnreachableException.class);
        assertThat(client.isActive()).isTrue();
        rig.assertIdle(10);
    }

    @Test
    void aPausedChannelLeavesDatagramsToTheKernel() {
        Inbox inbox = new Inbox();
        Channel server =
                bootstrap(inbox).option(ChannelOption.AUTO_READ, false).bind(Rig.ANY_PORT).join();
        Channel client = bootstrap(new Inbox()).connect(address(server)).join();
        for (int i = 0; i < 5; i++) {
            client.writeAndFlush(Rig.buffer("datagram " + i));
        }
        rig.assertIdle(10);
        assertThat(inbox.texts).isEmpty();
        Rig.onLoop(server, () -> server.autoRead(true));
        await(inbox, 5);
        assertThat(inbox.texts).hasSize(5);
    }

    /// Several come with one call of the system, and a handler may have enough of them at any.
    @Test
    void aChannelThatPausesInTheMidstGetsTheRestLater() {
        List<String> texts = new CopyOnWriteArrayList<>();
        AtomicInteger whilePaused = new AtomicInteger();
        ChannelHandler pausing =
                new ChannelHandler() {
                    private boolean paused;

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        try (Datagram datagram = (Datagram) message) {
                            texts.add(text(datagram));
                        }
                        if (paused) {
                            whilePaused.incrementAndGet();
                            return;
                        }
                        paused = true;
                        ctx.channel().autoRead(false);
                        ctx.eventLoop()
                                .execute(
                                        () -> {
                                            paused = false;
                                            ctx.channel().autoRead(true);
                                        });
                    }
                };
        Channel server =
                bootstrap(pausing)
                        .option(ChannelOption.SO_RCVBUF, 1 << 20)
                        .bind(Rig.ANY_PORT)
                        .join();
        Channel client = bootstrap(new Inbox()).connect(address(server)).join();
        List<String> sent = IntStream.range(0, 100).mapToObj(i -> "datagram " + i).toList();
        Rig.onLoop(
                client,
                () -> {
                    sent.forEach(text -> client.write(Rig.buffer(text)));
                    client.flush();
                });
        Rig.awaitTrue("all", () -> texts.size() == 100);
        assertThat(texts).isEqualTo(sent);
        assertThat(whilePaused).hasValue(0);
    }

    /// Datagrams that have come have no reader then, but are released.
    @Test
    void aChannelMayCloseInTheMidst() {
        Channel[] server = new Channel[1];
        ChannelHandler closing =
                new ChannelHandler() {
                    private int count;

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ((Datagram) message).close();
                        if (++count == 5) {
                            ctx.close();
                        }
                        assertThat(count).isLessThanOrEqualTo(5);
                    }
                };
        server[0] =
                bootstrap(closing)
                        .option(ChannelOption.SO_RCVBUF, 1 << 20)
                        .bind(Rig.ANY_PORT)
                        .join();
        Channel client = bootstrap(new Inbox()).connect(address(server[0])).join();
        Rig.onLoop(
                client,
                () -> {
                    for (int i = 0; i < 100; i++) {
                        client.write(Rig.buffer("datagram " + i));
                    }
                    client.flush();
                });
        server[0].closeFuture().join();
    }

    @Test
    void closingSendsWhatWasFlushed() {
        Inbox inbox = new Inbox();
        Channel server = bind(inbox);
        Channel client = bootstrap(new Inbox()).connect(address(server)).join();
        client.writeAndFlush(Rig.buffer("last words"));
        client.close().join();
        await(inbox, 1);
        assertThat(inbox.texts).containsExactly("last words");
    }

    @Test
    void aSegmentedDatagramArrivesAsMany() {
        Inbox inbox = new Inbox();
        Channel server = bind(inbox);
        Channel client = bind(new Inbox());
        client.writeAndFlush(new Datagram(Rig.buffer("aaaabbbbcc"), address(server), 4));
        await(inbox, 3);
        assertThat(inbox.texts).containsExactly("aaaa", "bbbb", "cc");
    }

    @Test
    void whatTheKernelPutTogetherIsTakenApart() {
        Rig.assumeSockets(rig.transport());
        Assumptions.assumeFalse(rig.group.transport().equals("nio"), "native");
        Inbox inbox = new Inbox();
        Channel server =
                bootstrap(inbox).option(ChannelOption.UDP_GRO, true).bind(Rig.ANY_PORT).join();
        assertThat(server.eventLoop().submit(() -> server.getOption(ChannelOption.UDP_GRO)).join())
                .isTrue();
        Channel client = bind(new Inbox());
        client.writeAndFlush(new Datagram(Rig.buffer("aaaabbbbcc"), address(server), 4));
        client.writeAndFlush(new Datagram(Rig.buffer("single"), address(server)));
        await(inbox, 4);
        assertThat(inbox.texts).containsExactly("aaaa", "bbbb", "cc", "single");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void whomASenderMeantIsTold(boolean together) {
        Rig.assumeSockets(rig.transport());
        Assumptions.assumeFalse(rig.group.transport().equals("nio"), "native");
        List<SocketAddress> destinations = new CopyOnWriteArrayList<>();
        ChannelHandler inbox =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        try (Datagram datagram = (Datagram) message) {
                            destinations.add(datagram.destination());
                        }
                    }
                };
        Channel server =
                bootstrap(inbox)
                        .option(ChannelOption.IP_RECVORIGDSTADDR, true)
                        .option(ChannelOption.UDP_GRO, together)
                        .bind(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0))
                        .join();
        int port = ((InetSocketAddress) address(server)).getPort();
        Channel client = bind(new Inbox());
        for (String host : List.of("127.0.0.1", "127.0.0.7")) {
            SocketAddress to = new InetSocketAddress(InetAddress.ofLiteral(host), port);
            destinations.clear();
            client.writeAndFlush(new Datagram(Rig.buffer("aaaabb"), to, 4));
            Rig.awaitTrue("both parts", () -> destinations.size() == 2);
            assertThat(destinations).containsExactly(to, to);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -1, Integer.MAX_VALUE})
    void aSizeThatNoDatagramHasIsRefused(int size) {
        assertThatThrownBy(
                        () ->
                                bootstrap(new Inbox())
                                        .option(ChannelOption.MAX_DATAGRAM_SIZE, size)
                                        .bind(Rig.ANY_PORT)
                                        .join())
                .hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void optionsAreSetAndReadBack() throws IOException {
        Rig.assumeSockets(rig.transport());
        NetworkInterface loopback =
                NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        Channel channel =
                bootstrap(new Inbox())
                        .option(ChannelOption.SO_BROADCAST, true)
                        .option(ChannelOption.IP_TOS, 0x10)
                        .option(ChannelOption.IP_MULTICAST_TTL, 3)
                        .option(ChannelOption.IP_MULTICAST_LOOP, false)
                        .option(ChannelOption.IP_MULTICAST_IF, loopback)
                        .bind(Rig.ANY_PORT)
                        .join();
        Rig.onLoop(
                channel,
                () -> {
                    try {
                        assertThat(channel.getOption(ChannelOption.SO_BROADCAST)).isTrue();
                        assertThat(channel.getOption(ChannelOption.IP_TOS)).isEqualTo(0x10);
                        assertThat(channel.getOption(ChannelOption.IP_MULTICAST_TTL)).isEqualTo(3);
                        assertThat(channel.getOption(ChannelOption.IP_MULTICAST_LOOP)).isFalse();
                        assertThat(channel.getOption(ChannelOption.IP_MULTICAST_IF))
                                .isEqualTo(loopback);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void nativeOptionsAreSetAndReadBack() {
        Rig.assumeSockets(rig.transport());
        Assumptions.assumeFalse(rig.group.transport().equals("nio"), "native");
        Channel channel =
                bootstrap(new Inbox())
                        .option(ChannelOption.IP_MULTICAST_ALL, false)
                        .option(ChannelOption.IP_RECVORIGDSTADDR, true)
                        .option(ChannelOption.UDP_SEGMENT, 1_000)
                        .bind(Rig.ANY_PORT)
                        .join();
        Rig.onLoop(
                channel,
                () -> {
                    try {
                        assertThat(channel.getOption(ChannelOption.IP_MULTICAST_ALL)).isFalse();
                        assertThat(channel.getOption(ChannelOption.IP_RECVORIGDSTADDR)).isTrue();
                        assertThat(channel.getOption(ChannelOption.UDP_SEGMENT)).isEqualTo(1_000);
                    } catch (IOException e) {
                        throw new AssertionError(e);
                    }
                });
    }

    @Test
    void membersOfAGroupHearIt() throws IOException {
        Rig.assumeSockets(rig.transport());
        NetworkInterface loopback =
                NetworkInterface.getByInetAddress(InetAddress.getLoopbackAddress());
        InetAddress source = Inet4Address.ofLiteral("127.0.0.1");
        Inbox inbox = new Inbox();
        Channel member =
                bootstrap(inbox)
                        .bind(new InetSocketAddress(Inet4Address.ofLiteral("0.0.0.0"), 0))
                        .join();
        int port = ((InetSocketAddress) address(member)).getPort();
        // A system hands what comes for a group to those who left it as well, while others are in
        // it: so a group of our own.
        InetAddress group =
                InetAddress.getByAddress(
                        new byte[] {(byte) 239, (byte) 255, (byte) (port >> 8), (byte) port});
        Channel sender =
                bootstrap(new Inbox())
                        .option(ChannelOption.IP_MULTICAST_IF, loopback)
                        .bind(Rig.ANY_PORT)
                        .join();
        InetSocketAddress to = new InetSocketAddress(group, port);
        InetSocketAddress direct = new InetSocketAddress(source, port);
        change(member, () -> member.multicast().join(group, loopback));
        sender.writeAndFlush(new Datagram(Rig.buffer("joined"), to));
        await(inbox, 1);
        change(member, () -> member.multicast().block(group, loopback, source));
        sender.writeAndFlush(new Datagram(Rig.buffer("blocked"), to));
        change(member, () -> member.multicast().unblock(group, loopback, source));
        sender.writeAndFlush(new Datagram(Rig.buffer("unblocked"), to));
        await(inbox, 2);
        change(member, () -> member.multicast().leave(group, loopback));
        sender.writeAndFlush(new Datagram(Rig.buffer("left"), to));
        sender.writeAndFlush(new Datagram(Rig.buffer("direct"), direct));
        await(inbox, 3);
        change(member, () -> member.multicast().join(group, loopback, source));
        sender.writeAndFlush(new Datagram(Rig.buffer("of one source"), to));
        await(inbox, 4);
        assertThat(inbox.texts).containsExactly("joined", "unblocked", "direct", "of one source");
        InetAddress other = InetAddress.ofLiteral("239.254.77.78");
        assertThatThrownBy(() -> change(member, () -> member.multicast().leave(other, loopback)))
                .hasCauseInstanceOf(IOException.class);
    }

    private interface Change {
        void make() throws IOException;
    }

    /// The sender shares the loop, so what it was asked to send before has been sent.
    private static void change(Channel channel, Change change) {
        channel.eventLoop()
                .submit(
                        () -> {
                            change.make();
                            return null;
                        })
                .join();
    }
}
