package io.weft.bench.ffi;

import io.weft.ffi.Memory;
import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.ByteBuffer;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// One long set and read back, and its loop twin over 32 longs: unchecked raw memory beside what
/// the JDK offers.
///
/// The loop twin is there because what the JIT can hoist out of a loop decides real cost, not a
/// single access.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class MemoryBenchmark {
    private static final int SIZE = 256;

    private final long address = Memory.allocate(SIZE, Long.BYTES);
    private final Arena arena = Arena.ofShared();
    private final MemorySegment segment = arena.allocate(SIZE, Long.BYTES);
    private final ByteBuffer buffer = ByteBuffer.allocateDirect(SIZE);
    private long value = 42;

    @TearDown
    public void free() {
        Memory.free(address, SIZE);
        arena.close();
    }

    @Benchmark
    public long weftAccess() {
        Memory.putLong(address, ++value);
        return Memory.getLong(address);
    }

    @Benchmark
    public long segmentAccess() {
        segment.set(ValueLayout.JAVA_LONG_UNALIGNED, 0, ++value);
        return segment.get(ValueLayout.JAVA_LONG_UNALIGNED, 0);
    }

    @Benchmark
    public long byteBufferAccess() {
        buffer.putLong(0, ++value);
        return buffer.getLong(0);
    }

    @Benchmark
    public long weftLoop() {
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += Memory.getLong(address + i);
        }
        return sum;
    }

    @Benchmark
    public long segmentLoop() {
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += segment.get(ValueLayout.JAVA_LONG_UNALIGNED, i);
        }
        return sum;
    }

    @Benchmark
    public long byteBufferLoop() {
        long sum = 0;
        for (int i = 0; i < SIZE; i += Long.BYTES) {
            sum += buffer.getLong(i);
        }
        return sum;
    }
}
