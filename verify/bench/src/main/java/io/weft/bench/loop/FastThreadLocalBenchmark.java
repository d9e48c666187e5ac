package io.weft.bench.loop;

import io.netty.util.concurrent.FastThreadLocal;
import io.weft.bench.jmh.BenchmarkThreads;
import io.weft.loop.LoopLocal;
import java.util.Arrays;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/// Values of a thread's own: [LoopLocal], Netty's `FastThreadLocal` and the JDK's `ThreadLocal`,
/// each on threads of its own framework's, where they are fast; and Weft's on a thread of Netty's,
/// which to it is any thread.
///
/// **One operation:** the value of one local is read (`Get`) or replaced (`Set`), with 128 locals
/// in turn.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(FastThreadLocalBenchmark.LOCALS)
public class FastThreadLocalBenchmark {
    static final int LOCALS = 128;

    @State(Scope.Benchmark)
    public static class Weft {
        private final LoopLocal<Integer>[] locals = fill();

        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
        private static LoopLocal<Integer>[] fill() {
            LoopLocal<Integer>[] locals = new LoopLocal[LOCALS];
            Arrays.setAll(locals, i -> new LoopLocal<>(() -> i));
            return locals;
        }
    }

    @State(Scope.Benchmark)
    public static class Netty {
        private final FastThreadLocal<Integer>[] locals = fill();

        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
        private static FastThreadLocal<Integer>[] fill() {
            FastThreadLocal<Integer>[] locals = new FastThreadLocal[LOCALS];
            Arrays.setAll(
                    locals,
                    i ->
                            new FastThreadLocal<>() {
                                @Override
                                protected Integer initialValue() {
                                    return i;
                                }
                            });
            return locals;
        }
    }

    @State(Scope.Benchmark)
    public static class Jdk {
        private final ThreadLocal<Integer>[] locals = fill();

        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
        private static ThreadLocal<Integer>[] fill() {
            ThreadLocal<Integer>[] locals = new ThreadLocal[LOCALS];
            Arrays.setAll(locals, i -> ThreadLocal.withInitial(() -> i));
            return locals;
        }
    }

    private final Integer value = 1;

    @Benchmark
    @Fork(value = 2, jvmArgsPrepend = "-D" + BenchmarkThreads.LOOP_THREADS + "=true")
    public int weftGet(Weft weft) {
        int sum = 0;
        for (LoopLocal<Integer> local : weft.locals) {
            sum += local.get();
        }
        return sum;
    }

    @Benchmark
    public int weftAnyThreadGet(Weft weft) {
        return weftGet(weft);
    }

    @Benchmark
    public int nettyGet(Netty netty) {
        int sum = 0;
        for (FastThreadLocal<Integer> local : netty.locals) {
            sum += local.get();
        }
        return sum;
    }

    @Benchmark
    public int jdkGet(Jdk jdk) {
        int sum = 0;
        for (ThreadLocal<Integer> local : jdk.locals) {
            sum += local.get();
        }
        return sum;
    }

    @Benchmark
    @Fork(value = 2, jvmArgsPrepend = "-D" + BenchmarkThreads.LOOP_THREADS + "=true")
    public void weftSet(Weft weft) {
        for (LoopLocal<Integer> local : weft.locals) {
            local.set(value);
        }
    }

    @Benchmark
    public void weftAnyThreadSet(Weft weft) {
        weftSet(weft);
    }

    @Benchmark
    public void nettySet(Netty netty) {
        for (FastThreadLocal<Integer> local : netty.locals) {
            local.set(value);
        }
    }

    @Benchmark
    public void jdkSet(Jdk jdk) {
        for (ThreadLocal<Integer> local : jdk.locals) {
            local.set(value);
        }
    }
}
