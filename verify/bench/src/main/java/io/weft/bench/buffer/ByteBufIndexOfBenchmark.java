package io.weft.bench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
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

/// A byte looked for that is there once. In the literal part, `IndexOf`, it is anywhere in one of
/// many runs of `size` bytes, so that its place cannot be foreseen; the twin, `Last`, finds it
/// always at the end.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ByteBufIndexOfBenchmark {
    private static final byte NEEDLE = '\n';
    private static final int RUNS = 1 << 10;

    @State(Scope.Thread)
    public static class Runs {
        @Param({"7", "16", "23", "32", "1024"})
        int size;

        byte[] bytes = {};
        private int run;

        @Setup
        public void fill() {
            SplittableRandom random = new SplittableRandom(42);
            bytes = new byte[RUNS * size];
            for (int i = 0; i < bytes.length; i++) {
                bytes[i] = (byte) (' ' + random.nextInt(96));
            }
            for (int run = 0; run < RUNS; run++) {
                bytes[run * size + random.nextInt(size)] = NEEDLE;
            }
        }

        int next() {
            run = (run + 1) & (RUNS - 1);
            return run * size;
        }

        byte[] withNeedleLast() {
            byte[] last = new byte[size];
            last[size - 1] = NEEDLE;
            return last;
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        final Buffer runs = BufferAllocator.pooled().allocate(0);
        final Buffer last = BufferAllocator.pooled().allocate(0);

        @Setup
        public void fill(Runs from) {
            runs.writeBytes(from.bytes);
            last.writeBytes(from.withNeedleLast());
        }

        @TearDown
        public void release() {
            runs.release();
            last.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        final ByteBuf runs = Unpooled.directBuffer();
        final ByteBuf last = Unpooled.directBuffer();

        @Setup
        public void fill(Runs from) {
            runs.writeBytes(from.bytes);
            last.writeBytes(from.withNeedleLast());
        }

        @TearDown
        public void release() {
            runs.release();
            last.release();
        }
    }

    @Benchmark
    public int weftIndexOf(Weft weft, Runs runs) {
        int start = runs.next();
        return weft.runs.indexOf(NEEDLE, start, start + runs.size);
    }

    @Benchmark
    public int nettyIndexOf(Netty netty, Runs runs) {
        int start = runs.next();
        return netty.runs.indexOf(start, start + runs.size, NEEDLE);
    }

    @Benchmark
    public int weftLast(Weft weft, Runs runs) {
        return weft.last.indexOf(NEEDLE, 0, runs.size);
    }

    @Benchmark
    public int nettyLast(Netty netty, Runs runs) {
        return netty.last.indexOf(0, runs.size, NEEDLE);
    }
}
