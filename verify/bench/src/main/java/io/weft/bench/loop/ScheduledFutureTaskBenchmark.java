package io.weft.bench.loop;

import io.netty.channel.DefaultEventLoop;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/// Literal port of Netty's benchmark of this name, and a random order in addition.
///
/// Before each operation, untimed, the loop arms `num` timeouts of 1 to `num` hours.
///
/// **One operation:** a task is handed to the loop, in which it cancels all of them, and is waited
/// for. So with few timeouts this measures handing over and waking up; and what a side puts off
/// until it next arms one or looks at its timers it does untimed. [RearmBenchmark] is free of both.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
public class ScheduledFutureTaskBenchmark {
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
            loop = TimerLoop.of(params, DefaultEventLoop::new);
            timeouts = new TimerSet<>(loop, num);
        }

        @Setup(Level.Invocation)
        public void arm() {
            loop.run(timeouts::arm);
        }

        @TearDown
        public void stop() {
            loop.close();
        }
    }

    @Benchmark
    public void weftCancelInOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInOrder);
    }

    @Benchmark
    public void nettyCancelInOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInOrder);
    }

    @Benchmark
    public void jdkCancelInOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInOrder);
    }

    @Benchmark
    public void weftCancelInReverseOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInReverseOrder);
    }

    @Benchmark
    public void nettyCancelInReverseOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInReverseOrder);
    }

    @Benchmark
    public void jdkCancelInReverseOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInReverseOrder);
    }

    @Benchmark
    public void weftCancelInRandomOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInRandomOrder);
    }

    @Benchmark
    public void nettyCancelInRandomOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInRandomOrder);
    }

    @Benchmark
    public void jdkCancelInRandomOrder(Armed armed) {
        armed.loop.run(armed.timeouts::cancelInRandomOrder);
    }
}
