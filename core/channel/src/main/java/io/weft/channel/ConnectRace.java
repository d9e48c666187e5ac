package io.weft.channel;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connects to a host by its name: the addresses are tried in turn, the families alternating; the
/// next when one has failed, or has not answered within [ChannelOption#CONNECT_ATTEMPT_DELAY]. The
/// first that connects wins, and the others are given up (RFC 8305, Happy Eyeballs). The whole
/// takes [ChannelOption#CONNECT_TIMEOUT] at most.
///
/// On one loop, so that no two can win.
final class ConnectRace {
    /// Begins to connect to an address, on the loop.
    @FunctionalInterface
    interface Starter {
        void connect(InetSocketAddress address, Promise<Channel> promise) throws Exception;
    }

    /// Failures that are told beside the first.
    private static final int MAX_SUPPRESSED = 16;

    private final EventLoop loop;
    private final String host;
    private final int port;
    private final ChannelOptions options;
    private final Starter starter;
    private final Promise<Channel> winner;

    private final ArrayDeque<InetAddress> untried = new ArrayDeque<>();
    private final List<Promise<Channel>> running = new ArrayList<>();
    private @Nullable Throwable failure;
    private int suppressed;
    private @Nullable Future<List<InetAddress>> resolving;
    private @Nullable Timeout deadline;
    private @Nullable Timeout next;
    private boolean trying;
    private boolean again;

    ConnectRace(
            EventLoop loop,
            InetSocketAddress unresolved,
            ChannelOptions options,
            Starter starter,
            Promise<Channel> winner) {
        this.loop = loop;
        this.host = unresolved.getHostString();
        this.port = unresolved.getPort();
        this.options = options;
        this.starter = starter;
        this.winner = winner;
    }

    /// Loop only.
    void start(NameResolver resolver) {
        Duration patience = options.get(ChannelOption.CONNECT_TIMEOUT);
        deadline = schedule(() -> late(patience), patience);
        loop.began(this);
        var _ = winner.addListener(_ -> end());
        Future<List<InetAddress>> lookup = resolver.resolve(host, loop);
        resolving = lookup;
        var _ = lookup.addListener(this::resolved);
    }

    private Timeout schedule(Runnable task, Duration delay) {
        return loop.schedule(task, delay.toNanos(), TimeUnit.NANOSECONDS);
    }

    /// The loop shuts down.
    void giveUp() {
        winner.tryFailure(loop.rejection());
    }

    private void late(Duration patience) {
        winner.tryFailure(
                new SocketTimeoutException(
                        "connect to " + host + ":" + port + " timed out after " + patience));
    }

    private void resolved(Future<List<InetAddress>> lookup) {
        try {
            tryAll(lookup);
        } catch (Throwable t) {
            winner.tryFailure(t);
        }
    }

    private void tryAll(Future<List<InetAddress>> lookup) {
        List<InetAddress> addresses = lookup.now();
        if (addresses == null) {
            winner.tryFailure(
                    Objects.requireNonNullElseGet(lookup.cause(), CancellationException::new));
        } else if (addresses.isEmpty()) {
            winner.tryFailure(new UnknownHostException(host + ": no address"));
        } else if (!winner.isDone()) {
            untried.addAll(alternating(addresses));
            tryNext();
        }
    }

    /// RFC 8305, 4: after the first address comes the first of the other family, and so on.
    static List<InetAddress> alternating(List<InetAddress> addresses) {
        boolean six = addresses.getFirst() instanceof Inet6Address;
        var same = new ArrayDeque<InetAddress>();
        var other = new ArrayDeque<InetAddress>();
        for (InetAddress address : addresses) {
            (address instanceof Inet6Address == six ? same : other).add(address);
        }
        List<InetAddress> order = new ArrayList<>(addresses.size());
        while (!same.isEmpty() || !other.isEmpty()) {
            if (!same.isEmpty()) {
                order.add(same.remove());
            }
            if (!other.isEmpty()) {
                order.add(other.remove());
            }
        }
        return order;
    }

    /// Not re-entered: a thousand addresses that all fail at once shall not come to lie on the
    /// stack.
    private void tryNext() {
        if (trying) {
            again = true;
            return;
        }
        trying = true;
        try {
            do {
                again = false;
                tryOne();
            } while (again);
        } catch (Throwable t) {
            winner.tryFailure(t); // nothing would try the next address
        } finally {
            trying = false;
        }
    }

    private void tryOne() {
        cancel(next);
        next = null;
        InetAddress address = untried.poll();
        if (address == null || winner.isDone()) {
            return;
        }
        if (!untried.isEmpty()) {
            next = schedule(this::tryNext, options.get(ChannelOption.CONNECT_ATTEMPT_DELAY));
        }
        Promise<Channel> attempt = loop.newPromise();
        running.add(attempt);
        // In the loop and not done yet, so it is called when that ends, not before.
        var _ = attempt.addListener(outcome -> ended(attempt, outcome));
        try {
            starter.connect(new InetSocketAddress(address, port), attempt);
        } catch (Throwable t) {
            attempt.tryFailure(t);
        }
    }

    private void ended(Promise<Channel> attempt, Future<Channel> outcome) {
        running.remove(attempt);
        Channel channel = outcome.now();
        if (channel != null) {
            if (!winner.trySuccess(channel)) {
                var _ = channel.abort();
            }
            return;
        }
        if (winner.isDone()) {
            return;
        }
        Throwable cause =
                Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new);
        if (failure == null) {
            failure = cause;
        } else if (failure != cause && ++suppressed <= MAX_SUPPRESSED) {
            failure.addSuppressed(cause);
        }
        if (!untried.isEmpty()) {
            tryNext();
        } else if (running.isEmpty()) {
            winner.tryFailure(failure);
        }
    }

    /// Ends the race: it has an outcome, or the caller has cancelled it.
    private void end() {
        loop.ended(this);
        cancel(deadline);
        cancel(next);
        untried.clear();
        if (resolving != null) {
            resolving.cancel();
        }
        List.copyOf(running).forEach(Promise::cancel);
    }

    private static void cancel(@Nullable Timeout timeout) {
        if (timeout != null) {
            timeout.cancel();
        }
    }
}
