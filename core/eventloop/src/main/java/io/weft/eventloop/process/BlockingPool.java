package io.weft.eventloop.process;

import io.weft.loop.Promise;
import java.util.concurrent.Callable;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// A few threads for calls that wait for a disk or for the network, shared by all loops. They begin
/// with the first call and end when they are idle. Platform threads: a virtual one would hold its
/// carrier while it waits.
public final class BlockingPool {
    private static final long IDLE_SECONDS = 10;

    private final String what;
    private final int maxWaiting;
    private final ThreadPoolExecutor threads;

    /// @param what they work at, for their names and for messages
    /// @param maxWaiting calls, beyond which more are refused
    public BlockingPool(String what, int threads, int maxWaiting) {
        this(
                what,
                threads,
                maxWaiting,
                Thread.ofPlatform().daemon().name("weft-" + what + "-", 0).factory());
    }

    BlockingPool(String what, int threads, int maxWaiting, ThreadFactory factory) {
        this.what = what;
        this.maxWaiting = maxWaiting;
        this.threads =
                new ThreadPoolExecutor(
                        threads,
                        threads,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(maxWaiting),
                        factory);
        this.threads.allowCoreThreadTimeOut(true);
    }

    /// Has `promise` get what `call` returns or throws, or a [RejectedExecutionException] when too
    /// many wait; the error where the system starts no thread. A promise that was cancelled
    /// meanwhile is not worked for.
    public <V> void run(Promise<V> promise, Callable<? extends V> call) {
        try {
            threads.execute(
                    () -> {
                        if (promise.isDone()) {
                            return;
                        }
                        try {
                            promise.trySuccess(call.call());
                        } catch (Throwable t) {
                            promise.tryFailure(t);
                        }
                    });
        } catch (RejectedExecutionException e) {
            promise.tryFailure(
                    new RejectedExecutionException(
                            what + ": " + maxWaiting + " wait (expected: < " + maxWaiting + ")"));
        } catch (Throwable t) { // no thread can be started
            promise.tryFailure(t);
        }
    }
}
