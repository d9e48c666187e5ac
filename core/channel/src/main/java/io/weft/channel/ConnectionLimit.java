package io.weft.channel;

import io.weft.eventloop.EventLoop;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Futures;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;

/// Counts the open connections of one [ServerBootstrap], over all its listeners. Any thread.
///
/// At the maximum a listener stops accepting. It says that it waits and then looks at the count
/// again; a connection that closes leaves the count and then looks for listeners that wait. So one
/// of the two sees the other.
final class ConnectionLimit {
    /// The default of [ServerBootstrap#maxConnections].
    static final int DEFAULT = 65_536;

    private final int max;

    /// Of the group, on which the connections are.
    private final List<EventLoop> loops;

    private final AtomicInteger open = new AtomicInteger();
    private final List<ServerChannel> listeners = new CopyOnWriteArrayList<>();

    ConnectionLimit(int max, List<EventLoop> loops) {
        if (max < 1) {
            throw new IllegalArgumentException("maxConnections: " + max + " (expected: >= 1)");
        }
        this.max = max;
        this.loops = loops;
    }

    int max() {
        return max;
    }

    void add(ServerChannel listener) {
        listeners.add(listener);
    }

    void remove(ServerChannel listener) {
        listeners.remove(listener);
    }

    /// Counts one more connection.
    ///
    /// @return false at the maximum
    boolean enter() {
        for (int now = open.get(); now < max; now = open.get()) {
            if (open.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    boolean isReached() {
        return open.get() >= max;
    }

    /// A connection is closed, or has come to nothing.
    void leave() {
        if (open.getAndDecrement() == max) {
            for (ServerChannel listener : listeners) {
                listener.hasRoom();
            }
        }
    }

    /// Closes the connections that are counted here in order, and aborts those that are open after
    /// `timeout`.
    ///
    /// @param executor of the future's listeners
    Future<?> closeAll(EventExecutor executor, Duration timeout) {
        List<Future<Void>> ends = new ArrayList<>();
        for (EventLoop loop : loops) {
            Promise<Void> end = executor.newPromise();
            try {
                loop.executeUnbounded(() -> closeAll(loop, timeout, end));
                ends.add(end);
            } catch (RejectedExecutionException e) {
                // It has ended, and its connections with it.
            }
        }
        return Futures.all(executor, ends);
    }

    private void closeAll(EventLoop loop, Duration timeout, Promise<Void> end) {
        List<Channel> counted = OpenChannels.of(loop).countedBy(this);
        Timeout cut = abortLater(loop, timeout, counted);
        counted.forEach(Channel::close);
        List<Future<Void>> closes = counted.stream().map(Channel::closeFuture).toList();
        var _ =
                Futures.all(loop, closes)
                        .addListener(
                                _ -> {
                                    if (cut != null) {
                                        cut.cancel();
                                    }
                                    end.trySuccess(null);
                                });
    }

    /// @return null on a loop that shuts down, which aborts them itself
    private static @Nullable Timeout abortLater(
            EventLoop loop, Duration timeout, List<Channel> channels) {
        try {
            return loop.schedule(
                    () -> channels.forEach(Channel::abort),
                    TimeUnit.NANOSECONDS.convert(timeout), // at most 292 years
                    TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            return null;
        }
    }
}
