package io.weft.bench.loop;

import io.netty.channel.ManualIoEventLoop;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.Timeout;
import io.netty.util.TimerTask;
import io.netty.util.concurrent.MockTicker;
import io.netty.util.concurrent.Ticker;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.util.Random;
import java.util.concurrent.TimeUnit;
import java.util.function.LongConsumer;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// The cost of 1,000,000 armed timeouts while time passes, as those of a million connections of
/// which each sends something once a minute.
///
/// **One operation** is a tick: one millisecond of virtual time passes, and the loop does what is
/// due: on average 16.7 timeouts run, and each arms itself anew, 60 seconds from then. At the
/// beginning their deadlines are spread evenly at random over those 60 seconds. The benchmark's
/// thread is the loop, and nothing sleeps.
///
/// - `weft`: [ManualExecutor], which has the timers of every Weft loop;
/// - `weftCoarse`: the same with timeouts that may be late by a 16th, which Weft has for this very
///   use;
/// - `netty`: `ManualIoEventLoop` with a `MockTicker`; it does not look for I/O;
/// - `nettyWheel`: `HashedWheelTimer` of 512 buckets, its default, and 1 ms a tick; its worker is
///   called step by step;
/// - `nettyWideWheel`: the same of 65,536 buckets, more than there are ticks in 60 s, so that no
///   bucket holds what is not due.
///
/// The wheels round up to a tick, as every timeout here is a multiple of it; the loops are exact.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(
        value = 2,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class TickBenchmark {
    private static final int TIMEOUTS = 1_000_000;
    private static final long TICK_NANOS = 1_000_000;
    private static final int TICKS = 60_000;
    private static final long SEED = 42;

    /// Arms a million timeouts.
    private static void each(LongConsumer arm) {
        Random random = new Random(SEED);
        for (int i = 0; i < TIMEOUTS; i++) {
            arm.accept((1 + random.nextInt(TICKS)) * TICK_NANOS);
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        private final ManualClock clock = new ManualClock();
        private final ManualExecutor loop = new ManualExecutor(clock);
        private final Runnable task = this::run;
        private long ran;

        @Setup
        public void arm() {
            each(this::arm);
        }

        private void arm(long nanos) {
            var _ = loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
        }

        private void run() {
            ran++;
            arm(TICKS * TICK_NANOS);
        }
    }

    @State(Scope.Thread)
    public static class WeftCoarse {
        private final ManualClock clock = new ManualClock();
        private final ManualExecutor loop = new ManualExecutor(clock);
        private final Runnable task = this::run;
        private long ran;

        @Setup
        public void arm() {
            each(this::arm);
        }

        private void arm(long nanos) {
            loop.scheduleCoarse(task, nanos, TimeUnit.NANOSECONDS);
        }

        private void run() {
            ran++;
            arm(TICKS * TICK_NANOS);
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private final MockTicker ticker = Ticker.newMockTicker();
        private final ManualIoEventLoop loop =
                new ManualIoEventLoop(
                        null, Thread.currentThread(), NioIoHandler.newFactory(), ticker);
        private final Runnable task = this::run;
        private long ran;

        @Setup
        public void arm() {
            each(this::arm);
        }

        private void arm(long nanos) {
            var _ = loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
        }

        private void run() {
            ran++;
            arm(TICKS * TICK_NANOS);
        }
    }

    @State(Scope.Thread)
    public static class Wheel implements TimerTask {
        private final NettyWheel wheel;
        private long ran;

        public Wheel() {
            this(512);
        }

        Wheel(int buckets) {
            wheel = new NettyWheel(TICK_NANOS, buckets);
        }

        @Setup
        public void arm() {
            each(nanos -> wheel.arm(this, nanos));
            long ticks = TIMEOUTS / 100_000; // the wheel takes no more of what is new a tick
            for (long i = 0; i < ticks; i++) {
                wheel.tick();
            }
        }

        @Override
        public void run(Timeout timeout) {
            ran++;
            wheel.arm(this, TICKS * TICK_NANOS);
        }

        long tick() {
            wheel.tick();
            return ran;
        }
    }

    /// With as many buckets as make it fast.
    @State(Scope.Thread)
    public static class WideWheel extends Wheel {
        public WideWheel() {
            super(65_536);
        }
    }

    @Benchmark
    public long weftTick(Weft weft) {
        weft.clock.advance(TICK_NANOS);
        weft.loop.runPending();
        return weft.ran;
    }

    @Benchmark
    public long weftCoarseTick(WeftCoarse weft) {
        weft.clock.advance(TICK_NANOS);
        weft.loop.runPending();
        return weft.ran;
    }

    @Benchmark
    public long nettyTick(Netty netty) {
        netty.ticker.advance(TICK_NANOS, TimeUnit.NANOSECONDS);
        netty.loop.runNonBlockingTasks(0);
        return netty.ran;
    }

    @Benchmark
    public long nettyWheelTick(Wheel netty) {
        return netty.tick();
    }

    @Benchmark
    public long nettyWideWheelTick(WideWheel netty) {
        return netty.tick();
    }
}
