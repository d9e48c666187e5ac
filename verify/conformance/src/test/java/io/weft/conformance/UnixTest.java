package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.Datagram;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.LocalAddress;
import io.weft.engine.PassedDescriptor;
import io.weft.engine.PeerCredentials;
import io.weft.engine.UnixAbstractAddress;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.SocketAddress;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Streams between processes of one machine: paths, abstract names, credentials.
@EveryTransport
class UnixTest {
    @TempDir Path directory;
    private final Rig rig;
    private SocketAddress address;

    UnixTest(String transport) throws IOException {
        rig = Rig.ofSockets(transport, 1);
    }

    @BeforeEach
    void choosePath() {
        address = UnixDomainSocketAddress.of(directory.resolve("socket"));
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private ServerChannel echo() {
        return rig.server(ch -> ch.pipeline().addLast(new Echo())).bind(address).join();
    }

    private Channel connect(Probe probe) {
        return new Bootstrap(rig.group)
                .handler(ch -> ch.pipeline().addLast(probe))
                .connect(address)
                .join();
    }

    private void assertEchoes() {
        ServerChannel server = echo();
        assertThat(server.localAddress()).isEqualTo(address);
        Probe probe = new Probe();
        Channel channel = connect(probe);
        assertThat(channel.eventLoop().submit(channel::remoteAddress).join()).isEqualTo(address);
        StringBuilder sent = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            channel.writeAndFlush(Rig.buffer("message " + i + ";"));
            sent.append("message ").append(i).append(';');
        }
        Rig.awaitTrue("the echo", () -> probe.text().length() == sent.length());
        assertThat(probe.text()).isEqualTo(sent.toString());
        channel.close().join();
        server.close().join();
    }

    @Test
    void aPathIsAnAddress() {
        assertEchoes();
        assertThat(((UnixDomainSocketAddress) address).getPath()).exists();
    }

    @Test
    void anAbstractNameIsAnAddressAndNoFile() {
        Assumptions.assumeFalse(rig.group.transport().equals("nio"), "the JDK has none");
        address = UnixAbstractAddress.of("weft test \0 " + UUID.randomUUID());
        assertEchoes();
        assertEchoes(); // it goes with its listener
    }

    @Test
    void blockingChannelsOfTheJdkAreServed() throws IOException {
        echo();
        try (SocketChannel peer = SocketChannel.open(address)) {
            peer.write(ByteBuffer.wrap("hello".getBytes(StandardCharsets.US_ASCII)));
            ByteBuffer answer = ByteBuffer.allocate(5);
            while (answer.hasRemaining() && peer.read(answer) >= 0) {
                // until it is whole
            }
            assertThat(new String(answer.array(), StandardCharsets.US_ASCII)).isEqualTo("hello");
        }
    }

    /// Over io_uring, a receive that goes on forgets the end where it wakes with the last bytes.
    @Test
    void endOfInputIsToldRightBehindTheLastBytes() throws IOException {
        echo();
        for (int i = 0; i < 500; i++) {
            try (SocketChannel peer = SocketChannel.open(address)) {
                peer.write(ByteBuffer.wrap(new byte[123]));
                peer.shutdownOutput();
                ByteBuffer answer = ByteBuffer.allocate(200);
                while (peer.read(answer) >= 0) {
                    // until the server closes as well
                }
                assertThat(answer.position()).isEqualTo(123);
            }
        }
    }

    @Test
    void thePeersCredentialsAreKnown() {
        Assumptions.assumeFalse(rig.group.transport().equals("nio"), "native");
        echo();
        Channel channel = connect(new Probe());
        PeerCredentials peer =
                channel.eventLoop()
                        .submit(() -> channel.getOption(ChannelOption.SO_PEERCRED))
                        .join();
        assertThat(peer.pid()).isEqualTo((int) ProcessHandle.current().pid());
        assertThat(peer.uid()).isNotNegative();
    }

    @Test
    void datagramsReachAPathOrAnAbstractName() {
        Assumptions.assumeFalse(rig.group.transport().equals("nio"), "the JDK has none");
        SocketAddress hidden = UnixAbstractAddress.of("weft datagrams " + UUID.randomUUID());
        int froms = 0;
        for (SocketAddress to : List.of(address, hidden)) {
            CompletableFuture<Datagram> received = new CompletableFuture<>();
            ChannelHandler inbox =
                    new ChannelHandler() {
                        @Override
                        public void channelRead(ChannelHandlerContext ctx, Object message) {
                            received.complete((Datagram) message);
                        }
                    };
            new DatagramBootstrap(rig.group)
                    .handler(ch -> ch.pipeline().addLast(inbox))
                    .bind(to)
                    .join();
            SocketAddress from = UnixDomainSocketAddress.of(directory.resolve("from" + froms++));
            Channel sender = new DatagramBootstrap(rig.group).handler(ch -> {}).bind(from).join();
            sender.writeAndFlush(new Datagram(Rig.buffer("hello"), to));
            try (Datagram datagram = Rig.await(received)) {
                assertThat(datagram.content().readString(StandardCharsets.UTF_8))
                        .isEqualTo("hello");
                assertThat(datagram.address()).isEqualTo(from);
            }
        }
    }

    @Test
    void descriptorsArePassedAndAdopted() throws IOException {
        Assumptions.assumeFalse(rig.group.transport().equals("nio"), "native");
        // A TCP connection that its first channel never reads from.
        Probe idle = new Probe();
        Socket peer =
                rig.connect(
                        rig.listen(
                                rig.server(ch -> ch.pipeline().addLast(idle))
                                        .childOption(ChannelOption.AUTO_READ, false)));
        Channel given = Rig.await(idle.active);
        CompletableFuture<DescriptorMessage> received = new CompletableFuture<>();
        Probe rest = new Probe();
        ChannelHandler takes =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        if (message instanceof DescriptorMessage descriptors) {
                            received.complete(descriptors);
                        } else {
                            ctx.fireChannelRead(message);
                        }
                    }
                };
        rig.server(ch -> ch.pipeline().addLast(takes).addLast(rest))
                .childOption(ChannelOption.RECEIVE_DESCRIPTORS, true)
                .bind(address)
                .join();
        Channel channel = connect(new Probe());
        int number = given.eventLoop().submit(given::descriptor).join();
        channel.writeAndFlush(Rig.buffer("before"));
        Rig.awaitTrue("what came before", () -> rest.text().equals("before"));
        channel.write(
                new DescriptorMessage(
                        Rig.buffer("with"), List.of(PassedDescriptor.borrowed(number))));
        channel.writeAndFlush(Rig.buffer(" and after"));
        try (DescriptorMessage message = Rig.await(received)) {
            assertThat(message.content().readString(StandardCharsets.UTF_8)).startsWith("with");
            PassedDescriptor passed = message.descriptors().getFirst();
            assertThat(passed.number()).isNotEqualTo(number);
            Channel adopted =
                    new Bootstrap(rig.group)
                            .handler(ch -> ch.pipeline().addLast(new Echo()))
                            .adopt(passed)
                            .join();
            Rig.assertServed(peer);
            Rig.onLoop(given, given::detach);
            given.closeFuture().join();
            Rig.assertServed(peer); // the peer has seen neither an end nor a reset
            adopted.close().join();
        }
        channel.close().join();
    }

    @Test
    void channelOfOneHolderStaysOpenWhenItIsToDetach() throws Exception {
        Assumptions.assumeTrue(rig.group.transport().equals("nio"), "others can");
        Probe probe = new Probe();
        Socket peer = rig.connect(rig.listen(rig.server(ch -> ch.pipeline().addLast(probe))));
        Channel channel = Rig.await(probe.active);
        assertThatThrownBy(() -> channel.eventLoop().submit(channel::detach).join())
                .hasRootCauseInstanceOf(UnsupportedOperationException.class);
        assertThat(channel.isActive()).isTrue();
        peer.close();
    }

    @Test
    void descriptorsThatNobodyWantsAreClosed() {
        Assumptions.assumeFalse(rig.group.transport().equals("nio"), "native");
        echo();
        Probe probe = new Probe();
        Channel channel = connect(probe);
        int number = channel.eventLoop().submit(channel::descriptor).join();
        channel.writeAndFlush(
                new DescriptorMessage(
                        Rig.buffer("hello"), List.of(PassedDescriptor.borrowed(number))));
        Rig.awaitTrue("the echo", () -> probe.text().equals("hello"));
    }

    @Test
    void overTcpNoDescriptorsAreTaken() {
        Channel channel = rig.connectWeft(rig.listen(ch -> {}), ch -> {});
        Promise<Void> promise = channel.newPromise();
        channel.writeAndFlush(
                new DescriptorMessage(Rig.buffer("x"), List.of(PassedDescriptor.borrowed(0))),
                promise);
        assertThatThrownBy(promise::join).hasCauseInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void optionsOfTcpDoNotMatter() {
        rig.server(ch -> ch.pipeline().addLast(new Echo()))
                .childOption(ChannelOption.TCP_NODELAY, true)
                .childOption(ChannelOption.TCP_KEEPIDLE, 10)
                .bind(address)
                .join();
        connect(new Probe()).close().join();
    }

    @Test
    void aPathThatNobodyListensOnCannotBeReached() throws IOException {
        assertThatThrownBy(() -> connect(new Probe())).hasCauseInstanceOf(IOException.class);
        echo().close().join();
        assertThatThrownBy(() -> connect(new Probe())).hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(this::echo).hasCauseInstanceOf(IOException.class);
        Files.delete(((UnixDomainSocketAddress) address).getPath());
        echo();
        connect(new Probe());
    }

    /// A name too long for the kernel's structure is refused before anything is open: a descriptor
    /// or a slot that stayed would keep the loop from ending.
    @Test
    void aPathThatIsTooLongIsRefusedAndLeavesNothing() {
        address = UnixDomainSocketAddress.of(directory.resolve("x".repeat(200)));
        assertThatThrownBy(this::echo).hasCauseInstanceOf(IOException.class);
        assertThatThrownBy(() -> connect(new Probe())).hasCauseInstanceOf(IOException.class);
        DatagramBootstrap datagrams = new DatagramBootstrap(rig.group).handler(ch -> {});
        assertThatThrownBy(() -> datagrams.bind(address).join()).isNotNull();
        assertThatThrownBy(() -> datagrams.connect(address).join()).isNotNull();
    }

    @Test
    void anAddressWithoutSocketsIsRefusedWithThoseThatHaveSome() {
        DatagramBootstrap datagrams = new DatagramBootstrap(rig.group).handler(ch -> {});
        assertThatThrownBy(() -> datagrams.bind(LocalAddress.of("here")).join())
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: an InetSocketAddress");
        assertThatThrownBy(() -> rig.server(ch -> {}).bind(unresolved()).join())
                .hasCauseInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("(expected: one that is resolved)");
        if (rig.transport().equals("nio")) {
            address = UnixAbstractAddress.of("no abstract names");
            assertThatThrownBy(this::echo)
                    .hasCauseInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("io_uring and epoll");
        }
    }

    private static SocketAddress unresolved() {
        return InetSocketAddress.createUnresolved("name.test", 0);
    }

    @Test
    void datagramsOfTwoFamiliesAreRefusedAndLeaveNothing() {
        DatagramBootstrap datagrams = new DatagramBootstrap(rig.group).handler(ch -> {});
        assertThatThrownBy(() -> datagrams.connect(Rig.ANY_PORT, address).join()).isNotNull();
        assertThatThrownBy(() -> datagrams.connect(address, Rig.ANY_PORT).join()).isNotNull();
    }

    @Test
    void anOrderlyCloseIsNoResetThoughInputWasNotRead() throws IOException {
        Probe probe = new Probe();
        rig.server(ch -> ch.pipeline().addLast(probe))
                .childOption(ChannelOption.AUTO_READ, false)
                .childOption(ChannelOption.LINGER_TIMEOUT, Duration.ofMinutes(1))
                .bind(address)
                .join();
        try (SocketChannel peer = SocketChannel.open(address)) {
            peer.write(ByteBuffer.allocate(50_000));
            Channel channel = Rig.await(probe.active);
            channel.writeAndFlush(Rig.buffer("answer"));
            channel.close();
            ByteBuffer answer = ByteBuffer.allocate(100);
            while (peer.read(answer) >= 0) {
                // until the end, which is no reset
            }
            assertThat(answer.position()).isEqualTo("answer".length());
        }
        Rig.await(probe.ended);
    }
}
