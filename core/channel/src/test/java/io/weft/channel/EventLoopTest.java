package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.eventloop.ManualEventLoop;
import io.weft.loop.Future;
import io.weft.loop.LoopDriver;
import io.weft.loop.ManualClock;
import io.weft.loop.Promise;
import java.net.SocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(value = 60, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class EventLoopTest {
    @Test
    void countsTheTasksThatWait() throws InterruptedException {
        EventLoop loop = new EventLoop(new EmbeddedEngine(), "counts");
        CountDownLatch counted = hold(loop);
        loop.execute(() -> {});
        loop.execute(() -> {});
        assertThat(loop.pendingTasks()).isEqualTo(2);
        assertThat(loop.isBusy()).isTrue();
        counted.countDown();
        loop.shutdownGracefully().join();
    }

    private static ManualEventLoop driven() {
        return ManualEventLoop.stepped("embedded", new EmbeddedEngine(), new ManualClock());
    }

    private static @Nullable EventLoop currentOn(ManualEventLoop loop, EventLoopGroup group) {
        Future<EventLoop> current = loop.eventLoop().submit(group::current);
        loop.runPending();
        assertThat(current.isSuccess()).isTrue();
        return current.now();
    }

    @Test
    void groupTellsWhichOfItsLoopsIsCurrent() {
        try (ManualEventLoop one = driven();
                ManualEventLoop two = driven();
                ManualEventLoop other = driven()) {
            EventLoopGroup group = EventLoopGroup.of(one, two);
            for (ManualEventLoop loop : List.of(one, two)) {
                assertThat(currentOn(loop, group)).isSameAs(loop.eventLoop());
            }
            assertThat(group.nearest()).isNotSameAs(group.nearest()); // in turn
            assertThat(currentOn(other, group)).isNull();
            assertThat(group.current()).isNull();
        }
    }

    /// A rejected write fails its promise and leaves nothing behind; a close still gets through.
    @Test
    void aFullQueueRefusesWritesAndTakesCloses() throws InterruptedException {
        EventLoop loop = new EventLoop(new EmbeddedEngine(), "full");
        EmbeddedPeer peer = new EmbeddedPeer();
        Channel channel =
                loop.submit(
                                () -> {
                                    Channel made = new Channel(loop, ChannelOptions.DEFAULT);
                                    made.life().attach(peer.handle(new StreamSide(made)));
                                    made.life()
                                            .activate(
                                                    c -> c.pipeline().addLast("a", new Passive()));
                                    return made;
                                })
                        .join();
        ChannelHandlerContext ctx = channel.pipeline().context("a");
        assertThat(ctx).isNotNull();
        CountDownLatch filled = hold(loop);
        assertThatThrownBy(
                        () -> {
                            while (true) {
                                loop.execute(() -> {});
                            }
                        })
                .isInstanceOf(RejectedExecutionException.class);
        Promise<Void> written = channel.newPromise();
        channel.writeAndFlush(bytes(), written);
        Promise<Void> fromTheMidst = channel.newPromise();
        ctx.writeAndFlush(bytes(), fromTheMidst);
        assertThat(written.cause()).isInstanceOf(RejectedExecutionException.class);
        assertThat(fromTheMidst.cause()).isInstanceOf(RejectedExecutionException.class);
        Promise<Void> releasedBefore = channel.newPromise();
        Buffer gone = bytes();
        gone.release();
        channel.write(gone, releasedBefore);
        assertThat(releasedBefore.cause()).isInstanceOf(RejectedExecutionException.class);
        Buffer unpromised = bytes();
        assertThatThrownBy(() -> channel.write(unpromised))
                .isInstanceOf(RejectedExecutionException.class);
        assertThat(unpromised.references()).isZero();
        ctx.close();
        assertThat(channel.closeFuture().isDone()).isFalse();
        filled.countDown();
        channel.closeFuture().join();
        loop.shutdownGracefully().join();
    }

    private static final class Passive implements ChannelHandler {}

    private static Buffer bytes() {
        return BufferAllocator.pooled().allocate(10).writeOffset(10);
    }

    /// Returns when a task holds `loop` up; it does until the latch is counted down.
    private static CountDownLatch hold(EventLoop loop) throws InterruptedException {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch go = new CountDownLatch(1);
        Future<Void> _ =
                loop.submit(
                        () -> {
                            begun.countDown();
                            go.await();
                            return null;
                        });
        begun.await();
        return go;
    }

    /// An engine knows nothing of watchdogs.
    @Test
    void aHandlerThatHoldsTheLoopInTheMidstOfAPollIsSeen() throws InterruptedException {
        CountDownLatch read = new CountDownLatch(1);
        OneReceive engine = new OneReceive();
        EventLoop loop = new EventLoop(engine, "held");
        ChannelHandler holder =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ((Buffer) message).release();
                        read.countDown();
                        while (loop.statistics().longestHoldNanos() == 0) {
                            Thread.onSpinWait();
                        }
                    }
                };
        loop.submit(
                        () -> {
                            Channel channel = new Channel(loop, ChannelOptions.DEFAULT);
                            channel.life()
                                    .attach(engine.adopt(engine.peer, new StreamSide(channel)));
                            channel.life().activate(c -> c.pipeline().addLast("holder", holder));
                            return channel;
                        })
                .join();
        read.await();
        loop.shutdownGracefully().join();
        assertThat(loop.statistics().longestHoldNanos()).isPositive();
    }

    /// Hands a buffer up when it has waited for the first time.
    private static final class OneReceive implements Engine {
        final EmbeddedPeer peer = new EmbeddedPeer();
        private final LoopDriver parking = LoopDriver.parking();
        private boolean due;

        @Override
        public void start() {
            parking.start();
        }

        @Override
        public void poll(long timeoutNanos) {
            parking.poll(Math.min(timeoutNanos, 1));
            if (timeoutNanos > 0 && due) {
                due = false;
                peer.deliver(BufferAllocator.pooled().allocate(1).writeAscii("x"));
            }
        }

        @Override
        public void wakeup() {
            parking.wakeup();
        }

        @Override
        public void close() {}

        @Override
        public ListenHandle listen(
                SocketAddress address, ChannelOptions options, ListenEvents events) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StreamHandle connect(
                SocketAddress address, ChannelOptions options, StreamEvents events) {
            throw new UnsupportedOperationException();
        }

        @Override
        public StreamHandle adopt(Accepted accepted, StreamEvents events) {
            due = true;
            return ((EmbeddedPeer) accepted).handle(events);
        }
    }
}
