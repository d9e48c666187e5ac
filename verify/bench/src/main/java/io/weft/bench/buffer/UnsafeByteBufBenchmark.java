package io.weft.bench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.UnpooledByteBufAllocator;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Longs by index in direct memory, big-endian. The literal part is one long set, or set and read
/// back, at index 0; its twins are chains of sets and loops over 32 longs, where what the JIT can
/// hoist decides.
///
/// On Netty's side the class of the buffer depends on whether Netty has Unsafe.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class UnsafeByteBufBenchmark {
    static final int SIZE = 256;
    private static final ValueLayout.OfLong LONG =
            ValueLayout.JAVA_LONG_UNALIGNED.withOrder(ByteOrder.BIG_ENDIAN);

    @State(Scope.Thread)
    public static class Weft {
        final Buffer buffer = BufferAllocator.pooled().allocate(SIZE);
        long value = 1;

        @TearDown
        public void release() {
            buffer.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        final ByteBuf buffer = UnpooledByteBufAllocator.DEFAULT.directBuffer(SIZE);
        long value = 1;

        @TearDown
        public void release() {
            buffer.release();
        }
    }

    @State(Scope.Thread)
    public static class Jdk {
        final ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
        final Arena arena = Arena.ofShared();
        final MemorySegment segment = arena.allocate(SIZE, Long.BYTES);
        long value = 1;

        @TearDown
        public void release() {
            arena.close();
        }
    }

    @Benchmark
    public long weftSetGetLong(Weft weft) {
        weft.buffer.setLong(0, ++weft.value);
        return weft.buffer.getLong(0);
    }

    @Benchmark
    public long nettySetGetLong(Netty netty) {
        netty.buffer.setLong(0, ++netty.value);
        return netty.buffer.getLong(0);
    }

    @Benchmark
    public long byteBufferSetGetLong(Jdk jdk) {
        jdk.buffer.putLong(0, ++jdk.value);
        return jdk.buffer.getLong(0);
    }

    @Benchmark
    public long segmentSetGetLong(Jdk jdk) {
        jdk.segment.set(LONG, 0, ++jdk.value);
        return jdk.segment.get(LONG, 0);
    }

    @Benchmark
    public void weftSetLong(Weft weft) {
        weft.buffer.setLong(0, ++weft.value);
    }

    @Benchmark
    public void nettySetLong(Netty netty) {
        netty.buffer.setLong(0, ++netty.value);
    }

    @Benchmark
    public void byteBufferSetLong(Jdk jdk) {
        jdk.buffer.putLong(0, ++jdk.value);
    }

    @Benchmark
    public void segmentSetLong(Jdk jdk) {
        jdk.segment.set(LONG, 0, ++jdk.value);
    }

    @Benchmark
    public void weftChainedSetLong(Weft weft) {
        long value = ++weft.value;
        weft.buffer.setLong(0, value).setLong(8, value).setLong(16, value).setLong(24, value);
    }

    @Benchmark
    public void nettyChainedSetLong(Netty netty) {
        long value = ++netty.value;
        netty.buffer.setLong(0, value).setLong(8, value).setLong(16, value).setLong(24, value);
    }

    @Benchmark
    public void byteBufferChainedSetLong(Jdk jdk) {
        long value = ++jdk.value;
        jdk.buffer.putLong(0, value).putLong(8, value).putLong(16, value).putLong(24, value);
    }

    @Benchmark
    public void segmentChainedSetLong(Jdk jdk) {
        long value = ++jdk.value;
        jdk.segment.set(LONG, 0, value);
        jdk.segment.set(LONG, 8, value);
        jdk.segment.set(LONG, 16, value);
        jdk.segment.set(LONG, 24, value);
    }

    @Benchmark
    public void weftLoopSetLong(Weft weft) {
        long value = ++weft.value;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            weft.buffer.setLong(i, value);
        }
    }

    @Benchmark
    public void nettyLoopSetLong(Netty netty) {
        long value = ++netty.value;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            netty.buffer.setLong(i, value);
        }
    }

    @Benchmark
    public void byteBufferLoopSetLong(Jdk jdk) {
        long value = ++jdk.value;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            jdk.buffer.putLong(i, value);
        }
    }

    @Benchmark
    public void segmentLoopSetLong(Jdk jdk) {
        long value = ++jdk.value;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            jdk.segment.set(LONG, i, value);
        }
    }

    @Benchmark
    public long weftLoopGetLong(Weft weft) {
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += weft.buffer.getLong(i);
        }
        return sum;
    }

    @Benchmark
    public long nettyLoopGetLong(Netty netty) {
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += netty.buffer.getLong(i);
        }
        return sum;
    }

    @Benchmark
    public long byteBufferLoopGetLong(Jdk jdk) {
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += jdk.buffer.getLong(i);
        }
        return sum;
    }

    @Benchmark
    public long segmentLoopGetLong(Jdk jdk) {
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += jdk.segment.get(LONG, i);
        }
        return sum;
    }
}
