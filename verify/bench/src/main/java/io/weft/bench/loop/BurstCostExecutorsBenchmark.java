package io.weft.bench.loop;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
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

/// Literal port of Netty's benchmark of this name, for one consumer.
///
/// **One operation:** a producer hands over `burstLength` tasks, each of which burns `work` of
/// JMH's tokens, and spins until they have run. Spinning producers take cores: with more of them
/// than the machine has to spare this measures its scheduler. [HandOffBenchmark] is the twin whose
/// producers sleep.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.SampleTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
public abstract class BurstCostExecutorsBenchmark extends ExecutorBenchmark {
    private static final int CAPACITY = 65_536;

    @Param({"1", "10"})
    int burstLength;

    @Param({"0", "10"})
    int work;

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
        producer.burst(open.executor(), burstLength, work);
    }
}
