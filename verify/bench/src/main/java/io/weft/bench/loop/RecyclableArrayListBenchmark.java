package io.weft.bench.loop;

import io.netty.util.internal.RecyclableArrayList;
import io.weft.bench.jmh.BenchmarkThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;

/// Literal port of Netty's benchmark of this name, but that one operation is one list, not a batch
/// of 100.
///
/// **One operation:** a list with room for `size` elements is taken from the pool, and given back;
/// four threads do so. Once the pooled list has grown, `size` changes nothing; a new list, which is
/// there for comparison, is cleared by the JVM each time.
///
/// Each framework's pool is measured on its own threads. Netty's works on no other; Weft's works on
/// any.
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
@Threads(4)
public class RecyclableArrayListBenchmark {
    @Param({"0", "256", "1024", "4096", "16384", "65536"})
    int size;

    @Benchmark
    @Fork(value = 2, jvmArgsPrepend = "-D" + BenchmarkThreads.LOOP_THREADS + "=true")
    public boolean weftRecycleSameThread() {
        return PooledList.take(size).recycle();
    }

    @Benchmark
    public boolean weftAnyThreadRecycleSameThread() {
        return PooledList.take(size).recycle();
    }

    @Benchmark
    public boolean nettyRecycleSameThread() {
        return RecyclableArrayList.newInstance(size).recycle();
    }

    @Benchmark
    public List<Object> jdkNewRecycleSameThread() {
        return new ArrayList<>(size);
    }
}
