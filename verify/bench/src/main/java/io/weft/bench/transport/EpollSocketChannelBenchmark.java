package io.weft.bench.transport;

import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Threads;
import org.openjdk.jmh.annotations.Warmup;
import org.openjdk.jmh.infra.BenchmarkParams;

/// Netty's `EpollSocketChannelBenchmark`, with every engine of both sides.
///
/// **One operation:**
///
/// - `PingPong`: a byte over TCP to an echo server and back, for which the caller waits. Client and
///   server are the same loop's, as there;
/// - `ExecuteSingle`: an empty task, handed to the loop and waited for;
/// - `ExecuteMulti`: the same from three threads, literally: each of them has a loop of its own
///   there, so there is no contention;
/// - `ExecuteMultiShared`: its corrected twin: three threads hand tasks to the same loop.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Warmup(iterations = 10, time = 1)
@Measurement(iterations = 10, time = 1)
@Fork(2)
public class EpollSocketChannelBenchmark {
    /// A loop a thread.
    @State(Scope.Thread)
    public static class Own {
        @SuppressWarnings("NullAway.Init") // by start
        private EchoLoop loop;

        @Setup
        public void start(BenchmarkParams params) {
            loop = EchoLoop.of(params);
        }

        @TearDown
        public void stop() {
            loop.close();
        }
    }

    /// A loop for all threads.
    @State(Scope.Benchmark)
    public static class Shared {
        @SuppressWarnings("NullAway.Init") // by start
        private EchoLoop loop;

        @Setup
        public void start(BenchmarkParams params) {
            loop = EchoLoop.of(params);
        }

        @TearDown
        public void stop() {
            loop.close();
        }
    }

    @Benchmark
    public void weftUringPingPong(Own own) {
        own.loop.pingPong();
    }

    @Benchmark
    public void weftEpollPingPong(Own own) {
        own.loop.pingPong();
    }

    @Benchmark
    public void weftNioPingPong(Own own) {
        own.loop.pingPong();
    }

    @Benchmark
    public void nettyUringPingPong(Own own) {
        own.loop.pingPong();
    }

    @Benchmark
    public void nettyEpollPingPong(Own own) {
        own.loop.pingPong();
    }

    @Benchmark
    public void nettyNioPingPong(Own own) {
        own.loop.pingPong();
    }

    @Benchmark
    public void weftUringExecuteSingle(Own own) {
        own.loop.execute();
    }

    @Benchmark
    public void weftEpollExecuteSingle(Own own) {
        own.loop.execute();
    }

    @Benchmark
    public void weftNioExecuteSingle(Own own) {
        own.loop.execute();
    }

    @Benchmark
    public void nettyUringExecuteSingle(Own own) {
        own.loop.execute();
    }

    @Benchmark
    public void nettyEpollExecuteSingle(Own own) {
        own.loop.execute();
    }

    @Benchmark
    public void nettyNioExecuteSingle(Own own) {
        own.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void weftUringExecuteMulti(Own own) {
        own.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void weftEpollExecuteMulti(Own own) {
        own.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void weftNioExecuteMulti(Own own) {
        own.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void nettyUringExecuteMulti(Own own) {
        own.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void nettyEpollExecuteMulti(Own own) {
        own.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void nettyNioExecuteMulti(Own own) {
        own.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void weftUringExecuteMultiShared(Shared shared) {
        shared.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void weftEpollExecuteMultiShared(Shared shared) {
        shared.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void weftNioExecuteMultiShared(Shared shared) {
        shared.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void nettyUringExecuteMultiShared(Shared shared) {
        shared.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void nettyEpollExecuteMultiShared(Shared shared) {
        shared.loop.execute();
    }

    @Benchmark
    @Threads(3)
    public void nettyNioExecuteMultiShared(Shared shared) {
        shared.loop.execute();
    }
}
