package io.weft.bench.buffer;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.Arrays;
import java.util.Objects;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Buffers allocated and released by one thread. `Live` is the literal port: of many open buffers a
/// random one is replaced. `AllocateRelease` is its twin without random memory traffic, one buffer
/// at a time.
///
/// The number of open buffers is bounded by their bytes, for all sides alike.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ByteBufAllocatorBenchmark {
    private static final int MOST_LIVE = 8192;
    private static final int LIVE_BYTES = 64 << 20;

    @State(Scope.Thread)
    public static class Sizes {
        @Param({"0", "256", "1024", "4096", "16384", "65536"})
        int size;

        private final SplittableRandom random = new SplittableRandom(42);

        int live() {
            return Math.min(MOST_LIVE, LIVE_BYTES / Math.max(1, size));
        }

        int next(int live) {
            return random.nextInt(live);
        }
    }

    @State(Scope.Thread)
    public static class WeftLive {
        Buffer[] open = {};

        @Setup
        public void allocate(Sizes sizes) {
            open = new Buffer[sizes.live()];
            Arrays.setAll(open, _ -> BufferAllocator.pooled().allocate(sizes.size));
        }

        @TearDown
        public void release() {
            Arrays.asList(open).forEach(Buffer::release);
        }
    }

    @State(Scope.Thread)
    public static class NettyPooled {
        final ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;
    }

    @State(Scope.Thread)
    public static class NettyAdaptive {
        final ByteBufAllocator allocator = new AdaptiveByteBufAllocator();
    }

    @State(Scope.Thread)
    public static class NettyLive {
        ByteBuf[] open = {};

        void allocate(Sizes sizes, ByteBufAllocator allocator) {
            open = new ByteBuf[sizes.live()];
            Arrays.setAll(open, _ -> allocator.directBuffer(sizes.size));
        }

        @TearDown
        public void release() {
            Arrays.stream(open).filter(Objects::nonNull).forEach(ByteBuf::release);
        }
    }

    @State(Scope.Thread)
    public static class NettyPooledLive extends NettyLive {
        @Setup
        public void allocate(Sizes sizes, NettyPooled pooled) {
            allocate(sizes, pooled.allocator);
        }
    }

    @State(Scope.Thread)
    public static class NettyAdaptiveLive extends NettyLive {
        @Setup
        public void allocate(Sizes sizes, NettyAdaptive adaptive) {
            allocate(sizes, adaptive.allocator);
        }
    }

    @Benchmark
    public boolean weftAllocateRelease(Sizes sizes) {
        return BufferAllocator.pooled().allocate(sizes.size).release();
    }

    @Benchmark
    public boolean nettyPooledAllocateRelease(Sizes sizes, NettyPooled pooled) {
        return pooled.allocator.directBuffer(sizes.size).release();
    }

    @Benchmark
    public boolean nettyAdaptiveAllocateRelease(Sizes sizes, NettyAdaptive adaptive) {
        return adaptive.allocator.directBuffer(sizes.size).release();
    }

    @Benchmark
    public Buffer weftLive(Sizes sizes, WeftLive live) {
        int i = sizes.next(live.open.length);
        live.open[i].release();
        live.open[i] = BufferAllocator.pooled().allocate(sizes.size);
        return live.open[i];
    }

    @Benchmark
    public ByteBuf nettyPooledLive(Sizes sizes, NettyPooled pooled, NettyPooledLive live) {
        int i = sizes.next(live.open.length);
        live.open[i].release();
        live.open[i] = pooled.allocator.directBuffer(sizes.size);
        return live.open[i];
    }

    @Benchmark
    public ByteBuf nettyAdaptiveLive(Sizes sizes, NettyAdaptive adaptive, NettyAdaptiveLive live) {
        int i = sizes.next(live.open.length);
        live.open[i].release();
        live.open[i] = adaptive.allocator.directBuffer(sizes.size);
        return live.open[i];
    }
}
