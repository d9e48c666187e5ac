package io.weft.bench.loop;

import io.netty.channel.EventLoop;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.weft.loop.SingleThreadExecutor;
import io.weft.loop.Timeout;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Future;
import java.util.concurrent.ScheduledThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;
import org.openjdk.jmh.infra.BenchmarkParams;

/// A loop with timers of one side. One implementation is loaded in a JVM that measures, so that
/// calls are direct.
///
/// @param <T> what a timeout is called there
interface TimerLoop<T> extends AutoCloseable {
    /// Far enough for nothing to become due while a benchmark runs.
    TimeUnit UNIT = TimeUnit.HOURS;

    /// Runs `task` in the loop and waits for its end.
    void run(Runnable task);

    /// Arms a timeout of `hours` that does nothing.
    T arm(int hours);

    void cancel(T timeout);

    /// In place of `timeout`, which is pending, one of `hours`.
    default T putOff(T timeout, int hours) {
        cancel(timeout);
        return arm(hours);
    }

    @Override
    void close();

    /// The loop of the side that JMH runs: Weft's, `netty`, or the JDK's scheduled pool of one
    /// thread, which removes what is cancelled.
    static TimerLoop<?> of(BenchmarkParams params, Supplier<EventLoop> netty) {
        String method = params.getBenchmark().substring(params.getBenchmark().lastIndexOf('.') + 1);
        if (method.startsWith("weft")) {
            return new Weft();
        }
        return method.startsWith("netty") ? new Netty(netty.get()) : new Jdk();
    }

    /// Netty's loop with an MPSC queue and a selector, as used for I/O.
    static EventLoop nio() {
        return new MultiThreadIoEventLoopGroup(
                        1, new DefaultThreadFactory("netty", true), NioIoHandler.newFactory())
                .next();
    }

    /// The queue has room for 131,072 tasks: timeouts that another thread arms come by it.
    final class Weft implements TimerLoop<Timeout> {
        private final SingleThreadExecutor loop =
                SingleThreadExecutor.builder("weft").queueCapacity(1 << 17).build();

        @Override
        public void run(Runnable task) {
            loop.submit(
                            () -> {
                                task.run();
                                return true;
                            })
                    .join();
        }

        @Override
        public Timeout arm(int hours) {
            return loop.schedule(() -> {}, hours, UNIT);
        }

        @Override
        public void cancel(Timeout timeout) {
            timeout.cancel();
        }

        @Override
        public Timeout putOff(Timeout timeout, int hours) {
            timeout.rearm(hours, UNIT);
            return timeout;
        }

        @Override
        public void close() {
            loop.shutdownGracefully().join();
        }
    }

    final class Netty implements TimerLoop<Future<?>> {
        private final EventLoop loop;

        Netty(EventLoop loop) {
            this.loop = loop;
        }

        @Override
        public void run(Runnable task) {
            loop.submit(task).syncUninterruptibly();
        }

        @Override
        public Future<?> arm(int hours) {
            return loop.schedule(() -> {}, hours, UNIT);
        }

        @Override
        public void cancel(Future<?> timeout) {
            timeout.cancel(false);
        }

        @Override
        public void close() {
            loop.shutdownGracefully(0, 15, TimeUnit.SECONDS).syncUninterruptibly();
        }
    }

    final class Jdk implements TimerLoop<Future<?>> {
        private final ScheduledThreadPoolExecutor loop = new ScheduledThreadPoolExecutor(1);

        Jdk() {
            loop.setRemoveOnCancelPolicy(true);
        }

        @Override
        public void run(Runnable task) {
            try {
                loop.submit(task).get();
            } catch (ExecutionException | InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public Future<?> arm(int hours) {
            return loop.schedule(() -> {}, hours, UNIT);
        }

        @Override
        public void cancel(Future<?> timeout) {
            timeout.cancel(false);
        }

        @Override
        public void close() {
            loop.shutdownNow();
        }
    }
}
