package io.weft.bench.loop;

import io.netty.util.internal.RecyclableArrayList;
import java.util.AbstractList;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
import org.openjdk.jmh.infra.Blackhole;

/// Literal port of Netty's benchmark of this name: four decoders, one in the other, on each of 16
/// threads.
///
/// **One operation:** four lists are taken from the pool, each is filled with `elements` messages,
/// then all are given back. Weft's side passes the same messages on to a consumer and does more
/// than the others: they do not read their lists.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
@Threads(16)
public class AdvancedCodecOutputListBenchmark {
    private static final int CAPACITY = 16;

    @Param({"1", "4"})
    int elements;

    private final Object message = new Object();

    @Benchmark
    public void weftNested(Blackhole pipeline) {
        decode(pipeline::consume);
        decode(pipeline::consume);
        decode(pipeline::consume);
        decode(pipeline::consume);
    }

    @Benchmark
    public void nettyNested() {
        AbstractList<Object> a = NettyOutputList.newInstance();
        AbstractList<Object> b = NettyOutputList.newInstance();
        AbstractList<Object> c = NettyOutputList.newInstance();
        AbstractList<Object> d = NettyOutputList.newInstance();
        decode(a::add);
        decode(b::add);
        decode(c::add);
        decode(d::add);
        NettyOutputList.recycle(a);
        NettyOutputList.recycle(b);
        NettyOutputList.recycle(c);
        NettyOutputList.recycle(d);
    }

    @Benchmark
    public void nettyRecyclerNested() {
        RecyclableArrayList a = RecyclableArrayList.newInstance(CAPACITY);
        RecyclableArrayList b = RecyclableArrayList.newInstance(CAPACITY);
        RecyclableArrayList c = RecyclableArrayList.newInstance(CAPACITY);
        RecyclableArrayList d = RecyclableArrayList.newInstance(CAPACITY);
        decode(a::add);
        decode(b::add);
        decode(c::add);
        decode(d::add);
        a.recycle();
        b.recycle();
        c.recycle();
        d.recycle();
    }

    @Benchmark
    public void jdkNested(Blackhole blackhole) {
        List<Object> a = new ArrayList<>(CAPACITY);
        List<Object> b = new ArrayList<>(CAPACITY);
        List<Object> c = new ArrayList<>(CAPACITY);
        List<Object> d = new ArrayList<>(CAPACITY);
        decode(a::add);
        decode(b::add);
        decode(c::add);
        decode(d::add);
        blackhole.consume(a);
        blackhole.consume(b);
        blackhole.consume(c);
        blackhole.consume(d);
    }

    private void decode(Consumer<Object> out) {
        for (int i = 0; i < elements; i++) {
            out.accept(message);
        }
    }
}
