package io.weft.bench.loop;

import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultPromise;
import io.netty.util.concurrent.GenericFutureListener;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.SingleThreadExecutor;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.BiConsumer;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;
import org.openjdk.jmh.annotations.Warmup;

/// Completing promises in the loop: Weft's, Netty's `DefaultPromise`, and `CompletableFuture`.
///
/// **One operation:** a promise is made, gets so many `listeners`, and succeeds, whereupon they are
/// called with the value. A thread of the side's own executor does 100,000 of them in a row, as one
/// task.
@State(Scope.Thread)
@BenchmarkMode(Mode.AverageTime)
@OutputTimeUnit(TimeUnit.NANOSECONDS)
@Warmup(iterations = 5, time = 1)
@Measurement(iterations = 5, time = 1)
@Fork(2)
@OperationsPerInvocation(PromiseBenchmark.PROMISES)
public class PromiseBenchmark {
    static final int PROMISES = 100_000;

    @Param({"0", "1", "3"})
    int listeners;

    private final Object value = new Object();

    /// Escapes, so that no promise is optimised away.
    @Nullable Object last;

    private long called;

    private void call(@Nullable Object result) {
        if (result == value) {
            called++;
        }
    }

    private long called() {
        if (called != (long) PROMISES * listeners) {
            throw new IllegalStateException(
                    "calls: " + called + " (expected: " + PROMISES * listeners + ")");
        }
        called = 0;
        return called;
    }

    @State(Scope.Thread)
    public static class Weft {
        private final SingleThreadExecutor loop = new SingleThreadExecutor("weft");

        @TearDown
        public void stop() {
            loop.shutdownGracefully().join();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private final DefaultEventExecutor loop = new DefaultEventExecutor();

        @TearDown
        public void stop() {
            loop.shutdownGracefully(0, 15, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    @State(Scope.Thread)
    public static class Jdk {
        private final ExecutorService loop = Executors.newSingleThreadExecutor();

        @TearDown
        public void stop() {
            loop.close();
        }
    }

    @Benchmark
    public long weftComplete(Weft weft) {
        Consumer<Future<Object>> listener = future -> call(future.now());
        return weft.loop
                .submit(
                        () -> {
                            for (int n = 0; n < PROMISES; n++) {
                                Promise<Object> promise = weft.loop.newPromise();
                                for (int i = 0; i < listeners; i++) {
                                    promise.addListener(listener);
                                }
                                promise.setSuccess(value);
                                last = promise;
                            }
                            return called();
                        })
                .join();
    }

    @Benchmark
    public long nettyComplete(Netty netty) {
        GenericFutureListener<io.netty.util.concurrent.Future<Object>> listener =
                future -> call(future.getNow());
        return netty.loop
                .submit(
                        () -> {
                            for (int n = 0; n < PROMISES; n++) {
                                var promise = new DefaultPromise<>(netty.loop);
                                for (int i = 0; i < listeners; i++) {
                                    promise.addListener(listener);
                                }
                                promise.setSuccess(value);
                                last = promise;
                            }
                            return called();
                        })
                .syncUninterruptibly()
                .getNow();
    }

    @Benchmark
    public long jdkComplete(Jdk jdk) throws ExecutionException, InterruptedException {
        BiConsumer<Object, @Nullable Throwable> listener = (result, _) -> call(result);
        return jdk.loop
                .submit(
                        () -> {
                            for (int n = 0; n < PROMISES; n++) {
                                var promise = new CompletableFuture<Object>();
                                for (int i = 0; i < listeners; i++) {
                                    var _ = promise.whenComplete(listener);
                                }
                                promise.complete(value);
                                last = promise;
                            }
                            return called();
                        })
                .get();
    }
}
