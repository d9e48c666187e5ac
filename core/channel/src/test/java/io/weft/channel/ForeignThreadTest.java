package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;

/// Operations on a channel from a thread that is not its loop's.
class ForeignThreadTest {
    private static void elsewhere(ThrowingCallable action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                action.call();
                                done.complete(null);
                            } catch (Throwable t) {
                                done.completeExceptionally(t);
                            }
                        });
        try {
            done.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    @Test
    void loopOnlyOperationsThrowElsewhereAndNameTheThread() {
        try (EmbeddedChannel embedded =
                new EmbeddedChannel(
                        new ChannelHandler() {
                            @Override
                            public String toString() {
                                return "handler";
                            }
                        })) {
            Channel channel = embedded.channel();
            ChannelPipeline pipeline = channel.pipeline();
            ChannelHandlerContext ctx =
                    Objects.requireNonNull(pipeline.context(pipeline.names().getFirst()));
            List<ThrowingCallable> operations =
                    List.of(
                            channel::pendingBytes,
                            channel::readsByItself,
                            channel::isReadingSuspended,
                            channel::descriptor,
                            channel::multicast,
                            () -> channel.getOption(ChannelOption.AUTO_READ),
                            () -> channel.setOption(ChannelOption.AUTO_READ, true),
                            () -> pipeline.fireUserEventTriggered("event"),
                            () -> pipeline.remove("none"),
                            () -> ctx.holds(1),
                            ctx::suspendReading,
                            ctx::resumeReading,
                            ctx::fireChannelActive,
                            ctx::fireChannelInactive,
                            () -> ctx.fireChannelRead("message"),
                            ctx::fireChannelReadComplete,
                            ctx::fireChannelInputClosed,
                            ctx::fireChannelWritabilityChanged,
                            () -> ctx.fireUserEventTriggered("event"),
                            () -> ctx.fireExceptionCaught(new AssertionError()));
            for (ThrowingCallable operation : operations) {
                elsewhere(
                        () ->
                                assertThatIllegalStateException()
                                        .isThrownBy(operation)
                                        .withMessageContaining("Thread[")
                                        .withMessageContaining("expected: "));
            }
            assertThat(embedded.isClosed()).isFalse();
        }
    }

    @Test
    void autoReadAndShutdownOutputWorkFromAnyThread() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            elsewhere(() -> embedded.channel().autoRead(false));
            embedded.runPending();
            embedded.receive("x");
            assertThat(embedded.readInbound()).isNull();
            elsewhere(() -> embedded.channel().autoRead(true));
            embedded.runPending();
            Object read = embedded.readInbound();
            assertThat(read).isNotNull();
            Messages.release(Objects.requireNonNull(read));
            elsewhere(embedded.channel()::shutdownOutput);
            embedded.runPending();
            assertThat(embedded.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void outputThatIsShutDownWhileConnectingEndsWhenConnected() {
        EventLoop loop = new EventLoop(new EmbeddedEngine(), new ManualClock());
        EmbeddedPeer peer = new EmbeddedPeer();
        Channel channel = new Channel(loop, ChannelOptions.DEFAULT);
        channel.life().attach(peer.handle(new StreamSide(channel)));
        channel.shutdownOutput();
        assertThat(peer.outputShutdown).isFalse();
        assertThat(channel.life().activate(_ -> {})).isNull();
        assertThat(peer.outputShutdown).isTrue();
        channel.abort();
    }

    @Test
    void writesOfOtherThreadsCountWhileTheyAreQueued() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(10, 20, 1000));
        List<Boolean> told = new ArrayList<>();
        try (EmbeddedChannel embedded =
                new EmbeddedChannel(options, c -> c.pipeline().addLast(new Told(told::add)))) {
            Channel channel = embedded.channel();
            elsewhere(
                    () -> {
                        channel.writeAndFlush(bytes(10));
                        channel.writeAndFlush(bytes(10));
                        assertThat(channel.isWritable()).isTrue();
                        channel.writeAndFlush(bytes(1));
                        assertThat(channel.isWritable()).isFalse();
                    });
            assertThat(told).isEmpty();
            embedded.runPending();
            assertThat(channel.isWritable()).isTrue();
            assertThat(told).containsExactly(false, true);
            assertThat(embedded.takeOutbound()).hasSize(21);
        }
    }

    /// Unencoded messages have no bytes that anybody could count yet.
    @Test
    void messagesToBeEncodedCountWhileTheyAreQueued() {
        ChannelHandler encoder =
                new ChannelHandler() {
                    @Override
                    public void write(
                            ChannelHandlerContext ctx,
                            Object message,
                            @Nullable Promise<Void> promise) {
                        ctx.write(bytes(1), promise);
                    }
                };
        try (EmbeddedChannel embedded = new EmbeddedChannel(encoder)) {
            Channel channel = embedded.channel();
            elsewhere(
                    () -> {
                        int written = 0;
                        for (; channel.isWritable(); written++) {
                            channel.writeAndFlush("message");
                        }
                        assertThat(written).isEqualTo(1025); // of 64 bytes each
                    });
            embedded.runPending();
            assertThat(channel.isWritable()).isTrue();
        }
    }

    /// Has bytes once it is encoded.
    private record Document(int length) {}

    /// Encodes documents, and texts of one byte a character.
    private static final class Encoding implements ChannelHandler {
        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            int length = message instanceof Document d ? d.length : ((String) message).length();
            Buffer bytes = ctx.channel().allocator().allocate(length);
            ctx.write(bytes.writeBytes(new byte[length]), promise);
        }
    }

    /// Writes from another thread while the channel is writable.
    private static int writeAll(EmbeddedChannel embedded, Object message) {
        List<Object> written = new ArrayList<>();
        elsewhere(
                () -> {
                    while (embedded.channel().isWritable()) {
                        embedded.channel().writeAndFlush(message);
                        written.add(message);
                    }
                });
        embedded.runPending();
        return written.size();
    }

    @Test
    void textIsAsHeavyAsItIsLong() {
        try (EmbeddedChannel embedded = new EmbeddedChannel(new Encoding())) {
            assertThat(writeAll(embedded, "x".repeat(30_000))).isEqualTo(3);
        }
    }

    /// A thousand of 60 KB on their way had overrun the cap, whatever their writer heeded.
    @Test
    void messagesToBeEncodedAreExpectedToBeAsHeavyAsThoseBefore() {
        try (EmbeddedChannel embedded = new EmbeddedChannel(new Encoding())) {
            Document large = new Document(60_000);
            Document small = new Document(100);
            for (int i = 0; i < 20; i++) {
                assertThat(writeAll(embedded, large)).as("burst %s", i).isEqualTo(2);
            }
            int burst = writeAll(embedded, small);
            assertThat(burst).isEqualTo(2);
            for (int i = 0; i < 20; i++) {
                burst = writeAll(embedded, small);
            }
            assertThat(burst).isBetween(600, 700);
        }
    }

    @Test
    void guessesAreRoundedUpByAnEighthAtMost() {
        for (long weight = 64; weight <= 64 << 20; weight += 1 + weight / 100) {
            int code = QueuedWrite.encode(weight);
            assertThat(code).isBetween(1, 255);
            assertThat(QueuedWrite.decode(code)).isBetween(weight, weight + weight / 8);
        }
    }

    /// A write that a full loop refuses has counted until then: see QueuedWrite.
    @Test
    void refusedWriteLeavesTheChannelWritable() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(10, 20, 1000));
        List<Boolean> changes = new ArrayList<>();
        ChannelHandler told = new Told(changes::add);
        try (EmbeddedChannel embedded =
                new EmbeddedChannel(options, ch -> ch.pipeline().addLast(told))) {
            Outbound outbound = embedded.channel().outbound();
            elsewhere(() -> outbound.queued(100));
            outbound.queued(1); // another's, which arrives in the meantime
            outbound.arrives(1);
            outbound.arrived();
            elsewhere(() -> outbound.refused(100));
            embedded.runPending();
            assertThat(embedded.channel().isWritable()).isTrue();
            assertThat(changes).containsExactly(false, true);
        }
    }

    /// A writer that has seen the channel full hears of it when it is not.
    @Test
    void noWriterOfAnotherThreadWaitsForEver() throws InterruptedException {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(10, 20, 1000));
        Semaphore changes = new Semaphore(0);
        try (EmbeddedChannel embedded =
                new EmbeddedChannel(
                        options,
                        c ->
                                c.pipeline()
                                        .addLast(
                                                new Told(
                                                        writable -> {
                                                            if (writable) {
                                                                changes.release();
                                                            }
                                                        })))) {
            Channel channel = embedded.channel();
            int messages = 20_000;
            Thread writer =
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        for (int i = 0; i < messages; i++) {
                                            changes.drainPermits();
                                            while (!channel.isWritable()) {
                                                changes.acquireUninterruptibly();
                                            }
                                            channel.writeAndFlush(bytes(7));
                                        }
                                    });
            int sent = 0;
            while (sent < 7 * messages) {
                embedded.runPending();
                sent += embedded.takeOutbound().length;
            }
            writer.join();
        }
    }

    /// Tells each change of the writability.
    private record Told(Consumer<Boolean> listener) implements ChannelHandler {
        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            listener.accept(ctx.channel().isWritable());
        }
    }

    private static Buffer bytes(int length) {
        return BufferAllocator.pooled().allocate(length).writeAscii("x".repeat(length));
    }
}
