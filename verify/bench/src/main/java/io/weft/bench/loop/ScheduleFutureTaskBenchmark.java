package io.weft.bench.loop;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/// Arming timeouts in the loop and from another thread, and cancelling them from there: Netty's
/// benchmark of this name, whose three producers are one here, and `CancelOutsideLoop` in addition.
///
/// **One operation:** one timeout of many hours; 100,000 in a row, between which nothing is waited
/// for. It ends when the loop has run a task that was handed over after the last one.
///
/// - `Schedule`: the loop arms them;
/// - `ScheduleOutsideLoop`: another thread arms them;
/// - `ScheduleCancelOutsideLoop`: another thread arms each and cancels it at once;
/// - `CancelOutsideLoop`: another thread cancels what the loop has armed, untimed, before.
///
/// Timeouts that are armed after the operation are cancelled in the loop, untimed.
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 3)
@Measurement(iterations = 10, time = 3)
@Fork(2)
@OperationsPerInvocation(ScheduleFutureTaskBenchmark.NUM)
public class ScheduleFutureTaskBenchmark {
    static final int NUM = 100_000;

    @State(Scope.Thread)
    public static class Armed {
        @SuppressWarnings("NullAway.Init") // by start
        private TimerLoop<?> loop;

        @SuppressWarnings("NullAway.Init") // by start
        private TimerSet<?> timeouts;

        private boolean armsBefore;
        private boolean cancelsAfter;

        @Setup
        public void start(BenchmarkParams params) {
            loop = TimerLoop.of(params, TimerLoop::nio);
            timeouts = new TimerSet<>(loop, NUM);
            armsBefore = params.getBenchmark().matches(".*[.][a-z]+CancelOutsideLoop");
            cancelsAfter = params.getBenchmark().matches(".*[.][a-z]+Schedule(OutsideLoop)?");
        }

        @Setup(Level.Invocation)
        public void arm() {
            if (armsBefore) {
                loop.run(timeouts::arm);
            }
        }

        @TearDown(Level.Invocation)
        public void cancel() {
            if (cancelsAfter) {
                loop.run(timeouts::cancelInOrder);
            }
        }

        @TearDown
        public void stop() {
            loop.close();
        }

        private void awaitLoop() {
            loop.run(() -> {});
        }
    }

    @Benchmark
    public void weftSchedule(Armed armed) {
        armed.loop.run(armed.timeouts::arm);
    }

    @Benchmark
    public void nettySchedule(Armed armed) {
        armed.loop.run(armed.timeouts::arm);
    }

    @Benchmark
    public void jdkSchedule(Armed armed) {
        armed.loop.run(armed.timeouts::arm);
    }

    @Benchmark
    public void weftScheduleOutsideLoop(Armed armed) {
        armed.timeouts.arm();
        armed.awaitLoop();
    }

    @Benchmark
    public void nettyScheduleOutsideLoop(Armed armed) {
        armed.timeouts.arm();
        armed.awaitLoop();
    }

    @Benchmark
    public void jdkScheduleOutsideLoop(Armed armed) {
        armed.timeouts.arm();
        armed.awaitLoop();
    }

    @Benchmark
    public void weftScheduleCancelOutsideLoop(Armed armed) {
        armed.timeouts.armAndCancel();
        armed.awaitLoop();
    }

    @Benchmark
    public void nettyScheduleCancelOutsideLoop(Armed armed) {
        armed.timeouts.armAndCancel();
        armed.awaitLoop();
    }

    @Benchmark
    public void jdkScheduleCancelOutsideLoop(Armed armed) {
        armed.timeouts.armAndCancel();
        armed.awaitLoop();
    }

    @Benchmark
    public void weftCancelOutsideLoop(Armed armed) {
        armed.timeouts.cancelInOrder();
        armed.awaitLoop();
    }

    @Benchmark
    public void nettyCancelOutsideLoop(Armed armed) {
        armed.timeouts.cancelInOrder();
        armed.awaitLoop();
    }

    @Benchmark
    public void jdkCancelOutsideLoop(Armed armed) {
        armed.timeouts.cancelInOrder();
        armed.awaitLoop();
    }
}
