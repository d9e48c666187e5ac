package io.weft.pool;

import io.weft.channel.Channel;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Function;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Connections that are used again: [#acquire] lends one that is idle, or makes one, and [#release]
/// takes it back. Any thread.
///
/// ```java
/// ChannelPool pool = ChannelPool.builder(loop, () -> bootstrap.connect(address)).maxChannels(16).build();
/// ```
///
/// A channel that closes, wherever it is, makes room for another, and so does a connect that fails.
/// Lent channels have to be released or closed.
public final class ChannelPool {
    private static final System.Logger LOGGER = System.getLogger("io.weft.pool");

    /// Which of the idle channels is lent first.
    public enum Order {
        /// The one that was used last, so that those that are not needed stay idle and time out.
        LIFO,
        /// The one that has been idle for longest, so that all are used alike.
        FIFO
    }

    private enum State {
        IDLE,
        LENT
    }

    final EventExecutor executor;
    private final Supplier<Future<Channel>> connector;
    private final Function<Channel, Future<Boolean>> healthCheck;
    private final Order order;
    private final int maxChannels;
    private final int maxWaiting;
    final Duration patience;
    private final boolean beyondWhenLate;

    // ---- under the lock ----

    final Object lock = new Object();
    private final Map<Channel, State> channels = new HashMap<>();
    private final ArrayDeque<Channel> idle = new ArrayDeque<>();
    private final ArrayDeque<Waiter> waiting = new ArrayDeque<>();

    /// Pending acquisitions, oldest first: those that wait, and those whose channel is being
    /// connected or checked.
    private final Set<Waiter> hopeful = new LinkedHashSet<>();

    private int connecting;
    private boolean closed;

    private ChannelPool(Builder builder) {
        executor = builder.executor;
        connector = builder.connector;
        healthCheck = builder.healthCheck;
        order = builder.order;
        maxChannels = builder.maxChannels;
        maxWaiting = builder.maxWaiting;
        patience = builder.patience;
        beyondWhenLate = builder.beyondWhenLate;
    }

    /// @param executor what the pool's timers and the listeners of its futures run on
    /// @param connector makes a channel, such as
    ///     [Bootstrap#connect][io.weft.channel.Bootstrap#connect]
    public static Builder builder(EventExecutor executor, Supplier<Future<Channel>> connector) {
        return new Builder(executor, connector);
    }

    /// Collects what a pool is made of.
    public static final class Builder {
        private final EventExecutor executor;
        private final Supplier<Future<Channel>> connector;
        private Function<Channel, Future<Boolean>> healthCheck;
        private Order order = Order.LIFO;
        private int maxChannels = 64;
        private int maxWaiting = 1024;
        private Duration patience = Duration.ofSeconds(10);
        private boolean beyondWhenLate;

        private Builder(EventExecutor executor, Supplier<Future<Channel>> connector) {
            this.executor = executor;
            this.connector = connector;
            healthCheck = channel -> executor.<Boolean>newPromise().setSuccess(channel.isActive());
        }

        /// Sets the maximum number of channels, lent or not. Default: 64.
        ///
        /// @throws IllegalArgumentException when it is not positive
        public Builder maxChannels(int maxChannels) {
            this.maxChannels = positive("maxChannels", maxChannels);
            return this;
        }

        /// Allows any number of channels, so that no acquisition waits for another. For users that
        /// are bounded by other means.
        public Builder unbounded() {
            maxChannels = Integer.MAX_VALUE;
            return this;
        }

        /// Sets the number of acquisitions that may wait for a channel; one beyond fails. Default:
        /// 1024.
        ///
        /// @throws IllegalArgumentException when it is not positive
        public Builder maxWaiting(int maxWaiting) {
            this.maxWaiting = positive("maxWaiting", maxWaiting);
            return this;
        }

        /// Sets the time-out of an acquisition, the connect included. After it the acquisition
        /// fails with an [AcquireTimeoutException]. Default: 10 s.
        ///
        /// @throws IllegalArgumentException when it is not positive
        public Builder acquireTimeout(Duration timeout) {
            if (timeout.isNegative() || timeout.isZero()) {
                throw new IllegalArgumentException("timeout: " + timeout + " (expected: > 0)");
            }
            patience = timeout;
            return this;
        }

        /// Opens a new channel, beyond [#maxChannels], for an acquisition that reaches the acquire
        /// time-out while it waits, instead of failing it.
        public Builder connectWhenLate() {
            beyondWhenLate = true;
            return this;
        }

        /// Which idle channel is lent first. Default: [Order#LIFO].
        public Builder order(Order order) {
            this.order = order;
            return this;
        }

        /// Sets the check of an idle channel before it is lent. If it fails, the channel is closed
        /// and the next is tried. Default: the channel is active.
        public Builder healthCheck(Function<Channel, Future<Boolean>> check) {
            healthCheck = check;
            return this;
        }

        private static int positive(String name, int value) {
            if (value < 1) {
                throw new IllegalArgumentException(name + ": " + value + " (expected: >= 1)");
            }
            return value;
        }

        public ChannelPool build() {
            return new ChannelPool(this);
        }
    }

    // ---- lending ----

    /// Lends a channel: an idle one, else a new one, else the next that is released.
    ///
    /// @return fails with what the connect failed with, with an [AcquireTimeoutException], with a
    ///     `RejectedExecutionException` when too many wait, the pool is closed, or its executor
    ///     takes no more tasks. Cancelling it gives the place up.
    public Future<Channel> acquire() {
        Waiter waiter = new Waiter(this);
        if (waiter.begin()) {
            serve(waiter);
        }
        return waiter.promise;
    }

    void begun(Waiter waiter) {
        synchronized (lock) {
            hopeful.add(waiter);
        }
    }

    void ended(Waiter waiter) {
        synchronized (lock) {
            hopeful.remove(waiter);
            if (!waiter.promise.isSuccess()) {
                waiting.remove(waiter);
            }
        }
    }

    /// Returns false if the acquisition fails, whose time is over.
    boolean connectsLate(Waiter waiter) {
        synchronized (lock) {
            if (!waiting.remove(waiter) || !beyondWhenLate || closed) {
                return false;
            }
            connecting++;
        }
        connect(waiter);
        return true;
    }

    /// Idle channels that fail a check whose outcome is there at once are passed over in a loop:
    /// each on the stack of the one before, a few thousand would overflow it.
    private void serve(Waiter waiter) {
        for (Channel candidate; (candidate = idleFor(waiter)) != null; ) {
            Future<Boolean> health = check(candidate);
            if (!health.isDone()) {
                waiter.checkBegins(candidate);
                var _ = health.addListener(outcome -> checkedLater(waiter, outcome));
                return;
            }
            if (checked(candidate, waiter, health)) {
                return;
            }
        }
    }

    /// Takes an idle channel to be checked for `waiter`. Null if there is none: a new channel is to
    /// be connected, or the acquisition waits or is over.
    private @Nullable Channel idleFor(Waiter waiter) {
        Channel candidate = null;
        RejectedExecutionException refusal = null;
        boolean over = false;
        synchronized (lock) {
            if (waiter.promise.isDone()) {
                over = true;
            } else if (closed) {
                refusal = new RejectedExecutionException("pool: closed (expected: open)");
            } else if ((candidate = takeIdle()) == null) {
                if (channels.size() + connecting < maxChannels) {
                    connecting++;
                } else if (waiting.size() < maxWaiting) {
                    waiting.add(waiter);
                    return null;
                } else {
                    refusal =
                            new RejectedExecutionException(
                                    "waiting: " + maxWaiting + " (expected: < " + maxWaiting + ")");
                }
            }
        }
        if (over) {
            makeRoom(); // the next may have the room
        } else if (refusal != null) {
            waiter.promise.tryFailure(refusal);
        } else if (candidate == null) {
            connect(waiter);
        }
        return candidate;
    }

    private @Nullable Channel takeIdle() {
        Channel channel = order == Order.LIFO ? idle.pollLast() : idle.pollFirst();
        if (channel != null) {
            channels.put(channel, State.LENT);
        }
        return channel;
    }

    private Future<Boolean> check(Channel channel) {
        try {
            return Objects.requireNonNull(healthCheck.apply(channel), "healthCheck");
        } catch (Throwable t) {
            LOGGER.log(System.Logger.Level.WARNING, "a health check threw; closing " + channel, t);
            return executor.<Boolean>newPromise().setSuccess(false);
        }
    }

    private void checkedLater(Waiter waiter, Future<Boolean> health) {
        Channel channel = waiter.checkEnds();
        if (channel != null && !checked(channel, waiter, health)) {
            serve(waiter);
        }
    }

    /// @return whether the channel was lent; else it is closed
    private boolean checked(Channel channel, Waiter waiter, Future<Boolean> health) {
        if (Boolean.TRUE.equals(health.now()) && channel.isOpen()) {
            lend(channel, waiter);
            return true;
        }
        forget(channel);
        var _ = channel.close();
        return false;
    }

    private void connect(Waiter waiter) {
        Future<Channel> attempt;
        try {
            attempt = Objects.requireNonNull(connector.get(), "connector");
        } catch (Throwable t) {
            connectFailed(waiter, t);
            return;
        }
        var _ =
                attempt.addListener(
                        outcome -> {
                            Channel channel = outcome.now();
                            if (channel != null) {
                                connected(channel, waiter);
                            } else {
                                connectFailed(
                                        waiter,
                                        Objects.requireNonNullElseGet(
                                                outcome.cause(), CancellationException::new));
                            }
                        });
    }

    private void connected(Channel channel, Waiter waiter) {
        synchronized (lock) {
            connecting--;
            channels.put(channel, State.LENT);
        }
        var _ =
                channel.closeFuture()
                        .addListener(
                                _ -> {
                                    forget(channel);
                                    makeRoom();
                                });
        lend(channel, waiter);
    }

    private void connectFailed(Waiter waiter, Throwable cause) {
        synchronized (lock) {
            connecting--;
        }
        waiter.promise.tryFailure(cause);
        makeRoom();
    }

    /// Serves the next waiting acquisition after a channel is gone. Runs as a task: a thousand
    /// connects that fail at once must not nest on the stack.
    private void makeRoom() {
        synchronized (lock) {
            if (waiting.isEmpty()) {
                return;
            }
        }
        try {
            executor.executeUnbounded(
                    () -> {
                        Waiter next = nextWaiter();
                        if (next != null) {
                            serve(next);
                        }
                    });
        } catch (RejectedExecutionException e) {
            failAll(e);
        }
    }

    private @Nullable Waiter nextWaiter() {
        synchronized (lock) {
            boolean room = !idle.isEmpty() || channels.size() + connecting < maxChannels;
            return room ? waiting.poll() : null;
        }
    }

    private void lend(Channel channel, Waiter waiter) {
        if (!waiter.promise.trySuccess(channel)) {
            takeBack(channel); // who asked has given up
        }
    }

    // ---- taking back ----

    /// Takes a lent channel back as it is: the caller has read all input meant for it. If the
    /// channel is closed, it is only forgotten.
    ///
    /// @throws IllegalArgumentException when it is open and not lent by this pool, or was released
    ///     before
    public void release(Channel channel) {
        synchronized (lock) {
            if (channel.isOpen() && channels.get(channel) != State.LENT) {
                throw new IllegalArgumentException(
                        "channel: " + channel + " (expected: one that this pool has lent)");
            }
        }
        takeBack(channel);
    }

    private void takeBack(Channel channel) {
        Waiter next = null;
        boolean drop;
        synchronized (lock) {
            // One that closed meanwhile has been forgotten.
            boolean known = channels.containsKey(channel);
            drop = closed || !channel.isActive();
            if (!drop && known && (next = waiting.poll()) == null) {
                channels.put(channel, State.IDLE);
                idle.addLast(channel);
            }
        }
        if (drop) {
            forget(channel);
            var _ = channel.close();
            makeRoom();
        } else if (next != null) {
            lend(channel, next);
        }
    }

    private void forget(Channel channel) {
        synchronized (lock) {
            if (channels.remove(channel) == State.IDLE) {
                idle.remove(channel);
            }
        }
    }

    // ---- the end ----

    /// Closes idle channels now, and lent ones when they are released. Fails pending acquisitions,
    /// including those still connecting, whose channels are closed then.
    public void close() {
        List<Channel> unused;
        synchronized (lock) {
            closed = true;
            unused = new ArrayList<>(idle);
        }
        unused.forEach(Channel::close);
        failAll(new RejectedExecutionException("pool: closed (expected: open)"));
    }

    private void failAll(RejectedExecutionException cause) {
        List<Waiter> losers;
        synchronized (lock) {
            losers = new ArrayList<>(hopeful);
            waiting.clear();
        }
        losers.forEach(waiter -> waiter.promise.tryFailure(cause));
    }

    int size() {
        synchronized (lock) {
            return channels.size();
        }
    }

    /// Returns the number of idle channels. A snapshot.
    public int idle() {
        synchronized (lock) {
            return idle.size();
        }
    }

    /// Channels that are lent. A snapshot.
    public int lent() {
        synchronized (lock) {
            return channels.size() - idle.size();
        }
    }

    /// Returns the number of acquisitions that wait for a channel. A snapshot.
    public int waiting() {
        synchronized (lock) {
            return waiting.size();
        }
    }

    @Override
    public String toString() {
        return "ChannelPool[idle=" + idle() + ", lent=" + lent() + ", waiting=" + waiting() + "]";
    }
}
