package io.weft.bench.loop;

import com.alipay.sofa.jraft.util.NamedThreadFactory;
import com.alipay.sofa.jraft.util.concurrent.DefaultSingleThreadExecutor;
import com.alipay.sofa.jraft.util.concurrent.MpscSingleThreadExecutor;
import io.netty.channel.IoHandlerFactory;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.epoll.EpollIoHandler;
import io.netty.channel.nio.NioIoHandler;
import io.netty.channel.uring.IoUringIoHandler;
import io.netty.util.concurrent.DefaultEventExecutor;
import io.netty.util.concurrent.DefaultThreadFactory;
import io.netty.util.concurrent.EventExecutorGroup;
import io.weft.loop.SingleThreadExecutor;
import io.weft.loop.queue.MpscQueue;
import io.weft.loop.queue.TaskQueue;
import java.time.Duration;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;
import java.util.function.Supplier;

/// A single-thread executor of one side, and how it is ended.
///
/// | side | executor | bound of its queue |
/// |---|---|---|
/// | `weft` | [SingleThreadExecutor] as it comes, with its MPSC queue | `capacity`, rounded up to a power of two |
/// | `weftUnwatched` | the same in a JVM without a watchdog | as above |
/// | `weftClq`, `weftLtq` | the same on a `ConcurrentLinkedQueue`, on a `LinkedTransferQueue` | none |
/// | `weftLbq` | the same on a `LinkedBlockingQueue` | `capacity` |
/// | `jraft` | SOFAJRaft's `MpscSingleThreadExecutor` | `capacity`, at least 2,048 |
/// | `jraftDefault` | SOFAJRaft's `DefaultSingleThreadExecutor`, a thread pool with a timer a task | `capacity` |
/// | `nettyDefault` | `DefaultEventExecutor`, no I/O, on a `LinkedBlockingQueue` | none |
/// | `nettyNio`, `nettyEpoll`, `nettyUring` | `SingleThreadIoEventLoop`, on an MPSC queue | none |
/// | `jdkPool` | `ThreadPoolExecutor` of one thread on a `LinkedBlockingQueue` | `capacity` |
/// | `jdkVirtual` | the same, its thread virtual | `capacity` |
///
/// Every one of them runs tasks one at a time, in the order in which one producer hands them over.
/// The benchmarks never have more tasks outstanding than the least bound, so that no side is
/// measured rejecting.
record OpenExecutor(Executor executor, Runnable end) implements AutoCloseable {
    static OpenExecutor open(String side, int capacity) {
        return switch (side) {
            case "weft", "weftUnwatched" -> weft(() -> new MpscQueue<>(capacity));
            case "weftClq" -> weft(() -> TaskQueue.of(new ConcurrentLinkedQueue<>()));
            case "weftLtq" -> weft(() -> TaskQueue.of(new LinkedTransferQueue<>()));
            case "weftLbq" -> weft(() -> TaskQueue.of(new LinkedBlockingQueue<>(capacity)));
            case "jraft" -> {
                var mpsc =
                        new MpscSingleThreadExecutor(
                                capacity, new NamedThreadFactory("jraft", true));
                yield new OpenExecutor(mpsc, mpsc::shutdownGracefully);
            }
            case "jraftDefault" -> {
                var pool = new DefaultSingleThreadExecutor("jraft", capacity);
                yield new OpenExecutor(pool, pool::shutdownGracefully);
            }
            case "nettyDefault" -> {
                var executor = new DefaultEventExecutor(new DefaultThreadFactory("netty", true));
                yield netty(executor, executor);
            }
            case "nettyNio" -> netty(NioIoHandler.newFactory());
            case "nettyEpoll" -> netty(EpollIoHandler.newFactory());
            case "nettyUring" -> netty(IoUringIoHandler.newFactory());
            case "jdkPool" -> jdk(pool(capacity, Executors.defaultThreadFactory()));
            case "jdkVirtual" -> jdk(pool(capacity, Thread.ofVirtual().factory()));
            default ->
                    throw new IllegalArgumentException(
                            "side: " + side + " (expected: one of the table)");
        };
    }

    private static OpenExecutor weft(Supplier<TaskQueue<Runnable>> queue) {
        SingleThreadExecutor executor = SingleThreadExecutor.builder("weft").queue(queue).build();
        return new OpenExecutor(
                executor,
                () -> executor.shutdownGracefully(Duration.ZERO, Duration.ofSeconds(15)).join());
    }

    private static OpenExecutor netty(IoHandlerFactory io) {
        var group = new MultiThreadIoEventLoopGroup(1, new DefaultThreadFactory("netty", true), io);
        return netty(group.next(), group);
    }

    private static OpenExecutor netty(Executor executor, EventExecutorGroup group) {
        return new OpenExecutor(
                executor,
                () -> group.shutdownGracefully(0, 15, TimeUnit.SECONDS).syncUninterruptibly());
    }

    private static ExecutorService pool(int capacity, java.util.concurrent.ThreadFactory factory) {
        return new ThreadPoolExecutor(
                1, 1, 0, TimeUnit.SECONDS, new LinkedBlockingQueue<>(capacity), factory);
    }

    private static OpenExecutor jdk(ExecutorService pool) {
        return new OpenExecutor(pool, pool::close);
    }

    /// Runs what was handed over and ends the thread.
    @Override
    public void close() {
        end.run();
    }
}
