package io.weft.bench.loop;

import java.util.ArrayDeque;
import java.util.Deque;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Level;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/// Literal port of SOFAJRaft's benchmark of this name.
///
/// **One operation:** a new executor, and 1,000,000 jobs to a pool of 32 threads, each of which has
/// the executor run one task; it ends when the last of 1,000,000 tasks has run. So 1 op/s are a
/// million tasks a second.
///
/// This mostly measures the pool's `ArrayBlockingQueue`, which all sides share;
/// [ProducersBenchmark] leaves it out. The only change: the original never ends its executors; here
/// those of an iteration are ended after it, untimed.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(
        value = 1,
        jvmArgsAppend = {"-Xms1g", "-Xmx1g"})
public class SingleThreadExecutorBenchmark extends ExecutorBenchmark {
    private static final int PRODUCERS = 32;
    private static final int TASKS = 1_000_000;

    private final Deque<OpenExecutor> opened = new ArrayDeque<>();
    private String side = "";

    @SuppressWarnings("NullAway.Init") // by start
    private ThreadPoolExecutor producers;

    @Setup
    public void start(BenchmarkParams params) {
        side = side(params);
        producers =
                new ThreadPoolExecutor(
                        PRODUCERS, PRODUCERS, 1, TimeUnit.MINUTES, new ArrayBlockingQueue<>(TASKS));
    }

    @TearDown
    public void stop() {
        producers.shutdownNow();
    }

    @TearDown(Level.Iteration)
    public void end() {
        opened.forEach(OpenExecutor::close);
        opened.clear();
    }

    @Override
    void tasks(Producer producer) throws InterruptedException {
        OpenExecutor open = OpenExecutor.open(side, TASKS);
        opened.add(open);
        var latch = new CountDownLatch(TASKS);
        for (int i = 0; i < TASKS; i++) {
            producers.execute(() -> open.executor().execute(latch::countDown));
        }
        latch.await();
    }
}
