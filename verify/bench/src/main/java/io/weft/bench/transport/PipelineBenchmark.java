package io.weft.bench.transport;

import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// The way of an event from one end of a pipeline to the other, past 16 handlers, without a
/// network.
///
/// **One operation:**
///
/// - `Read`: a message inbound, which each handler passes on;
/// - `Write`: a message outbound, which each handler passes on, without asking for the outcome;
/// - `UserEvent`: the same for an event of the user's;
/// - `Skipped`: a message inbound that none of the handlers cares for.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class PipelineBenchmark {
    static final int HANDLERS = 16;
    private static final Object MESSAGE = new Object();

    @State(Scope.Thread)
    public static class Weft {
        @SuppressWarnings("NullAway.Init") // by start
        private WeftPipeline passing;

        @SuppressWarnings("NullAway.Init") // by start
        private WeftPipeline skipping;

        @Setup
        public void start() {
            passing = new WeftPipeline(true);
            skipping = new WeftPipeline(false);
        }

        @TearDown
        public void stop() {
            passing.close();
            skipping.close();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        @SuppressWarnings("NullAway.Init") // by start
        private NettyPipeline passing;

        @SuppressWarnings("NullAway.Init") // by start
        private NettyPipeline skipping;

        @Setup
        public void start() {
            passing = new NettyPipeline(true);
            skipping = new NettyPipeline(false);
        }

        @TearDown
        public void stop() {
            passing.close();
            skipping.close();
        }
    }

    @Benchmark
    public @Nullable Object weftRead(Weft weft) {
        return weft.passing.read(MESSAGE);
    }

    @Benchmark
    public @Nullable Object nettyRead(Netty netty) {
        return netty.passing.read(MESSAGE);
    }

    @Benchmark
    public @Nullable Object weftWrite(Weft weft) {
        return weft.passing.write(MESSAGE);
    }

    @Benchmark
    public @Nullable Object nettyWrite(Netty netty) {
        return netty.passing.write(MESSAGE);
    }

    @Benchmark
    public @Nullable Object weftUserEvent(Weft weft) {
        return weft.passing.userEvent(MESSAGE);
    }

    @Benchmark
    public @Nullable Object nettyUserEvent(Netty netty) {
        return netty.passing.userEvent(MESSAGE);
    }

    @Benchmark
    public @Nullable Object weftSkipped(Weft weft) {
        return weft.skipping.read(MESSAGE);
    }

    @Benchmark
    public @Nullable Object nettySkipped(Netty netty) {
        return netty.skipping.read(MESSAGE);
    }
}
