package io.weft.transport.udt;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.SplittableRandom;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Servers on real sockets under floods and forged packets, and peers that vanish.
@Timeout(300)
class UdtAbuseTest {
    private static final long COUNT = 200_000;

    private final EventLoopGroup group = EventLoopGroup.create("nio", 1);
    private final SplittableRandom random =
            new SplittableRandom(Long.getLong("io.weft.test.seed", 1));

    @AfterEach
    void close() {
        group.close();
    }

    private InetSocketAddress listen(UdtLimits limits) {
        InetSocketAddress any = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
        ServerChannel server =
                new ServerBootstrap(group)
                        .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                        .bind(UdtAddress.of(any).with(limits))
                        .join();
        return ((UdtAddress) server.localAddress()).socket();
    }

    private Channel connect(InetSocketAddress to, Asker asker) {
        return new Bootstrap(group).handler(asker.initializer()).connect(UdtAddress.of(to)).join();
    }

    private void assertServes(InetSocketAddress at) throws Exception {
        Asker asker = new Asker(false, COUNT);
        Channel client = connect(at, asker);
        assertThat(asker.answered.get(60, TimeUnit.SECONDS)).isEqualTo(COUNT);
        client.close().join();
    }

    private static byte[] handshake(int request, int cookie, int socket) {
        return ByteBuffer.allocate(64)
                .putInt(0x8000_0000)
                .putInt(0)
                .putInt(0)
                .putInt(0)
                .putInt(4) // version
                .putInt(1) // a stream
                .putInt(1)
                .putInt(1500)
                .putInt(8192)
                .putInt(request)
                .putInt(socket)
                .putInt(cookie)
                .array();
    }

    private static void send(DatagramSocket from, byte[] bytes, InetSocketAddress to)
            throws Exception {
        from.send(new DatagramPacket(bytes, bytes.length, to));
    }

    @Test
    void handshakeFloodKeepsNoClientOutAndIsNotAmplified() throws Exception {
        InetSocketAddress at = listen(UdtLimits.DEFAULT.withConnections(2));
        try (DatagramSocket flood = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            int sent = 0;
            for (int i = 1; i <= 2_000; i++) {
                byte[] packet =
                        i % 2 == 0
                                ? handshake(1, 0, i)
                                : handshake(-1, random.nextInt(), i); // a cookie that is guessed
                send(flood, packet, at);
                sent += packet.length;
            }
            assertServes(at);
            flood.setSoTimeout(200);
            int answered = 0;
            byte[] room = new byte[65_536];
            try {
                for (; ; ) {
                    DatagramPacket answer = new DatagramPacket(room, room.length);
                    flood.receive(answer);
                    answered += answer.getLength();
                }
            } catch (SocketTimeoutException e) {
                assertThat(answered).isLessThanOrEqualTo(sent);
            }
        }
        assertServes(at);
        assertServes(at);
    }

    @Test
    void forgedPacketsFromElsewhereEndNoConnection() throws Exception {
        InetSocketAddress at = listen(UdtLimits.DEFAULT);
        Asker asker = new Asker(false, 20 * COUNT);
        Channel client = connect(at, asker);
        try (DatagramSocket forger = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            for (int i = 0; i < 2_000; i++) {
                byte[] bytes = new byte[random.nextInt(1, 200)];
                random.nextBytes(bytes);
                ByteBuffer packet = ByteBuffer.wrap(bytes);
                if (bytes.length >= 16) {
                    // A type of control, data or anything, for ids that are likely at first.
                    packet.putInt(0, i % 3 == 0 ? i : 0x8000_0000 | i % 9 << 16);
                    packet.putInt(12, i % 2 == 0 ? i : random.nextInt());
                }
                send(forger, bytes, at);
            }
            assertThat(asker.answered.get(120, TimeUnit.SECONDS)).isEqualTo(20 * COUNT);
            client.close().join();
        }
        assertServes(at);
    }

    @Test
    void peerThatVanishesFailsTheConnection() throws Exception {
        UdtLimits limits = UdtLimits.DEFAULT.withSilence(Duration.ofSeconds(1));
        InetSocketAddress at = listen(limits);
        LossyRelay relay = new LossyRelay(at, 0);
        Asker asker = new Asker(false, Integer.MAX_VALUE);
        Channel client =
                new Bootstrap(group)
                        .handler(asker.initializer())
                        .connect(UdtAddress.of(relay.front()).with(limits))
                        .join();
        relay.close();
        assertThatThrownBy(() -> asker.answered.get(120, TimeUnit.SECONDS))
                .isInstanceOf(ExecutionException.class);
        client.closeFuture().join();
        assertThat(client.isOpen()).isFalse();
        assertServes(at);
    }

    @Test
    void silentAddressRefusesInTime() throws Exception {
        try (DatagramSocket silent = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            InetSocketAddress at = (InetSocketAddress) silent.getLocalSocketAddress();
            assertThatThrownBy(
                            () ->
                                    new Bootstrap(group)
                                            .handler(_ -> {})
                                            .option(
                                                    ChannelOption.CONNECT_TIMEOUT,
                                                    Duration.ofMillis(300))
                                            .connect(UdtAddress.of(at))
                                            .join())
                    .hasRootCauseInstanceOf(IOException.class);
        }
    }
}
