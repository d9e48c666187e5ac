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
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.infra.Blackhole;

/// One owner more and one less, with work of `delay` tokens in between; by one thread, by four on
/// the same buffer, and over a whole life. From a delay of 1000 on, the delay is nearly all that is
/// measured.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
public class AbstractReferenceCountedByteBufBenchmark {
    private static final int CONTENDERS = 4;

    @State(Scope.Benchmark)
    public static class Work {
        @Param({"0", "1", "10", "100", "1000", "10000"})
        int delay;

        void work() {
            if (delay > 0) {
                Blackhole.consumeCPU(delay);
            }
        }
    }

    @State(Scope.Benchmark)
    public static class Weft {
        final Buffer buffer = BufferAllocator.pooled().allocate(1);

        @TearDown
        public void release() {
            buffer.release();
        }
    }

    @State(Scope.Benchmark)
    public static class Netty {
        final ByteBuf buffer = Unpooled.buffer(1);

        @TearDown
        public void release() {
            buffer.release();
        }
    }

    @Benchmark
    public boolean weftRetainReleaseUncontended(Weft weft, Work work) {
        weft.buffer.retain();
        work.work();
        return weft.buffer.release();
    }

    @Benchmark
    public boolean nettyRetainReleaseUncontended(Netty netty, Work work) {
        netty.buffer.retain();
        work.work();
        return netty.buffer.release();
    }

    @Benchmark
    @Threads(CONTENDERS)
    public boolean weftRetainReleaseContended(Weft weft, Work work) {
        weft.buffer.retain();
        work.work();
        return weft.buffer.release();
    }

    @Benchmark
    @Threads(CONTENDERS)
    public boolean nettyRetainReleaseContended(Netty netty, Work work) {
        netty.buffer.retain();
        work.work();
        return netty.buffer.release();
    }

    @Benchmark
    public boolean weftCreateUseAndRelease(Work work, Blackhole blackhole) {
        Buffer buffer = BufferAllocator.pooled().allocate(1);
        blackhole.consume(buffer);
        work.work();
        return buffer.release();
    }

    @Benchmark
    public boolean nettyCreateUseAndRelease(Work work, Blackhole blackhole) {
        ByteBuf buffer = Unpooled.buffer(1);
        blackhole.consume(buffer);
        work.work();
        return buffer.release();
    }
}
