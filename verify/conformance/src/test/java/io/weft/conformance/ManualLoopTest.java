package io.weft.conformance;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.ServerBootstrap;
import io.weft.channel.ServerChannel;
import io.weft.conformance.rig.Descriptors;
import io.weft.conformance.rig.Echo;
import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.Future;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;

/// The test's thread is the loop.
@EveryTransport
class ManualLoopTest {
    private static final Duration PATIENCE = Duration.ofSeconds(Rig.PATIENCE_SECONDS);

    private final Set<String> before;
    private final ManualEventLoop loop;
    private final EventLoopGroup group;

    ManualLoopTest(String transport) throws IOException {
        Rig.ofSockets(transport, 1).close(); // opens what stays open
        before = Descriptors.open();
        loop = loopOrSkip(transport);
        group = EventLoopGroup.of(loop);
        assertThat(group.transport()).isEqualTo(transport);
    }

    private static ManualEventLoop loopOrSkip(String transport) {
        try {
            return ManualEventLoop.create(transport);
        } catch (IllegalStateException e) {
            return Assumptions.abort(e.getMessage());
        }
    }

    @AfterEach
    void close() throws IOException {
        loop.close();
        assertThat(loop.eventLoop().isTerminated()).isTrue();
        assertThat(Ledger.takeOpen()).as("open buffers").isEmpty();
        Set<String> left = Descriptors.open();
        left.removeAll(before);
        assertThat(left).as("open descriptors").isEmpty();
    }

    private <T> T drive(Future<T> future) {
        while (!future.isDone()) {
            int _ = loop.run(PATIENCE);
        }
        return future.join();
    }

    private ServerChannel echo() {
        return drive(
                new ServerBootstrap(group)
                        .childHandler(ch -> ch.pipeline().addLast(new Echo()))
                        .bind(Rig.ANY_PORT));
    }

    @Test
    void servesAPeerThatBlocks() {
        InetSocketAddress address = (InetSocketAddress) echo().localAddress();
        CompletableFuture<String> answer =
                CompletableFuture.supplyAsync(
                        () -> {
                            try (var peer = new Socket(address.getAddress(), address.getPort())) {
                                Rig.send(peer, "hello");
                                return Rig.receive(peer, 5);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        },
                        task -> Thread.ofPlatform().start(task));
        var _ = answer.whenComplete((_, _) -> loop.wakeUp());
        while (!answer.isDone()) {
            int _ = loop.run(PATIENCE);
        }
        assertThat(answer).isCompletedWithValue("hello");
    }

    @Test
    void bothSidesMayBeOnIt() {
        ServerChannel server = echo();
        StringBuilder back = new StringBuilder();
        Channel client =
                drive(
                        new Bootstrap(group)
                                .handler(ch -> ch.pipeline().addLast(new Collector(back)))
                                .connect(server.localAddress()));
        client.writeAndFlush(Rig.buffer("to and fro"));
        while (back.length() < 10) {
            int _ = loop.run(PATIENCE);
        }
        assertThat(back).hasToString("to and fro");
        drive(client.close());
        drive(server.close());
    }

    private record Collector(StringBuilder text) implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer buffer = (Buffer) message) {
                byte[] bytes = new byte[buffer.readableBytes()];
                buffer.readBytes(bytes, 0, bytes.length);
                text.append(new String(bytes, StandardCharsets.UTF_8));
            }
        }
    }

    @Test
    void aWakeUpEndsTheWait() throws InterruptedException {
        Thread other = Thread.ofPlatform().start(loop::wakeUp);
        assertThat(loop.run(PATIENCE)).isZero();
        other.join();
    }

    @Test
    void timersAndTasksOfOtherThreadsRun() throws InterruptedException {
        var timer = loop.eventLoop().schedule(() -> {}, 1, TimeUnit.MILLISECONDS);
        CompletableFuture<Thread> ran = new CompletableFuture<>();
        Thread other =
                Thread.ofPlatform()
                        .start(
                                () ->
                                        loop.eventLoop()
                                                .execute(
                                                        () ->
                                                                ran.complete(
                                                                        Thread.currentThread())));
        while (!ran.isDone() || !timer.isExpired()) {
            int _ = loop.run(PATIENCE);
        }
        assertThat(ran).isCompletedWithValue(Thread.currentThread());
        other.join();
    }

    @Test
    void anInterruptKeepsItFromWaitingAndStaysTheCallers() {
        Thread.currentThread().interrupt();
        assertThat(loop.run(PATIENCE)).isZero();
        assertThat(Thread.interrupted()).isTrue();
    }

    @Test
    void noOtherThreadDrivesIt() throws InterruptedException {
        CompletableFuture<Void> other = CompletableFuture.runAsync(loop::runNow);
        assertThatThrownBy(other::join)
                .hasCauseInstanceOf(IllegalStateException.class)
                .hasMessageContaining("which made the loop");
        assertThat(loop.runNow()).isZero();
    }
}
