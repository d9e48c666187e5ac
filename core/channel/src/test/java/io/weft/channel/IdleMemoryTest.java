package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class IdleMemoryTest {
    private final BufferAllocator allocator = BufferAllocator.pooled();

    @AfterEach
    void detach() {
        allocator.detachThread();
    }

    private void burst() {
        List<Buffer> open = new ArrayList<>();
        for (int i = 0; i < 200; i++) {
            open.add(allocator.allocate(16 << 10));
        }
        open.forEach(Buffer::release);
    }

    @Test
    void aLoopGivesMemoryBackThatItDoesNotNeed() {
        EventLoop loop = new EventLoop(new Polls(), new ManualClock());
        ManualExecutor executor = (ManualExecutor) loop.executor();
        allocator.trim();
        executor.runPending();
        long before = allocator.reservedBytes();
        burst();
        assertThat(allocator.reservedBytes() - before).isGreaterThan(3 << 20);
        for (int i = 0; i < 3; i++) {
            executor.advance(Duration.ofNanos(BufferAllocator.TRIM_INTERVAL_NANOS));
        }
        assertThat(allocator.reservedBytes()).isEqualTo(before);
    }

    @Test
    void aLoopDoesNotSleepOnFreeMemory() throws EngineUnavailableException {
        Polls polls = new Polls();
        EventLoopGroup group = new EventLoopGroup(polls, 1);
        group.next()
                .submit(
                        () -> {
                            burst();
                            return null;
                        })
                .join();
        group.next().submit(() -> null).join();
        group.close();
        assertThat(polls.timeouts)
                .isNotEmpty()
                .allMatch(timeout -> timeout <= BufferAllocator.TRIM_INTERVAL_NANOS);
    }

    @Test
    void aLoopThatEndsTakesNothingFromAThreadThatHadBlocksBefore() {
        allocator.attachThread();
        new EmbeddedChannel().close();
        assertThat(allocator.attachThread()).isFalse(); // it has been all the time
    }

    /// On a thread of its own: one that other tests have left loops on never gives up its blocks.
    @Test
    void aLoopThatEndsTakesItsBlocksAlong() throws InterruptedException {
        List<Boolean> attached = new ArrayList<>();
        Thread thread =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    EmbeddedChannel first = new EmbeddedChannel();
                                    EmbeddedChannel second = new EmbeddedChannel();
                                    second.close();
                                    attached.add(allocator.attachThread());
                                    first.close();
                                    attached.add(allocator.attachThread());
                                    allocator.detachThread();
                                });
        thread.join();
        assertThat(attached).containsExactly(false, true);
    }

    /// Never waits, and remembers how long it might have.
    private static final class Polls implements Engine, io.weft.engine.EngineProvider {
        final List<Long> timeouts = new ArrayList<>();

        @Override
        public void poll(long timeoutNanos) {
            if (allocated() && timeouts.size() < 1000) {
                timeouts.add(timeoutNanos);
            }
        }

        private static boolean allocated() {
            return BufferAllocator.pooled().reservedBytes() > 0;
        }

        @Override
        public void wakeup() {}

        @Override
        public void close() {}

        @Override
        public ListenHandle listen(SocketAddress a, ChannelOptions o, ListenEvents e) {
            throw new AssertionError("no network");
        }

        @Override
        public StreamHandle connect(SocketAddress a, ChannelOptions o, StreamEvents e) {
            throw new AssertionError("no network");
        }

        @Override
        public StreamHandle adopt(Accepted accepted, StreamEvents events) {
            throw new AssertionError("no network");
        }

        @Override
        public String name() {
            return "polls";
        }

        @Override
        public int priority() {
            return 0;
        }

        @Override
        public String probe() {
            return "works";
        }

        @Override
        public Engine create() {
            return this;
        }
    }
}
