package io.weft.bench.loop;

import io.netty.util.internal.RecyclableArrayList;
import io.weft.bench.jmh.BenchmarkThreads;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Group;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;
import org.openjdk.jmh.infra.Control;

/// The twin of [RecyclableArrayListBenchmark] with two threads: one takes lists from its pool, the
/// other gives them back.
///
/// **One operation:** a list with room for `size` elements is taken, or one is given back; so a
/// list on its way there and back counts twice. In between the lists pass through 1,024 [Slots].
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
public class RecycleAcrossThreadsBenchmark {
    @State(Scope.Group)
    public static class Weft {
        private final Slots<PooledList> slots = new Slots<>();
    }

    @State(Scope.Group)
    public static class Netty {
        private final Slots<RecyclableArrayList> slots = new Slots<>();
    }

    @State(Scope.Group)
    public static class Jdk {
        private final Slots<List<Object>> slots = new Slots<>();
    }

    @State(Scope.Thread)
    public static class Size {
        @Param({"0", "256"})
        int size;
    }

    @Benchmark
    @Group("weftRecycle")
    @Fork(value = 2, jvmArgsPrepend = "-D" + BenchmarkThreads.LOOP_THREADS + "=true")
    public void weftTake(Weft weft, Size size, Control control) {
        PooledList list = PooledList.take(size.size);
        if (!weft.slots.put(list, control)) {
            list.recycle();
        }
    }

    @Benchmark
    @Group("weftRecycle")
    @Fork(value = 2, jvmArgsPrepend = "-D" + BenchmarkThreads.LOOP_THREADS + "=true")
    public void weftGive(Weft weft, Control control) {
        PooledList list = weft.slots.take(control);
        if (list != null) {
            list.recycle();
        }
    }

    @Benchmark
    @Group("nettyRecycle")
    public void nettyTake(Netty netty, Size size, Control control) {
        RecyclableArrayList list = RecyclableArrayList.newInstance(size.size);
        if (!netty.slots.put(list, control)) {
            list.recycle();
        }
    }

    @Benchmark
    @Group("nettyRecycle")
    public void nettyGive(Netty netty, Control control) {
        RecyclableArrayList list = netty.slots.take(control);
        if (list != null) {
            list.recycle();
        }
    }

    @Benchmark
    @Group("jdkNewRecycle")
    public boolean jdkTake(Jdk jdk, Size size, Control control) {
        return jdk.slots.put(new ArrayList<>(size.size), control);
    }

    @Benchmark
    @Group("jdkNewRecycle")
    public void jdkGive(Jdk jdk, Control control, Blackhole blackhole) {
        blackhole.consume(jdk.slots.take(control));
    }
}
