package io.weft.bench.buffer;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// What one allocation and release cost: on a thread with blocks of its own, on one without, of large blocks, and with
/// many buffers open at a time.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 3, time = 1)
@Fork(1)
public class AllocatorProbe {
    private final BufferAllocator allocator = BufferAllocator.pooled();

    @Param({"true", "false"})
    private boolean attached;

    private final Buffer[] window = new Buffer[64];
    private int next;

    @Setup(Level.Trial)
    public void attach() {
        if (attached) {
            allocator.attachThread();
        }
        for (int i = 0; i < window.length; i++) {
            window[i] = allocator.allocate(256);
        }
    }

    @TearDown(Level.Trial)
    public void detach() {
        for (Buffer buffer : window) {
            buffer.release();
        }
        allocator.detachThread();
    }

    @Benchmark
    public boolean small() {
        Buffer buffer = allocator.allocate(256);
        buffer.setByte(0, 1);
        return buffer.release();
    }

    @Benchmark
    public boolean receive() {
        Buffer buffer = allocator.allocate(16 << 10);
        buffer.setByte(0, 1);
        return buffer.release();
    }

    @Benchmark
    public boolean large() {
        Buffer buffer = allocator.allocate(4 << 20);
        buffer.setByte(0, 1);
        return buffer.release();
    }

    /// The oldest of 64 is released for each new one.
    @Benchmark
    public boolean window() {
        int at = next++ & (window.length - 1);
        Buffer oldest = window[at];
        window[at] = allocator.allocate(256);
        return oldest.release();
    }
}
