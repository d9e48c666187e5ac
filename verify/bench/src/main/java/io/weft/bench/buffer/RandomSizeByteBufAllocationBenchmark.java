package io.weft.bench.buffer;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.weft.buffer.BufferAllocator;
import java.util.SplittableRandom;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;

/// Buffers of random sizes allocated and released by one thread: the size class cannot be foreseen.
/// The sizes are drawn beforehand, the same for all sides; small ones are as frequent as in
/// requests and responses.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class RandomSizeByteBufAllocationBenchmark {
    @State(Scope.Thread)
    public static class Sizes {
        private static final int COUNT = 1 << 14;
        private static final int LARGEST_SHIFT = 16;

        private final int[] sizes = draw();
        private int i;

        private static int[] draw() {
            SplittableRandom random = new SplittableRandom(42);
            // As many between 1 and 2 as between 32 Ki and 64 Ki: uniform in the logarithm.
            return random.doubles(COUNT)
                    .mapToInt(d -> (int) Math.pow(2, d * LARGEST_SHIFT))
                    .toArray();
        }

        int next() {
            return sizes[i++ & (COUNT - 1)];
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

    @Benchmark
    public boolean weftAllocateRelease(Sizes sizes) {
        return BufferAllocator.pooled().allocate(sizes.next()).release();
    }

    @Benchmark
    public boolean nettyPooledAllocateRelease(Sizes sizes, NettyPooled pooled) {
        return pooled.allocator.directBuffer(sizes.next()).release();
    }

    @Benchmark
    public boolean nettyAdaptiveAllocateRelease(Sizes sizes, NettyAdaptive adaptive) {
        return adaptive.allocator.directBuffer(sizes.next()).release();
    }
}
