package io.weft.bench.loop;

import java.util.concurrent.TimeUnit;
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
import org.openjdk.jmh.infra.BenchmarkParams;

/// The measurement that [SingleThreadExecutorBenchmark] set out for: producers that hand tasks to
/// one executor, which lives for a whole trial, and nothing between them.
///
/// **One operation:** a producer hands over 1,000 tasks, then sleeps until the last of them has
/// run. So at most 32,000 tasks wait, fewer than any side's bound.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public abstract class ProducersBenchmark extends ExecutorBenchmark {
    private static final int TASKS = 1_000;
    private static final int CAPACITY = 65_536;

    @SuppressWarnings("NullAway.Init") // by start
    private OpenExecutor open;

    @Setup
    public void start(BenchmarkParams params) {
        open = OpenExecutor.open(side(params), CAPACITY);
    }

    @TearDown
    public void stop() {
        open.close();
    }

    @Override
    void tasks(Producer producer) {
        producer.handOver(open.executor(), TASKS);
    }
}
