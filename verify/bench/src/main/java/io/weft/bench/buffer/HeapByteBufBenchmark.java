package io.weft.bench.buffer;

import io.netty.buffer.ByteBuf;
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

/// Values by index from a buffer in Netty's heap, and from Weft's one kind of memory. The literal
/// part reads index 0; the loop is its twin.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HeapByteBufBenchmark {
    private static final int SIZE = 256;

    @State(Scope.Thread)
    public static class Weft {
        final Buffer buffer = BufferAllocator.pooled().allocate(SIZE).fill(0, SIZE, 1);

        @TearDown
        public void release() {
            buffer.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        final ByteBuf buffer = Unpooled.buffer(SIZE);

        @TearDown
        public void release() {
            buffer.release();
        }
    }

    @Benchmark
    public byte weftGetByte(Weft weft) {
        return weft.buffer.getByte(0);
    }

    @Benchmark
    public byte nettyGetByte(Netty netty) {
        return netty.buffer.getByte(0);
    }

    @Benchmark
    public int weftGetMedium(Weft weft) {
        return weft.buffer.getMedium(0);
    }

    @Benchmark
    public int nettyGetMedium(Netty netty) {
        return netty.buffer.getMedium(0);
    }

    @Benchmark
    public long weftGetLong(Weft weft) {
        return weft.buffer.getLong(0);
    }

    @Benchmark
    public long nettyGetLong(Netty netty) {
        return netty.buffer.getLong(0);
    }

    @Benchmark
    public int weftLoopGetByte(Weft weft) {
        int sum = 0;
        for (int i = 0; i < SIZE; i++) {
            sum += weft.buffer.getByte(i);
        }
        return sum;
    }

    @Benchmark
    public int nettyLoopGetByte(Netty netty) {
        int sum = 0;
        for (int i = 0; i < SIZE; i++) {
            sum += netty.buffer.getByte(i);
        }
        return sum;
    }
}
