package io.weft.bench.loop;

import io.netty.util.internal.RecyclableArrayList;
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
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.Blackhole;

/// The cost of a decoder's putting its messages into a list from which they are then handed on.
/// Weft's decoders hand each message to its consumer as soon as it is there, so that there is no
/// list.
///
/// **One operation:** one call of a decoder that yields `elements` messages.
///
/// - `Fill` is a literal port of Netty's benchmark of this name: a list is filled and cleared. It
///   is neither read nor given back, so the pools are soon empty and their sides measure lists that
///   are new. Weft's side does more than the others there: its messages arrive.
/// - `Deliver` is its corrected twin: each message arrives at the consumer, and pooled lists are
///   given back.
///
/// Sides: `netty` has `CodecOutputList`, `nettyRecycler` has `RecyclableArrayList`, the JDK a new
/// `ArrayList`.
@State(Scope.Thread)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
public class CodecOutputListBenchmark {
    private static final int CAPACITY = 16;

    @Param({"1", "4"})
    int elements;

    private final Object message = new Object();

    @Benchmark
    public void weftFill(Blackhole pipeline) {
        decode(pipeline::consume);
    }

    @Benchmark
    public List<Object> nettyFill() {
        return fillAndClear(NettyOutputList.newInstance());
    }

    @Benchmark
    public List<Object> nettyRecyclerFill() {
        return fillAndClear(RecyclableArrayList.newInstance(CAPACITY));
    }

    @Benchmark
    public List<Object> jdkFill() {
        return fillAndClear(new ArrayList<>(CAPACITY));
    }

    @Benchmark
    public void weftDeliver(Blackhole pipeline) {
        decode(pipeline::consume);
    }

    @Benchmark
    public void nettyDeliver(Blackhole pipeline) {
        NettyOutputList.recycle(deliver(NettyOutputList.newInstance(), pipeline));
    }

    @Benchmark
    public boolean nettyRecyclerDeliver(Blackhole pipeline) {
        return deliver(RecyclableArrayList.newInstance(CAPACITY), pipeline).recycle();
    }

    @Benchmark
    public List<Object> jdkDeliver(Blackhole pipeline) {
        return deliver(new ArrayList<>(CAPACITY), pipeline);
    }

    private void decode(Consumer<Object> out) {
        for (int i = 0; i < elements; i++) {
            out.accept(message);
        }
    }

    private List<Object> fillAndClear(List<Object> list) {
        decode(list::add);
        list.clear();
        return list;
    }

    private <L extends List<Object>> L deliver(L list, Blackhole pipeline) {
        decode(list::add);
        for (int i = 0; i < list.size(); i++) {
            pipeline.consume(list.get(i));
        }
        return list;
    }
}
