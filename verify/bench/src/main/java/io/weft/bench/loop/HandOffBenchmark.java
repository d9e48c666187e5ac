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

/// The time that one task takes, percentiles included, from where it is handed over to where the
/// producer knows that it has run.
///
/// **One operation:** a producer hands over one task and sleeps until it has run. Executor and
/// producer both fall asleep in between, unless other producers keep the executor awake.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public abstract class HandOffBenchmark extends ExecutorBenchmark {
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
        producer.handOver(open.executor(), 1);
    }
}
