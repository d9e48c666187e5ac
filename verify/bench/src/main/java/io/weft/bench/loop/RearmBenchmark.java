package io.weft.bench.loop;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/// The cost of a timeout that is cancelled and armed anew, as those of connections are, while `num`
/// of them are armed.
///
/// **One operation:** in the loop, one timeout is cancelled and another one armed. The loop does
/// 100,000 of them in a row, so that handing over does not show; nothing is untimed, so that what a
/// side puts off does show.
///
/// - `Oldest`: that which is due first, for one that is due last (literally what connections with
///   one timeout do);
/// - `Newest`: that which was armed last, for another one that is due last;
/// - `Any`: any, for one with any delay;
/// - `PutOff`: any, for one that is due last, as each sign of life of a connection does. Weft's
///   timeouts can be put off; the other sides cancel and arm.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(RearmBenchmark.TIMES)
public class RearmBenchmark {
    static final int TIMES = 100_000;

    @State(Scope.Thread)
    public static class Armed {
        @Param({"100", "1000", "10000", "100000"})
        int num;

        @SuppressWarnings("NullAway.Init") // by start
        private TimerLoop<?> loop;

        @SuppressWarnings("NullAway.Init") // by start
        private TimerSet<?> timeouts;

        @Setup
        public void start(BenchmarkParams params) {
            loop = TimerLoop.of(params, TimerLoop::nio);
            timeouts = new TimerSet<>(loop, num);
            loop.run(timeouts::arm);
        }

        @TearDown
        public void stop() {
            loop.close();
        }
    }

    @Benchmark
    public void weftOldest(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmOldest(TIMES));
    }

    @Benchmark
    public void nettyOldest(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmOldest(TIMES));
    }

    @Benchmark
    public void jdkOldest(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmOldest(TIMES));
    }

    @Benchmark
    public void weftNewest(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmNewest(TIMES));
    }

    @Benchmark
    public void nettyNewest(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmNewest(TIMES));
    }

    @Benchmark
    public void jdkNewest(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmNewest(TIMES));
    }

    @Benchmark
    public void weftAny(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmAny(TIMES));
    }

    @Benchmark
    public void nettyAny(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmAny(TIMES));
    }

    @Benchmark
    public void jdkAny(Armed armed) {
        armed.loop.run(() -> armed.timeouts.rearmAny(TIMES));
    }

    @Benchmark
    public void weftPutOff(Armed armed) {
        armed.loop.run(() -> armed.timeouts.putOff(TIMES));
    }

    @Benchmark
    public void nettyPutOff(Armed armed) {
        armed.loop.run(() -> armed.timeouts.putOff(TIMES));
    }

    @Benchmark
    public void jdkPutOff(Armed armed) {
        armed.loop.run(() -> armed.timeouts.putOff(TIMES));
    }
}
