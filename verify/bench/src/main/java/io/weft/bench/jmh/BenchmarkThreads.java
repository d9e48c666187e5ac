package io.weft.bench.jmh;

import io.netty.util.concurrent.FastThreadLocalThread;
import io.netty.util.internal.PlatformDependent;
import io.weft.buffer.BufferAllocator;
import io.weft.loop.LoopThread;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// The threads that JMH runs benchmarks on: both Netty's and Weft's pools are at home on them. On
/// other threads they would be off, and the comparison would be won by accident.
public final class BenchmarkThreads extends ThreadPoolExecutor {
    /// The property that says if Netty is meant to find Unsafe in this JVM; unset where it does not
    /// matter.
    static final String EXPECT_UNSAFE = "weft.bench.expectUnsafe";

    /// Makes the threads [LoopThread]s, on which Weft's locals and pools are at home, but Netty's
    /// are not. For the JVMs of a side of Weft's, whose peer runs on Netty's threads:
    /// `@Fork(jvmArgsPrepend = "-D" + LOOP_THREADS + "=true")`.
    public static final String LOOP_THREADS = "weft.bench.loopThreads";

    /// JMH makes one of the class that `jmh.executor.class` names.
    public BenchmarkThreads(int threads, String prefix) {
        super(
                threads,
                threads,
                0,
                TimeUnit.SECONDS,
                new LinkedBlockingQueue<>(),
                task -> thread(() -> runAttached(task), prefix));
        String expected = System.getProperty(EXPECT_UNSAFE);
        if (expected != null && Boolean.parseBoolean(expected) != PlatformDependent.hasUnsafe()) {
            throw new IllegalStateException(
                    "Netty has Unsafe: "
                            + PlatformDependent.hasUnsafe()
                            + " (expected: "
                            + expected
                            + ")");
        }
    }

    private static Thread thread(Runnable task, String name) {
        return Boolean.getBoolean(LOOP_THREADS)
                ? new LoopThread(task, name)
                : new FastThreadLocalThread(task, name);
    }

    private static void runAttached(Runnable task) {
        BufferAllocator.pooled().attachThread();
        try {
            task.run();
        } finally {
            BufferAllocator.pooled().detachThread();
        }
    }

    /// Returns the flags that make JMH use these threads.
    public static List<String> flags() {
        return List.of(
                "-Djmh.executor=CUSTOM",
                "-Djmh.executor.class=" + BenchmarkThreads.class.getName());
    }
}
