package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class SharedHandlerTest {
    private static final class Alone implements ChannelHandler {}

    private static final class Shared implements ChannelHandler {
        @Override
        public boolean isSharable() {
            return true;
        }
    }

    @Test
    void secondPipelineRefusesHandlerAndNamesBothChannels() {
        Alone handler = new Alone();
        try (EmbeddedChannel first = new EmbeddedChannel(handler);
                EmbeddedChannel second = new EmbeddedChannel()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> second.pipeline().addLast(handler))
                    .withMessageContaining(Alone.class.getName())
                    .withMessageContaining("in " + second.channel())
                    .withMessageContaining("in that of " + first.channel());
            assertThat(second.pipeline().names()).isEmpty();
        }
    }

    @Test
    void sharableHandlerStandsInManyPipelines() {
        Shared handler = new Shared();
        try (EmbeddedChannel first = new EmbeddedChannel(handler, handler);
                EmbeddedChannel second = new EmbeddedChannel(handler)) {
            assertThat(first.pipeline().names()).containsExactly("Shared", "Shared#1");
            assertThat(second.pipeline().names()).containsExactly("Shared");
        }
    }

    @Test
    void handlerMayMoveOnWhenRemovedOrClosed() {
        Alone handler = new Alone();
        try (EmbeddedChannel first = new EmbeddedChannel(handler)) {
            first.pipeline().remove(handler);
            try (EmbeddedChannel second = new EmbeddedChannel(handler)) {
                second.channel().abort();
                first.pipeline().addLast(handler);
            }
        }
    }

    @Test
    void handlerWhoseHandlerAddedThrowsStandsNowhere() {
        AtomicInteger added = new AtomicInteger();
        ChannelHandler handler =
                new ChannelHandler() {
                    @Override
                    public void handlerAdded(ChannelHandlerContext ctx) {
                        if (added.getAndIncrement() == 0) {
                            throw new IllegalStateException("not here");
                        }
                    }
                };
        try (EmbeddedChannel first = new EmbeddedChannel(handler);
                EmbeddedChannel second = new EmbeddedChannel(handler)) {
            assertThat(first.takeException()).hasMessage("not here");
            assertThat(second.pipeline().context(handler)).isNotNull();
        }
    }

    @Test
    void handlerMayReturnToItsPipelineFromHandlerRemoved() {
        AtomicInteger removed = new AtomicInteger();
        ChannelHandler handler =
                new ChannelHandler() {
                    @Override
                    public void handlerRemoved(ChannelHandlerContext ctx) {
                        if (removed.getAndIncrement() == 0) {
                            ctx.pipeline().addLast("again", this);
                        }
                    }
                };
        try (EmbeddedChannel first = new EmbeddedChannel(handler);
                EmbeddedChannel second = new EmbeddedChannel()) {
            first.pipeline().remove(handler);
            assertThat(first.pipeline().names()).containsExactly("again");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> second.pipeline().addLast(handler));
        }
    }

    /// One of several threads gets each handler, whatever else is placed and removed meanwhile.
    @Test
    void threadsThatPlaceOneHandlerAtOnceGetItOnce() throws InterruptedException {
        int threads = 4;
        List<Alone> handlers = new ArrayList<>();
        for (int i = 0; i < 1000; i++) {
            handlers.add(new Alone());
        }
        AtomicInteger placed = new AtomicInteger();
        CountDownLatch start = new CountDownLatch(1);
        CountDownLatch placedAll = new CountDownLatch(threads);
        List<Thread> running = new ArrayList<>();
        for (int i = 0; i < threads; i++) {
            running.add(
                    Thread.ofPlatform()
                            .start(
                                    () -> {
                                        try (EmbeddedChannel channel = new EmbeddedChannel()) {
                                            start.await();
                                            for (int h = 0; h < handlers.size(); h++) {
                                                place(channel, "" + h, handlers.get(h), placed);
                                            }
                                            placedAll.countDown();
                                            placedAll.await();
                                        } catch (InterruptedException e) {
                                            throw new AssertionError(e);
                                        }
                                    }));
        }
        start.countDown();
        for (Thread thread : running) {
            thread.join();
        }
        assertThat(placed).hasValue(handlers.size());
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            handlers.forEach(channel.pipeline()::addLast);
        }
    }

    private static void place(
            EmbeddedChannel channel, String name, Alone handler, AtomicInteger placed) {
        try {
            channel.pipeline().addLast(name, handler);
            placed.incrementAndGet();
        } catch (IllegalArgumentException e) {
            assertThat(e).hasMessageContaining("in one pipeline");
        }
    }
}
