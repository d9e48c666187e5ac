package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Future;
import io.weft.resolver.names.NameResolver;
import java.io.IOException;
import java.net.BindException;
import java.net.ConnectException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.RejectedExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// Addresses, and connections that come about or do not.
@EveryTransport
class ConnectTest {
    private final Rig rig;

    ConnectTest(String transport) throws IOException {
        rig = new Rig(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private static Throwable causeOf(Future<?> future) {
        Throwable thrown = catchThrowable(future::join);
        assertThat(thrown).isInstanceOf(CompletionException.class);
        return thrown.getCause();
    }

    @Test
    void aBootstrapOfALoopConnectsOnIt() {
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(new Echo()));
        EventLoop loop = rig.group.next();
        for (int i = 0; i < 3; i++) {
            Channel client = new Bootstrap(loop).handler(ch -> {}).connect(address).join();
            assertThat(client.eventLoop()).isSameAs(loop);
            client.abort().join();
        }
    }

    @Test
    void bothSidesKnowTheirAddresses() {
        Probe server = new Probe();
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(server));
        Channel client = rig.connectWeft(address, ch -> ch.pipeline().addLast(new Probe()));
        Channel accepted = Rig.await(server.active);
        SocketAddress[] seen = new SocketAddress[4];
        Rig.onLoop(
                client,
                () -> {
                    seen[0] = client.localAddress();
                    seen[1] = client.remoteAddress();
                });
        Rig.onLoop(
                accepted,
                () -> {
                    seen[2] = accepted.remoteAddress();
                    seen[3] = accepted.localAddress();
                });
        assertThat(seen[0]).isNotNull().isEqualTo(seen[2]);
        assertThat(seen[1]).isEqualTo(address).isEqualTo(seen[3]);
    }

    private static int port(SocketAddress address) {
        return ((InetSocketAddress) address).getPort();
    }

    @Test
    void aNameIsResolvedElsewhereThanOnTheLoop() {
        Rig.assumeSockets(rig.transport());
        int port = port(rig.listen(ch -> ch.pipeline().addLast(new Probe())));
        Channel client =
                new Bootstrap(rig.group).handler(ch -> {}).connect("localhost", port).join();
        assertThat(client.isActive()).isTrue();
        Channel byText =
                new Bootstrap(rig.group).handler(ch -> {}).connect("127.0.0.1", port).join();
        assertThat(byText.isActive()).isTrue();
        client.close().join();
        byText.close().join();
    }

    @Test
    void ofSeveralAddressesTheOneThatAnswersIsTaken() throws IOException {
        Rig.assumeSockets(rig.transport());
        int port = port(rig.listen(ch -> ch.pipeline().addLast(new Probe())));
        InetAddress good = InetAddress.getLoopbackAddress();
        InetAddress bad = InetAddress.getByAddress(new byte[] {127, 0, 0, 2});
        Channel client =
                new Bootstrap(rig.group)
                        .handler(ch -> {})
                        .resolver(
                                NameResolver.of(
                                        (_, executor) ->
                                                executor.<List<InetAddress>>newPromise()
                                                        .setSuccess(List.of(bad, good))))
                        .connect(InetSocketAddress.createUnresolved("two.test", port))
                        .join();
        assertThat(client.isActive()).isTrue();
        client.close().join();
    }

    @Test
    void aNameNobodyKnowsFails() {
        Future<Channel> connecting =
                new Bootstrap(rig.group)
                        .handler(ch -> {})
                        .resolver(
                                NameResolver.of(
                                        (host, executor) ->
                                                executor.<List<InetAddress>>newPromise()
                                                        .setFailure(
                                                                new UnknownHostException(host))))
                        .connect("nobody.test", 1);
        assertThat(causeOf(connecting))
                .isInstanceOf(UnknownHostException.class)
                .hasMessage("nobody.test");
    }

    @Test
    void portZeroBindsToAFreePort() {
        SocketAddress address = rig.listen(ch -> {});
        assertThat(address).isNotEqualTo(rig.listen(ch -> {}));
        if (address instanceof InetSocketAddress inet) {
            assertThat(inet.getPort()).isPositive();
        }
    }

    @Test
    void aConnectToWhereNobodyListensFails() throws IOException {
        Probe probe = new Probe();
        SocketAddress gone = rig.listenedOnce();
        Future<Channel> connect =
                new Bootstrap(rig.group).handler(ch -> ch.pipeline().addLast(probe)).connect(gone);
        assertThat(causeOf(connect))
                .isInstanceOf(ConnectException.class)
                .hasMessageContaining("connect " + gone);
        assertThat(probe.actives).hasValue(0);
    }

    @Test
    void aConnectWhoseInitializerThrowsFails() {
        SocketAddress address = rig.listen(ch -> {});
        IllegalStateException thrown = new IllegalStateException("no handlers today");
        Future<Channel> connect =
                new Bootstrap(rig.group)
                        .handler(
                                ch -> {
                                    throw thrown;
                                })
                        .connect(address);
        assertThat(causeOf(connect)).isSameAs(thrown);
    }

    @Test
    void aGroupThatHasEndedFailsWhatItIsAskedFor() {
        SocketAddress address = rig.listen(ch -> {});
        Rig.await(rig.group.shutdownGracefully().toCompletableFuture());
        assertThat(causeOf(new Bootstrap(rig.group).handler(ch -> {}).connect(address)))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(causeOf(rig.server(ch -> {}).bind(address)))
                .isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void aCancelledConnectLeavesNothing() {
        SocketAddress address = rig.listen(ch -> {});
        for (int i = 0; i < 50; i++) {
            Future<Channel> connect = new Bootstrap(rig.group).handler(ch -> {}).connect(address);
            if (!connect.cancel()) {
                connect.join().close().join();
            }
        }
    }

    @Test
    void aThousandConnectionsAtOnceAreAllServed() throws IOException {
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(new Echo()));
        List<Future<Channel>> storm = new ArrayList<>();
        List<Probe> probes = new ArrayList<>();
        for (int i = 0; i < 1_000; i++) {
            Probe probe = new Probe();
            probes.add(probe);
            storm.add(
                    new Bootstrap(rig.group)
                            .option(
                                    ChannelOption.CONNECT_TIMEOUT,
                                    Duration.ofSeconds(Rig.PATIENCE_SECONDS))
                            .handler(ch -> ch.pipeline().addLast(probe))
                            .connect(address));
        }
        for (int i = 0; i < 1_000; i++) {
            Channel channel = storm.get(i).join();
            channel.writeAndFlush(Rig.buffer("x"));
            Probe probe = probes.get(i);
            Rig.awaitTrue("answered", () -> !probe.texts.isEmpty());
            if (i % 2 == 0) {
                channel.abort();
            }
        }
        Rig.assertServed(rig.connect(address));
    }

    @Test
    void anAddressThatIsTakenCannotBeBound() {
        Future<ServerChannel> bind = rig.server(ch -> {}).bind(rig.listen(ch -> {}));
        assertThat(causeOf(bind)).isInstanceOf(BindException.class);
    }

    @Test
    void aClosedListenerGivesItsPortBack() throws IOException {
        Assumptions.assumeFalse(
                rig.transport().equals("udt"),
                "a UDP port is in use until the connections over it have ended");
        ServerChannel first = rig.listener(rig.server(ch -> ch.pipeline().addLast(new Echo())));
        Rig.assertServed(rig.connect(first.localAddress()));
        first.close().join();
        ServerChannel second =
                rig.server(ch -> ch.pipeline().addLast(new Echo()))
                        .bind(first.localAddress())
                        .join();
        assertThat(second.localAddress()).isEqualTo(first.localAddress());
        Rig.assertServed(rig.connect(second.localAddress()));
    }

    @Test
    void theWildcardAddressMeansIpv4AndIpv6() throws IOException {
        Rig.assumeSockets(rig.transport());
        ServerChannel server =
                rig.server(ch -> ch.pipeline().addLast(new Echo()))
                        .bind(new InetSocketAddress(0))
                        .join();
        int port = ((InetSocketAddress) server.localAddress()).getPort();
        Rig.assertServed(
                rig.connect(new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port)));
        boolean ipv6 =
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .anyMatch(a -> a instanceof Inet6Address && a.isLoopbackAddress());
        Assumptions.assumeTrue(ipv6, "no IPv6 loopback address here");
        Rig.assertServed(rig.connect(new InetSocketAddress(InetAddress.ofLiteral("::1"), port)));
    }
}
