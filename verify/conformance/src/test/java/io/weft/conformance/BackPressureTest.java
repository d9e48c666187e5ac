package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.OutboundLimitException;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Probe;
import io.weft.conformance.rig.Rig;
import io.weft.engine.ChannelOption;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;
import java.util.Arrays;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Neither a peer that does not read nor a channel that does not want to read makes anything pile
/// up.
@EveryTransport
class BackPressureTest {
    private static final int KIB = 1 << 10;
    private static final WriteBufferWaterMark MARKS =
            new WriteBufferWaterMark(32 * KIB, 64 * KIB, 1024 * KIB);

    private final Rig rig;

    BackPressureTest(String transport) throws IOException {
        rig = new Rig(transport, 1);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    /// A channel whose peer takes little at a time.
    private Channel narrow(Probe probe) {
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(probe))
                                .childOption(ChannelOption.SO_SNDBUF, 4 * KIB)
                                .childOption(ChannelOption.WRITE_BUFFER_WATER_MARK, MARKS));
        try {
            peer = rig.connect(address, 4 * KIB);
        } catch (IOException e) {
            throw new AssertionError(e);
        }
        return Rig.await(probe.active);
    }

    private Socket peer;

    @Test
    void aSlowReaderMakesTheChannelUnwritableUntilItReads() throws IOException {
        Probe probe = new Probe();
        Channel channel = narrow(probe);
        int[] written = new int[1];
        Rig.onLoop(
                channel,
                () -> {
                    while (channel.isWritable()) {
                        channel.writeAndFlush(Rig.buffer(new byte[KIB]));
                        written[0] += KIB;
                    }
                    assertThat(channel.pendingBytes())
                            .isGreaterThan(MARKS.high())
                            .isLessThanOrEqualTo(MARKS.high() + KIB);
                });
        // A window below that opens with the first acknowledgement makes it writable before.
        assertThat(probe.writability).startsWith(false);
        assertThat(peer.getInputStream().readNBytes(written[0])).hasSize(written[0]);
        Rig.awaitTrue("writable", () -> probe.writability.size() == 2);
        assertThat(probe.writability).containsExactly(false, true);
    }

    @Test
    void aChannelThatIsFilledAllTheTimeStillHearsItsPeer() {
        int length = 1 << 20;
        Probe told = new Probe();
        ChannelHandler streaming =
                new ChannelHandler() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        fill(ctx);
                        ctx.fireChannelActive();
                    }

                    @Override
                    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
                        fill(ctx);
                    }

                    private static void fill(ChannelHandlerContext ctx) {
                        while (ctx.channel().isActive() && ctx.channel().isWritable()) {
                            ctx.writeAndFlush(Rig.buffer(new byte[16 * KIB]));
                        }
                    }
                };
        SocketAddress address = rig.listen(ch -> ch.pipeline().addLast(streaming).addLast(told));
        ChannelHandler dropping =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ((Buffer) message).release();
                    }
                };
        Channel client = rig.connectWeft(address, ch -> ch.pipeline().addLast(dropping));
        client.writeAndFlush(Rig.buffer("a".repeat(length)));
        Rig.awaitTrue("heard", () -> told.texts.stream().mapToInt(String::length).sum() == length);
        client.abort();
        Rig.await(told.ended);
    }

    @Test
    void aWriterThatIgnoresWritabilityIsStoppedAtTheCap() {
        Probe probe = new Probe();
        Channel channel = narrow(probe);
        CompletableFuture<Long> most = new CompletableFuture<>();
        Promise<Void> last = channel.newPromise();
        channel.eventLoop()
                .execute(
                        () -> {
                            long pending = 0;
                            while (channel.isOpen()) {
                                pending = Math.max(pending, channel.pendingBytes());
                                channel.writeAndFlush(Rig.buffer(new byte[16 * KIB]));
                            }
                            channel.write(Rig.buffer(new byte[1]), last);
                            most.complete(pending);
                        });
        assertThat(Rig.await(most)).isBetween((long) MARKS.cap(), MARKS.cap() + 16L * KIB);
        Rig.await(probe.ended);
        assertThat(probe.failures).hasSize(1).first().isInstanceOf(OutboundLimitException.class);
        Rig.awaitTrue("the last write has failed", () -> last.cause() != null);
    }

    @Test
    void aChannelThatDoesNotReadByItselfGetsABatchForEachAsk() throws IOException {
        Assumptions.assumeFalse(
                rig.transport().equals("sim"), "the simulated network cuts messages in parts");
        Probe probe = new Probe();
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(probe))
                                .childOption(ChannelOption.AUTO_READ, false));
        Socket asked = rig.connect(address);
        Channel channel = Rig.await(probe.active);
        for (int i = 1; i <= 3; i++) {
            Rig.send(asked, "message " + i);
            rig.assertIdle(10); // it has arrived, and nobody looks
            int expected = i;
            assertThat(probe.batches).hasValue(i - 1);
            channel.read();
            Rig.awaitTrue("a batch", () -> probe.batches.get() == expected);
            assertThat(probe.texts).hasSize(i).last().isEqualTo("message " + i);
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void aHandlerMayAskForTheNextBatch(boolean whileReading) throws IOException {
        ChannelHandler echo =
                new ChannelHandler() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        ctx.read();
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        if (whileReading) {
                            ctx.read();
                        }
                        ctx.writeAndFlush(message);
                    }

                    @Override
                    public void channelReadComplete(ChannelHandlerContext ctx) {
                        if (!whileReading) {
                            ctx.read();
                        }
                    }
                };
        SocketAddress address =
                rig.listen(
                        rig.server(ch -> ch.pipeline().addLast(echo))
                                .childOption(ChannelOption.AUTO_READ, false));
        Socket asking = rig.connect(address);
        for (int i = 0; i < 100; i++) {
            Rig.assertServed(asking);
        }
    }

    @Test
    void aThousandSmallBuffersAreSentInOrder() throws IOException {
        Probe probe = new Probe();
        Channel channel = narrow(probe);
        StringBuilder expected = new StringBuilder();
        for (int i = 0; i < 1_000; i++) {
            expected.append("buffer ").append(i).append(';');
        }
        Promise<Void> sent = channel.newPromise();
        Rig.onLoop(
                channel,
                () -> {
                    for (int i = 0; i < 1_000; i++) {
                        channel.write(Rig.buffer("buffer " + i + ";"), i == 999 ? sent : null);
                        channel.write(Rig.buffer(""));
                    }
                    channel.flush();
                });
        assertThat(Rig.receive(peer, expected.length())).isEqualTo(expected.toString());
        sent.join();
    }

    @Test
    void whatTheKernelTakesInPartsArrivesWhole() throws IOException {
        long seed = Long.getLong("io.weft.test.seed", 1);
        byte[] bytes = new byte[900 * KIB];
        new Random(seed).nextBytes(bytes);
        Channel channel = narrow(new Probe());
        Promise<Void> sent = channel.newPromise();
        Random random = new Random(seed);
        Rig.onLoop(
                channel,
                () -> {
                    for (int at = 0; at < bytes.length; ) {
                        int end = Math.min(bytes.length, at + 1 + random.nextInt(30 * KIB));
                        byte[] piece = Arrays.copyOfRange(bytes, at, end);
                        channel.write(Rig.buffer(piece), end == bytes.length ? sent : null);
                        at = end;
                    }
                    channel.flush();
                });
        assertThat(peer.getInputStream().readNBytes(bytes.length))
                .as("seed %d", seed)
                .isEqualTo(bytes);
        sent.join();
    }
}
