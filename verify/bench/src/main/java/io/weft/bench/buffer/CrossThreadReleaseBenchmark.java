package io.weft.bench.buffer;

import io.netty.buffer.AdaptiveByteBufAllocator;
import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.PooledByteBufAllocator;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.infra.Control;

/// Buffers allocated by one thread and released by another one. Both halves of a pair count as an
/// operation, so a million operations are half a million buffers.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class CrossThreadReleaseBenchmark {
    private static final int SIZE = 256;

    @State(Scope.Group)
    public static class Weft {
        final Handoff<Buffer> queue = new Handoff<>();

        @TearDown
        public void drain() {
            CrossThreadReleaseBenchmark.drain(queue, Buffer::release);
        }
    }

    @State(Scope.Group)
    public static class NettyPooled {
        final Handoff<ByteBuf> queue = new Handoff<>();
        final ByteBufAllocator allocator = PooledByteBufAllocator.DEFAULT;

        @TearDown
        public void drain() {
            CrossThreadReleaseBenchmark.drain(queue, ByteBuf::release);
        }
    }

    @State(Scope.Group)
    public static class NettyAdaptive {
        final Handoff<ByteBuf> queue = new Handoff<>();
        final ByteBufAllocator allocator = new AdaptiveByteBufAllocator();

        @TearDown
        public void drain() {
            CrossThreadReleaseBenchmark.drain(queue, ByteBuf::release);
        }
    }

    private static <T> void drain(Handoff<T> queue, Consumer<T> release) {
        for (T left = queue.poll(); left != null; left = queue.poll()) {
            release.accept(left);
        }
    }

    private static <T> boolean put(Handoff<T> queue, T buffer, Control control) {
        while (!queue.offer(buffer)) {
            if (control.stopMeasurement) {
                return false;
            }
            Thread.onSpinWait();
        }
        return true;
    }

    /// Null when measuring ends before there is one.
    private static <T> @Nullable T take(Handoff<T> queue, Control control) {
        T buffer = queue.poll();
        while (buffer == null && !control.stopMeasurement) {
            Thread.onSpinWait();
            buffer = queue.poll();
        }
        return buffer;
    }

    @Benchmark
    @Group("weftCrossThread")
    public void weftAllocate(Weft weft, Control control) {
        Buffer buffer = BufferAllocator.pooled().allocate(SIZE);
        if (!put(weft.queue, buffer, control)) {
            buffer.release();
        }
    }

    @Benchmark
    @Group("weftCrossThread")
    public boolean weftRelease(Weft weft, Control control) {
        Buffer buffer = take(weft.queue, control);
        return buffer != null && buffer.release();
    }

    @Benchmark
    @Group("nettyPooledCrossThread")
    public void nettyPooledAllocate(NettyPooled pooled, Control control) {
        ByteBuf buffer = pooled.allocator.directBuffer(SIZE);
        if (!put(pooled.queue, buffer, control)) {
            buffer.release();
        }
    }

    @Benchmark
    @Group("nettyPooledCrossThread")
    public boolean nettyPooledRelease(NettyPooled pooled, Control control) {
        ByteBuf buffer = take(pooled.queue, control);
        return buffer != null && buffer.release();
    }

    @Benchmark
    @Group("nettyAdaptiveCrossThread")
    public void nettyAdaptiveAllocate(NettyAdaptive adaptive, Control control) {
        ByteBuf buffer = adaptive.allocator.directBuffer(SIZE);
        if (!put(adaptive.queue, buffer, control)) {
            buffer.release();
        }
    }

    @Benchmark
    @Group("nettyAdaptiveCrossThread")
    public boolean nettyAdaptiveRelease(NettyAdaptive adaptive, Control control) {
        ByteBuf buffer = take(adaptive.queue, control);
        return buffer != null && buffer.release();
    }
}
