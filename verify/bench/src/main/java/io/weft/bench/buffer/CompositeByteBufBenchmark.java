package io.weft.bench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.CompositeByteBuf;
import io.netty.buffer.Unpooled;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.CompositeBuffer;
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

/// A composite of 2 KiB in components of `chunk` bytes: all of it written and read long by long,
/// shown to a processor byte by byte, and one long set and read at an index that cannot be
/// foreseen. Some longs lie across components of 20 bytes.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CompositeByteBufBenchmark {
    private static final int SIZE = 2040;

    @State(Scope.Thread)
    public static class Places {
        private static final int COUNT = 1 << 12;

        @Param({"20", "510"})
        int chunk;

        private final int[] places =
                new SplittableRandom(42).ints(COUNT, 0, SIZE - Long.BYTES + 1).toArray();
        private int i;

        int next() {
            return places[i++ & (COUNT - 1)];
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        final CompositeBuffer composite = new CompositeBuffer(BufferAllocator.pooled());

        @Setup
        public void add(Places places) {
            for (int i = 0; i < SIZE; i += places.chunk) {
                composite.add(
                        BufferAllocator.pooled()
                                .allocate(places.chunk)
                                .writeBytes(new byte[places.chunk]));
            }
        }

        @TearDown
        public void release() {
            composite.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        final CompositeByteBuf composite = Unpooled.compositeBuffer(Integer.MAX_VALUE);

        @Setup
        public void add(Places places) {
            for (int i = 0; i < SIZE; i += places.chunk) {
                ByteBuf chunk = Unpooled.directBuffer(places.chunk, places.chunk);
                composite.addComponent(true, chunk.writeZero(places.chunk));
            }
        }

        @TearDown
        public void release() {
            composite.release();
        }
    }

    @Benchmark
    public long weftSequential(Weft weft) {
        CompositeBuffer composite = weft.composite.clear();
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            composite.writeLong(i);
        }
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += composite.readLong();
        }
        return sum;
    }

    @Benchmark
    public long nettySequential(Netty netty) {
        ByteBuf composite = netty.composite.clear();
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            composite.writeLong(i);
        }
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += composite.readLong();
        }
        return sum;
    }

    @Benchmark
    public int weftForEachByte(Weft weft) {
        return weft.composite.readOffset(0).forEachByte(b -> b != '\n');
    }

    @Benchmark
    public int nettyForEachByte(Netty netty) {
        return netty.composite.readerIndex(0).forEachByte(b -> b != '\n');
    }

    @Benchmark
    public long weftRandomSetGetLong(Weft weft, Places places) {
        int index = places.next();
        return weft.composite.setLong(index, index).getLong(index);
    }

    @Benchmark
    public long nettyRandomSetGetLong(Netty netty, Places places) {
        int index = places.next();
        return netty.composite.setLong(index, index).getLong(index);
    }
}
