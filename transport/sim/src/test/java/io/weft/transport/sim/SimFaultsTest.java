package io.weft.transport.sim;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.DatagramBootstrap;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.SocketException;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Each fault where the script wants it.
class SimFaultsTest {
    private final Simulation sim = new Simulation(7, Faults.none());
    private final SimHost server = sim.host("server");
    private final SimHost client = sim.host("client");

    @AfterEach
    void close() {
        sim.close();
    }

    private void serve(ScriptedPeer... peers) {
        List<ScriptedPeer> next = new ArrayList<>(List.of(peers));
        sim.await(
                new ServerBootstrap(server.group(1))
                        .childOption(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .childHandler(ch -> ch.pipeline().addLast(next.removeFirst()))
                        .bind(server.address(7)));
    }

    private Future<Channel> connect(ScriptedPeer peer) {
        return new Bootstrap(client.group(1))
                .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                .handler(ch -> ch.pipeline().addLast(peer))
                .connect(server.address(7));
    }

    @Test
    void peersDoWhatTheirScriptsSay() {
        var serving =
                new ScriptedPeer()
                        .expects("PING")
                        .sends("PO")
                        .waits(Duration.ofSeconds(1))
                        .sends("NG")
                        .expectsEnd()
                        .closes();
        var asking = new ScriptedPeer().sends("PING").expects("PONG").endsOutput().expectsClose();
        serve(serving);
        connect(asking);
        sim.run(Duration.ofMillis(500));
        assertThat(asking.unexpected()).isEqualTo("PO");
        sim.run(Duration.ofSeconds(2));
        serving.check();
        asking.check();
    }

    /// A client whose connection lingers on the other side, because it does not end.
    private ScriptedPeer keepOpen() {
        var keeping = new ScriptedPeer().expects("BYE").waits(Duration.ofMinutes(1));
        connect(keeping);
        sim.run(Duration.ofMillis(500));
        assertThat(keeping.done()).isEqualTo(1);
        assertThat(server.descriptors()).isEqualTo(2);
        return keeping;
    }

    @Test
    void aChannelThatLingersGivesItsDescriptorToAnAcceptedOne() {
        serve(new ScriptedPeer().sends("BYE").closes(), new ScriptedPeer().sends("HELLO"));
        keepOpen();
        server.descriptorLimit(2);
        var next = new ScriptedPeer().expects("HELLO");
        connect(next);
        sim.run(Duration.ofMillis(20));
        next.check();
    }

    @Test
    void aLoopsEndDoesNotResetAChannelThatLingers() {
        EventLoopGroup group = server.group(1);
        sim.await(
                new ServerBootstrap(group)
                        .childHandler(
                                ch ->
                                        ch.pipeline()
                                                .addLast(new ScriptedPeer().sends("BYE").closes()))
                        .bind(server.address(7)));
        ScriptedPeer keeping = keepOpen().expectsEnd();
        group.shutdownGracefully(Duration.ofMillis(100));
        sim.run(Duration.ofMillis(101));
        assertThat(server.descriptors()).isZero();
        sim.run(Duration.ofMinutes(2));
        keeping.check();
    }

    @Test
    void aScriptThatIsNotKeptFails() {
        var serving = new ScriptedPeer().expects("PING");
        serve(serving);
        connect(new ScriptedPeer().sends("PONG"));
        sim.run(Duration.ofSeconds(1));
        assertThatThrownBy(serving::check)
                .isInstanceOf(AssertionError.class)
                .hasRootCauseMessage("arrived: PONG (expected: PING)");
    }

    @Test
    void withoutADescriptorTheListenerWaitsForOne() {
        server.descriptorLimit(2);
        var first = new ScriptedPeer().expects("first");
        var second = new ScriptedPeer().expects("second");
        serve(first, second);
        Channel holder = sim.await(connect(new ScriptedPeer().sends("first")));
        sim.run(Duration.ofSeconds(1));
        connect(new ScriptedPeer().sends("second"));
        sim.run(Duration.ofMinutes(1));
        first.check();
        assertThat(second.done()).isZero();
        holder.abort();
        sim.run(Duration.ofMillis(20));
        second.check();
    }

    @Test
    void aListenerThatClosesLeavesItsDescriptorToAnother() {
        server.descriptorLimit(2);
        var serving = new ScriptedPeer().expects("late");
        serve(serving);
        var other =
                sim.await(
                        new ServerBootstrap(server.group(1))
                                .childHandler(_ -> {})
                                .bind(server.address(8)));
        connect(new ScriptedPeer().sends("late"));
        sim.run(Duration.ofMinutes(1).plusMillis(500)); // it tries once a second
        assertThat(serving.done()).isZero();
        other.close();
        sim.run(Duration.ofMillis(20));
        serving.check();
    }

    @Test
    void asManyAreAcceptedAsWereClosed() {
        server.descriptorLimit(11);
        List<ScriptedPeer> all = new ArrayList<>();
        for (int i = 0; i < 20; i++) {
            all.add(new ScriptedPeer().expects("x"));
        }
        serve(all.toArray(ScriptedPeer[]::new));
        List<Channel> served = new ArrayList<>();
        for (int i = 0; i < 10; i++) {
            served.add(sim.await(connect(new ScriptedPeer().sends("x"))));
        }
        sim.run(Duration.ofSeconds(1));
        for (int i = 0; i < 10; i++) {
            connect(new ScriptedPeer().sends("x"));
        }
        sim.run(Duration.ofMinutes(1).plusMillis(500));
        assertThat(all.get(10).done()).isZero();
        served.forEach(Channel::abort);
        sim.run(Duration.ofMillis(20));
        all.forEach(ScriptedPeer::check);
    }

    @Test
    void anAcceptThatFailsIsTriedAgain() {
        server.failNext(Fault.ACCEPT_EMFILE, 3).failNext(Fault.ACCEPT_ENOMEM, 3);
        var serving = new ScriptedPeer().expects("late");
        serve(serving);
        connect(new ScriptedPeer().sends("late"));
        sim.run(Duration.ofSeconds(5));
        serving.check();
    }

    @Test
    void aSendWithoutBuffersEndsItsConnectionOnly() {
        var served = new ScriptedPeer().expects("x");
        serve(new ScriptedPeer(), served);
        Channel channel = sim.await(connect(new ScriptedPeer()));
        client.failNext(Fault.SEND_ENOBUFS, 1);
        Promise<Void> sent = channel.newPromise();
        channel.writeAndFlush(BufferAllocator.pooled().allocate(1).writeAscii("x"), sent);
        sim.run(Duration.ofSeconds(1));
        assertThat(sent.cause()).isNotNull();
        assertThat(channel.isOpen()).isFalse();
        connect(new ScriptedPeer().sends("x"));
        sim.run(Duration.ofSeconds(1));
        served.check();
    }

    @Test
    void aPartitionStallsAConnectionAndBreaksItAfterAQuarterOfAnHour() {
        var serving = new ScriptedPeer().expects("one").expects("two").expectsClose();
        serve(serving);
        Channel channel = sim.await(connect(new ScriptedPeer().sends("one")));
        sim.run(Duration.ofSeconds(1));
        sim.network().partition(client, server);
        channel.writeAndFlush(BufferAllocator.pooled().allocate(3).writeAscii("two"));
        sim.run(Duration.ofMinutes(14));
        assertThat(serving.done()).isEqualTo(1);
        sim.network().heal(client, server);
        sim.run(Duration.ofSeconds(1));
        assertThat(serving.done()).isEqualTo(2);
        sim.network().partition(client, server);
        channel.writeAndFlush(BufferAllocator.pooled().allocate(5).writeAscii("three"));
        sim.run(Duration.ofMinutes(16));
        assertThat(channel.isOpen()).isFalse();
    }

    @Test
    void aConnectAcrossAPartitionTimesOut() {
        serve();
        sim.network().partition(client, server);
        Future<Channel> connect = connect(new ScriptedPeer());
        sim.run(Duration.ofSeconds(11));
        assertThat(connect.cause()).isInstanceOf(SocketTimeoutException.class);
        assertThat(client.descriptors()).isZero();
    }

    @Test
    void aLostSynIsSentAgain() {
        serve(new ScriptedPeer());
        client.failNext(Fault.LOSE_SYN, 2);
        Future<Channel> connect = connect(new ScriptedPeer());
        sim.run(Duration.ofMillis(2_900));
        assertThat(connect.isDone()).isFalse();
        sim.run(Duration.ofMillis(200));
        assertThat(connect.join().isActive()).isTrue();
    }

    @Test
    void bytesStallWhereTheScriptWantsIt() {
        sim.network().onConnection(c -> c.stallAfter(SimConnection.End.CLIENT, 3));
        var serving = new ScriptedPeer().expects("hel");
        serve(serving);
        connect(new ScriptedPeer().sends("hello"));
        sim.run(Duration.ofMinutes(1));
        serving.check();
        assertThat(serving.unexpected()).isEmpty();
    }

    @Test
    void aLeapOfTheClockRunsEachTimerOnceAndNoneEarly() {
        List<Duration> ran = new ArrayList<>();
        var loop = server.group(1).next();
        loop.execute(
                () -> {
                    for (int seconds = 1; seconds <= 3; seconds++) {
                        loop.schedule(() -> ran.add(sim.elapsed()), seconds, TimeUnit.SECONDS);
                    }
                });
        sim.run(Duration.ofMillis(500));
        sim.jump(Duration.ofHours(1));
        sim.run(Duration.ofHours(1));
        assertThat(ran).hasSize(3).allMatch(time -> time.toMinutes() == 60);
    }

    @Test
    void aLeapBeyondTheEndOfARunEndsIt() {
        sim.faults(Faults.none().jumps(Duration.ofSeconds(1), Duration.ofHours(1)));
        for (int i = 0; i < 100; i++) {
            sim.run(Duration.ofSeconds(1));
        }
        assertThat(sim.elapsed()).isGreaterThan(Duration.ofHours(1));
    }

    @Test
    void whoSpinsIsFoundOut() {
        var loop = server.group(1).next();
        boolean[] stop = new boolean[1];
        Runnable spinning =
                new Runnable() {
                    @Override
                    public void run() {
                        if (!stop[0]) {
                            // Once a round; as a task it would run as often as a round lets it.
                            loop.schedule(this, 0, TimeUnit.NANOSECONDS);
                        }
                    }
                };
        loop.execute(spinning);
        assertThatThrownBy(() -> sim.run(Duration.ofSeconds(1)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("spins")
                .hasMessageContaining("-Dio.weft.simulation.seed=7");
        stop[0] = true;
    }

    // ---- datagrams ----

    private Channel inbox(List<String> received) {
        return sim.await(
                new DatagramBootstrap(server.group(1))
                        .handler(
                                ch ->
                                        ch.pipeline()
                                                .addLast(
                                                        new ChannelHandler() {
                                                            @Override
                                                            public void channelRead(
                                                                    ChannelHandlerContext ctx,
                                                                    Object message) {
                                                                try (var datagram =
                                                                        (Datagram) message) {
                                                                    received.add(
                                                                            datagram.content()
                                                                                    .readString(
                                                                                            StandardCharsets
                                                                                                    .US_ASCII));
                                                                }
                                                            }
                                                        }))
                        .bind(server.address(53)));
    }

    private void send(int count) {
        Channel channel =
                sim.await(
                        new DatagramBootstrap(client.group(1))
                                .handler(_ -> {})
                                .connect(server.address(53)));
        for (int i = 0; i < count; i++) {
            String text = "datagram " + i;
            channel.writeAndFlush(
                    BufferAllocator.pooled().allocate(text.length()).writeAscii(text));
        }
        sim.run(Duration.ofSeconds(1));
    }

    @Test
    void datagramsArrive() {
        List<String> received = new ArrayList<>();
        inbox(received);
        send(3);
        assertThat(received).containsExactly("datagram 0", "datagram 1", "datagram 2");
    }

    @Test
    void datagramsAreLostAndDoubledWhereTheScriptWantsIt() {
        List<String> received = new ArrayList<>();
        inbox(received);
        client.failNext(Fault.LOSE_DATAGRAM, 1);
        send(2);
        assertThat(received).containsExactly("datagram 1");
        client.failNext(Fault.DUPLICATE_DATAGRAM, 1);
        send(1);
        assertThat(received).containsExactly("datagram 1", "datagram 0", "datagram 0");
    }

    @Test
    void datagramsOvertakeEachOther() {
        List<String> received = new ArrayList<>();
        inbox(received);
        sim.faults(Faults.none().with(Fault.LATE_DATAGRAM, 0.5));
        send(100);
        assertThat(received).hasSize(100).isNotEqualTo(received.stream().sorted().toList());
    }

    @Test
    void aSocketThatCannotBeHadFailsItsBootstrap() {
        client.failNext(Fault.SOCKET_EMFILE, 1);
        Future<Channel> connect = connect(new ScriptedPeer());
        sim.run(Duration.ofSeconds(1));
        assertThat(connect.cause())
                .isInstanceOf(SocketException.class)
                .hasMessageContaining("Too many open files");
    }
}
