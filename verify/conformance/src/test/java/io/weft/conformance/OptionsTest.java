package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.TcpInfo;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import jdk.net.ExtendedSocketOptions;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.opentest4j.TestAbortedException;

/// Every socket option is set on an open channel and read back from the kernel, and handed from a
/// listener to its connections.
@EveryTransport
class OptionsTest {
    private static final int SOL_SOCKET = 1;
    private static final int SO_OOBINLINE = 10;

    private final Rig rig;

    OptionsTest(String transport) throws IOException {
        rig = Rig.ofSockets(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// An option and a value that is not its default.
    record Case<T>(ChannelOption<T> option, T value, boolean everywhere) {
        @Override
        public String toString() {
            return option.name();
        }
    }

    private static <T> Case<T> of(ChannelOption<T> option, T value) {
        return new Case<>(option, value, true);
    }

    private static <T> Case<T> nativeOnly(ChannelOption<T> option, T value) {
        return new Case<>(option, value, false);
    }

    static List<Case<?>> ofConnections() {
        return List.of(
                of(ChannelOption.SO_KEEPALIVE, true),
                of(ChannelOption.SO_REUSEADDR, true),
                of(ChannelOption.SO_LINGER, 7),
                of(ChannelOption.IP_TOS, 0x10),
                of(ChannelOption.TCP_NODELAY, false),
                of(ChannelOption.TCP_KEEPIDLE, 77),
                of(ChannelOption.TCP_KEEPINTVL, 11),
                of(ChannelOption.TCP_KEEPCNT, 3),
                of(ChannelOption.TCP_QUICKACK, false),
                nativeOnly(ChannelOption.SO_BUSY_POLL, 25),
                nativeOnly(ChannelOption.SO_PRIORITY, 3),
                nativeOnly(ChannelOption.SO_MARK, 9),
                nativeOnly(ChannelOption.IP_TTL, 33),
                nativeOnly(ChannelOption.IP_FREEBIND, true),
                nativeOnly(ChannelOption.IP_TRANSPARENT, true),
                nativeOnly(ChannelOption.IP_BIND_ADDRESS_NO_PORT, true),
                nativeOnly(ChannelOption.TCP_CORK, true),
                nativeOnly(ChannelOption.TCP_NOTSENT_LOWAT, 16_384),
                nativeOnly(ChannelOption.TCP_USER_TIMEOUT, 12_345),
                nativeOnly(ChannelOption.TCP_CONGESTION, "reno"),
                nativeOnly(ChannelOption.ofInt("SO_OOBINLINE", SOL_SOCKET, SO_OOBINLINE), 1));
    }

    private boolean isNio() {
        return rig.group.transport().equals("nio");
    }

    @ParameterizedTest
    @MethodSource("ofConnections")
    <T> void isSetAndReadBack(Case<T> example) {
        Assumptions.assumeTrue(example.everywhere || !isNio(), "native");
        SocketAddress address = rig.listen(ch -> {});
        Channel channel = rig.connectWeft(address, ch -> {});
        assertThat(setAndGet(channel, example)).isEqualTo(example.value);
    }

    private static <T> T setAndGet(Channel channel, Case<T> example) {
        return onLoop(
                channel,
                () -> {
                    try {
                        channel.setOption(example.option, example.value);
                    } catch (SocketException e) {
                        Assumptions.abort(e.getMessage()); // the kernel has its reasons
                    }
                    return channel.getOption(example.option);
                });
    }

    private static <T> T onLoop(Channel channel, Callable<T> task) {
        try {
            return channel.eventLoop().submit(task).join();
        } catch (CompletionException e) {
            if (e.getCause() instanceof TestAbortedException aborted) {
                throw aborted;
            }
            throw e;
        }
    }

    @Test
    void anyOptionOfTheJdkIsForNio() {
        ChannelOption<Boolean> dontFragment =
                ChannelOption.of(ExtendedSocketOptions.IP_DONTFRAGMENT);
        Channel channel =
                new DatagramBootstrap(rig.group)
                        .handler(ch -> {})
                        .option(dontFragment, true)
                        .bind(Rig.ANY_PORT)
                        .join();
        if (isNio()) {
            assertThat(onLoop(channel, () -> channel.getOption(dontFragment))).isTrue();
            assertThat(setAndGet(channel, of(dontFragment, false))).isFalse();
        } else {
            assertThatThrownBy(() -> onLoop(channel, () -> channel.getOption(dontFragment)))
                    .hasCauseInstanceOf(UnsupportedOperationException.class);
        }
    }

    static List<Case<?>> inherited() {
        return List.of(
                of(ChannelOption.SO_KEEPALIVE, true),
                of(ChannelOption.TCP_NODELAY, true),
                of(ChannelOption.TCP_NODELAY, false),
                of(ChannelOption.TCP_KEEPIDLE, 77),
                nativeOnly(ChannelOption.TCP_USER_TIMEOUT, 12_345),
                nativeOnly(ChannelOption.TCP_CONGESTION, "reno"));
    }

    @ParameterizedTest
    @MethodSource("inherited")
    <T> void aChildOptionIsEveryConnections(Case<T> example) throws IOException {
        Assumptions.assumeTrue(example.everywhere || !isNio(), "native");
        Probe probe = new Probe();
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(probe))
                                .childOption(example.option, example.value));
        rig.connect(address);
        Channel channel = Rig.await(probe.active);
        assertThat(onLoop(channel, () -> channel.getOption(example.option)))
                .isEqualTo(example.value);
    }

    /// The kernel hands options down from the listener, or the engine sets them.
    @ParameterizedTest
    @MethodSource("ofConnections")
    <T> void whatAChildIsToHaveItHas(Case<T> example) throws IOException {
        Assumptions.assumeTrue(example.everywhere || !isNio(), "native");
        Probe probe = new Probe();
        ServerChannel server;
        try {
            server =
                    rig.listener(
                            rig.server(ch -> ch.pipeline().addLast(probe))
                                    .childOption(example.option, example.value));
        } catch (CompletionException e) {
            Assumptions.abort(e.getMessage()); // the kernel has its reasons
            return;
        }
        rig.connect(server.localAddress());
        Channel channel = Rig.await(probe.active);
        assertThat(onLoop(channel, () -> channel.getOption(example.option)))
                .isEqualTo(example.value);
    }

    @Test
    void hopsAreThoseOfBothFamilies() {
        Assumptions.assumeFalse(isNio(), "native");
        ChannelOption<Integer> ofIpv6 = ChannelOption.ofInt("IPV6_UNICAST_HOPS", 41, 16);
        Channel channel =
                new DatagramBootstrap(rig.group)
                        .handler(ch -> {})
                        .option(ChannelOption.IP_TTL, 33)
                        .bind(new InetSocketAddress(InetAddress.ofLiteral("0.0.0.0"), 0))
                        .join();
        assertThat(onLoop(channel, () -> channel.getOption(ChannelOption.IP_TTL))).isEqualTo(33);
        assertThat(onLoop(channel, () -> channel.getOption(ofIpv6))).isEqualTo(33);
    }

    @Test
    void nagleIsOffUnlessAskedFor() throws IOException {
        Probe probe = new Probe();
        rig.connect(rig.listen(ch -> ch.pipeline().addLast(probe)));
        Channel channel = Rig.await(probe.active);
        assertThat(onLoop(channel, () -> channel.getOption(ChannelOption.TCP_NODELAY))).isTrue();
    }

    @Test
    void buffersAreAtLeastAsLargeAsAskedFor() {
        Channel channel = rig.connectWeft(rig.listen(ch -> {}), ch -> {});
        for (var option : List.of(ChannelOption.SO_SNDBUF, ChannelOption.SO_RCVBUF)) {
            assertThat(setAndGet(channel, of(option, 100_000))).isGreaterThanOrEqualTo(100_000);
        }
    }

    static List<Case<?>> ofListeners() {
        return List.of(
                of(ChannelOption.SO_REUSEADDR, true),
                of(ChannelOption.SO_REUSEADDR, false),
                of(ChannelOption.SO_REUSEPORT, true),
                nativeOnly(ChannelOption.SO_INCOMING_CPU, 1),
                nativeOnly(ChannelOption.TCP_FASTOPEN, 16),
                nativeOnly(ChannelOption.TCP_DEFER_ACCEPT, 1),
                nativeOnly(ChannelOption.IP_FREEBIND, true));
    }

    @ParameterizedTest
    @MethodSource("ofListeners")
    <T> void aListenerHasIt(Case<T> example) {
        Assumptions.assumeTrue(example.everywhere || !isNio(), "native");
        ServerChannel server =
                rig.listener(rig.server(ch -> {}).option(example.option, example.value));
        assertThat(server.eventLoop().submit(() -> server.getOption(example.option)).join())
                .isEqualTo(example.value);
    }

    @Test
    void manyListenersShareAPort() throws IOException {
        var bootstrap =
                rig.server(ch -> ch.pipeline().addLast(new Echo()))
                        .option(ChannelOption.SO_REUSEPORT, true);
        ServerChannel first = bootstrap.bind(Rig.ANY_PORT).join();
        ServerChannel second = bootstrap.bind(first.localAddress()).join();
        assertThat(second.localAddress()).isEqualTo(first.localAddress());
        for (int i = 0; i < 20; i++) {
            Rig.assertServed(rig.connect(second.localAddress()));
        }
    }

    @Test
    void eachLoopMayListenForItself() throws IOException {
        try (EventLoopGroup group = EventLoopGroup.create(rig.group.transport(), 3)) {
            Set<EventLoop> serving = ConcurrentHashMap.newKeySet();
            ServerBootstrap bootstrap =
                    new ServerBootstrap(group)
                            .childHandler(
                                    ch -> {
                                        serving.add(ch.eventLoop());
                                        ch.pipeline().addLast(new Echo());
                                    });
            List<ServerChannel> servers = bootstrap.bindOnEachLoop(Rig.ANY_PORT).join();
            assertThat(servers).extracting(ServerChannel::eventLoop).isEqualTo(group.loops());
            assertThat(servers)
                    .extracting(ServerChannel::localAddress)
                    .containsOnly(servers.getFirst().localAddress());
            for (int i = 0; i < 64; i++) {
                Rig.assertServed(rig.connect(servers.getFirst().localAddress()));
            }
            assertThat(serving).hasSizeGreaterThan(1); // which ones, the kernel's hash decides
        }
    }

    @Test
    void whatIsSentAtOnceTravelsWithTheConnect() throws IOException {
        Assumptions.assumeFalse(isNio(), "native");
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(new Echo()))
                                .option(ChannelOption.TCP_FASTOPEN, 16));
        for (int i = 0; i < 3; i++) { // the first fetches the cookie
            Probe probe = new Probe();
            Channel channel =
                    new Bootstrap(rig.group)
                            .option(ChannelOption.TCP_FASTOPEN_CONNECT, true)
                            .handler(ch -> ch.pipeline().addLast(probe))
                            .connect(address)
                            .join();
            channel.writeAndFlush(Rig.buffer("early"));
            Rig.awaitTrue("the answer", () -> probe.text().equals("early"));
        }
    }

    @Test
    void theKernelTellsWhatItKnowsOfAConnection() throws IOException {
        Assumptions.assumeFalse(isNio(), "native");
        Probe probe = new Probe();
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(probe));
        Rig.send(rig.connect(address), "x");
        Channel channel = Rig.await(probe.active);
        Rig.awaitTrue("a byte", () -> probe.text().equals("x"));
        TcpInfo info = onLoop(channel, () -> channel.getOption(ChannelOption.TCP_INFO));
        assertThat(info.state()).isEqualTo(1);
        assertThat(info.sndMss()).isPositive();
        assertThat(info.sndCwnd()).isPositive();
        assertThat(info.bytesReceived()).isEqualTo(1);
        assertThat(info.segsIn()).isPositive();
        assertThatThrownBy(
                        () ->
                                onLoop(
                                        channel,
                                        () -> {
                                            channel.setOption(ChannelOption.TCP_INFO, info);
                                            return null;
                                        }))
                .hasCauseInstanceOf(UnsupportedOperationException.class);
    }

    @Test
    void peersThatSignAreHeard() throws IOException {
        Assumptions.assumeFalse(isNio(), "native");
        Map<InetAddress, byte[]> keys =
                Map.of(InetAddress.getLoopbackAddress(), new byte[] {1, 2, 3});
        ServerChannel server;
        try {
            server =
                    rig.listener(
                            rig.server(ch -> ch.pipeline().addLast(new Echo()))
                                    .option(ChannelOption.TCP_MD5SIG, keys));
        } catch (CompletionException e) {
            Assumptions.abort(e.getMessage()); // a kernel without signatures
            return;
        }
        Probe probe = new Probe();
        Channel client =
                new Bootstrap(rig.group)
                        .option(ChannelOption.TCP_MD5SIG, keys)
                        .handler(ch -> ch.pipeline().addLast(probe))
                        .connect(server.localAddress())
                        .join();
        client.writeAndFlush(Rig.buffer("signed"));
        Rig.awaitTrue("the answer", () -> probe.text().equals("signed"));
    }

    @Test
    void whatTheKernelRefusesFailsTheConnect() {
        Assumptions.assumeFalse(isNio(), "native");
        var connect =
                new Bootstrap(rig.group)
                        .option(ChannelOption.TCP_CONGESTION, "no-such")
                        .handler(ch -> {})
                        .connect(rig.listen(ch -> {}));
        assertThatThrownBy(connect::join)
                .hasCauseInstanceOf(SocketException.class)
                .hasMessageContaining("TCP_CONGESTION");
    }

    @Test
    void whatThisTransportDoesNotHaveIsRefusedByAnOpenChannel() {
        Channel channel =
                rig.connectWeft(
                        rig.listen(ch -> {}),
                        ch -> {
                            // UDP_GRO is no option of TCP
                        });
        assertThatThrownBy(
                        () ->
                                onLoop(
                                        channel,
                                        () -> {
                                            channel.setOption(ChannelOption.UDP_GRO, true);
                                            return null;
                                        }))
                .hasCauseInstanceOf(UnsupportedOperationException.class);
    }
}
