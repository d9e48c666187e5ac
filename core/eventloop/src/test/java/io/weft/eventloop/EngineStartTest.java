package io.weft.eventloop;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.Promise;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/// An engine may work when it is probed and fail when its loop starts it: limits are reached in
/// between.
class EngineStartTest {
    private static class NoStart implements Engine, EngineProvider {
        @Override
        public void start() {
            throw new IllegalStateException("no memory for rings");
        }

        @Override
        public void poll(long timeoutNanos) {
            throw new AssertionError("polled without having started");
        }

        @Override
        public void wakeup() {
            throw new AssertionError("woken without having started");
        }

        @Override
        public void close() {}

        @Override
        public ListenHandle listen(SocketAddress a, ChannelOptions o, ListenEvents e) {
            throw new AssertionError("used without having started");
        }

        @Override
        public StreamHandle connect(SocketAddress a, ChannelOptions o, StreamEvents e) {
            throw new AssertionError("used without having started");
        }

        @Override
        public StreamHandle adopt(Accepted accepted, StreamEvents events) {
            throw new AssertionError("used without having started");
        }

        @Override
        public String name() {
            return "no-start";
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
        public Engine create() throws EngineUnavailableException {
            return this;
        }
    }

    /// As many engines as there is memory for.
    private static final class Scarce extends NoStart {
        private int left;
        private final int priority;
        int open;

        Scarce(int left, int priority) {
            this.left = left;
            this.priority = priority;
        }

        @Override
        public int priority() {
            return priority;
        }

        @Override
        public String name() {
            return "scarce-" + priority;
        }

        @Override
        public Engine create() throws EngineUnavailableException {
            if (left == 0) {
                throw new EngineUnavailableException("ring: ENOMEM");
            }
            left--;
            open++;
            return this;
        }

        @Override
        public void close() {
            open--;
        }
    }

    @Test
    void aGroupIsOnTheNextBestWhenTheBestHasTooFewEnginesForIt() {
        Scarce best = new Scarce(3, 30);
        List<EngineProvider> all = List.of(best, new Scarce(2, 20), new Scarce(9, 10));
        EventLoopGroup group =
                Engines.makeOn(best, () -> all, provider -> new EventLoopGroup(provider, 4));
        assertThat(group.transport()).isEqualTo("scarce-10");
        assertThat(best.open).isZero();
        assertThat(group.loops()).hasSize(4);
        group.close();
    }

    @Test
    void whereNoneHasEnoughTheLastSaysWhy() {
        List<EngineProvider> all = List.of(new Scarce(3, 31), new Scarce(2, 21));
        assertThatThrownBy(
                        () ->
                                Engines.makeOn(
                                        all.get(0),
                                        () -> all,
                                        provider -> new EventLoopGroup(provider, 4)))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("transport scarce-21 is not available: loop 2 of 4: ring: ENOMEM");
    }

    @Test
    void aLoopWhoseEngineDidNotStartOpensNothingButRunsTasks() throws EngineUnavailableException {
        EventLoopGroup group = new EventLoopGroup(new NoStart(), 1);
        EventLoop loop = group.next();
        assertThat(loop.submit(() -> "tasks run").join()).isEqualTo("tasks run");
        Promise<Void> opened = loop.newPromise();
        loop.engine().open(opened, () -> opened.trySuccess(null));
        assertThatThrownBy(opened::join).hasRootCauseMessage("no memory for rings");
        group.close();
    }

    private static final class Starting extends NoStart {
        @Override
        public void start() {}

        @Override
        public void poll(long timeoutNanos) {}

        @Override
        public void wakeup() {}
    }

    /// It may get some before anything is opened on it.
    @Test
    void aLoopThatGetsNoMemoryAtItsStartOpensWhatNeedsNone() throws EngineUnavailableException {
        List<Buffer> held = allMemory();
        try {
            EventLoopGroup group = new EventLoopGroup(new Starting(), 1);
            EventLoop loop = group.next();
            assertThat(loop.submit(() -> "tasks run").join()).isEqualTo("tasks run");
            Promise<Void> opened = loop.newPromise();
            loop.engine().open(opened, () -> opened.trySuccess(null));
            opened.join();
            group.close();
        } finally {
            held.forEach(Buffer::release);
        }
    }

    /// Takes buffers, large ones first, until not even a byte is to be had.
    private static List<Buffer> allMemory() {
        List<Buffer> held = new ArrayList<>();
        for (int size = 1 << 26; size > 0; size >>= 1) {
            try {
                while (true) {
                    held.add(BufferAllocator.pooled().allocate(size));
                }
            } catch (MemoryLimitException _) {
                // Smaller ones, then.
            }
        }
        return held;
    }
}
