package io.weft.bench.loop;

import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.infra.BenchmarkParams;

/// The same operation on each of the executors of [OpenExecutor].
@State(Scope.Benchmark)
public abstract class ExecutorBenchmark {
    private static final String OPERATION = "Tasks";

    /// One operation of one JMH thread.
    abstract void tasks(Producer producer) throws InterruptedException;

    /// The side that JMH runs.
    static String side(BenchmarkParams params) {
        String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
        return method.substring(0, method.length() - OPERATION.length());
    }

    @Benchmark
    public void weftTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    /// Runs without a watchdog, whose cost is the difference to `weft`.
    @Benchmark
    @Fork(value = 2, jvmArgsPrepend = "-Dio.weft.watchdog.threshold=0")
    public void weftUnwatchedTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void weftClqTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void weftLtqTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void weftLbqTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void jraftTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void jraftDefaultTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void nettyDefaultTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void nettyNioTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void nettyEpollTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void nettyUringTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void jdkPoolTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }

    @Benchmark
    public void jdkVirtualTasks(Producer producer) throws InterruptedException {
        tasks(producer);
    }
}
