package io.weft.channel;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.IpAddresses;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.util.List;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadPoolExecutor;
import java.util.concurrent.TimeUnit;

/// See [NameResolver#system].
enum SystemResolver implements NameResolver {
    INSTANCE;

    private static final int THREADS = 8;
    private static final int MAX_WAITING = 1024;
    private static final long IDLE_SECONDS = 10;

    /// With the first name.
    private static final class Lookups {
        static final ThreadPoolExecutor THREAD_POOL =
                new ThreadPoolExecutor(
                        THREADS,
                        THREADS,
                        IDLE_SECONDS,
                        TimeUnit.SECONDS,
                        new LinkedBlockingQueue<>(MAX_WAITING),
                        Thread.ofPlatform().daemon().name("weft-names-", 0).factory());

        static {
            THREAD_POOL.allowCoreThreadTimeOut(true);
        }
    }

    @Override
    public Future<List<InetAddress>> resolve(String host, EventExecutor executor) {
        Promise<List<InetAddress>> promise = executor.newPromise();
        InetAddress literal = IpAddresses.parse(host);
        if (literal != null) {
            return promise.setSuccess(List.of(literal));
        }
        try {
            Lookups.THREAD_POOL.execute(() -> lookUp(host, promise));
        } catch (RejectedExecutionException e) {
            promise.tryFailure(
                    new RejectedExecutionException(
                            "names: " + MAX_WAITING + " wait (expected: < " + MAX_WAITING + ")"));
        }
        return promise;
    }

    private static void lookUp(String host, Promise<List<InetAddress>> promise) {
        if (promise.isDone()) {
            return; // cancelled
        }
        try {
            promise.trySuccess(List.of(InetAddress.getAllByName(host)));
        } catch (Throwable t) {
            promise.tryFailure(t);
        }
    }
}
