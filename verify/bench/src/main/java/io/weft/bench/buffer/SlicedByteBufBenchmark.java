package io.weft.bench.buffer;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Bytes read through a slice, singly (literal) and in a loop, and slices that are owners of their
/// own made and released.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class SlicedByteBufBenchmark {
    private static final int SIZE = 512;
    private static final int FROM = 128;
    private static final int LENGTH = 256;

    @State(Scope.Thread)
    public static class Weft {
        final Buffer whole = BufferAllocator.pooled().allocate(SIZE).fill(0, SIZE, 1);
        final Buffer slice = whole.slice(FROM, LENGTH);

        @TearDown
        public void release() {
            slice.release();
            whole.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        final ByteBuf whole = Unpooled.directBuffer(SIZE).setZero(0, SIZE);
        final ByteBuf slice = whole.slice(FROM, LENGTH);

        @TearDown
        public void release() {
            whole.release();
        }
    }

    @State(Scope.Thread)
    public static class NettyPooled {
        final ByteBuf whole = PooledByteBufAllocator.DEFAULT.directBuffer(SIZE);

        @TearDown
        public void release() {
            whole.release();
        }
    }

    @State(Scope.Thread)
    public static class NettyAdaptive {
        final ByteBuf whole = new AdaptiveByteBufAllocator().directBuffer(SIZE);

        @TearDown
        public void release() {
            whole.release();
        }
    }

    @Benchmark
    public byte weftGetByte(Weft weft) {
        return weft.slice.getByte(0);
    }

    @Benchmark
    public byte nettyGetByte(Netty netty) {
        return netty.slice.getByte(0);
    }

    @Benchmark
    public int weftLoopGetByte(Weft weft) {
        int sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += weft.slice.getByte(i);
        }
        return sum;
    }

    @Benchmark
    public int nettyLoopGetByte(Netty netty) {
        int sum = 0;
        for (int i = 0; i < LENGTH; i++) {
            sum += netty.slice.getByte(i);
        }
        return sum;
    }

    @Benchmark
    public boolean weftSliceRelease(Weft weft) {
        return weft.whole.slice(FROM, LENGTH).release();
    }

    @Benchmark
    public boolean nettyPooledSliceRelease(NettyPooled pooled) {
        return pooled.whole.retainedSlice(FROM, LENGTH).release();
    }

    @Benchmark
    public boolean nettyAdaptiveSliceRelease(NettyAdaptive adaptive) {
        return adaptive.whole.retainedSlice(FROM, LENGTH).release();
    }
}
