package io.weft.channel;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.net.InetSocketAddress;
import java.net.SocketTimeoutException;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connects to a host by its name: its addresses are tried as they are found, the families
/// alternating; the next when one has failed, or has not answered within
/// [ChannelOption#CONNECT_ATTEMPT_DELAY]. The first that connects wins, and the others are given up
/// (RFC 8305, Happy Eyeballs). The whole takes [ChannelOption#CONNECT_TIMEOUT] at most.
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

    private final Candidates untried = new Candidates();
    private final List<Promise<Channel>> running = new ArrayList<>();
    private @Nullable Throwable failure;
    private int suppressed;
    private @Nullable Future<Void> search;
    private @Nullable Timeout deadline;

    /// Until it is over, the last attempt is waited for before the next address is tried.
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
        loop.open().began(this);
        var _ = winner.addListener(_ -> end());
        Future<Void> begun = resolver.resolve(host, port, loop, this::found);
        search = begun;
        if (winner.isDone()) {
            begun.cancel();
        }
        var _ = begun.addListener(this::searched);
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

    private void found(List<ResolvedAddress> addresses) {
        if (winner.isDone()) {
            return;
        }
        try {
            untried.add(addresses);
        } catch (Throwable t) {
            winner.tryFailure(t);
            return;
        }
        if (next == null) {
            tryNext();
        }
    }

    private void searched(Future<Void> outcome) {
        if (outcome.isSuccess()) {
            failUnlessMoreMayConnect(new UnknownHostException(host + ": no address"));
        } else {
            failUnlessMoreMayConnect(
                    Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new));
        }
    }

    /// @param cause of the failure, unless an address was tried
    private void failUnlessMoreMayConnect(Throwable cause) {
        if (untried.isEmpty() && running.isEmpty() && !mayFindMore()) {
            winner.tryFailure(failure == null ? cause : failure);
        }
    }

    private boolean mayFindMore() {
        return search == null || !search.isDone();
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
        ResolvedAddress address = untried.poll();
        if (address == null || winner.isDone()) {
            return;
        }
        if (!untried.isEmpty() || mayFindMore()) {
            next = schedule(this::tryNext, options.get(ChannelOption.CONNECT_ATTEMPT_DELAY));
        }
        Promise<Channel> attempt = loop.newPromise();
        running.add(attempt);
        // In the loop and not done yet, so it is called when that ends, not before.
        var _ = attempt.addListener(outcome -> ended(attempt, outcome));
        try {
            starter.connect(address.socketAddress(), attempt);
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
        tryNext();
        failUnlessMoreMayConnect(failure);
    }

    /// Ends the race: it has an outcome, or the caller has cancelled it.
    private void end() {
        loop.open().ended(this);
        cancel(deadline);
        cancel(next);
        untried.clear();
        if (search != null) {
            search.cancel();
        }
        List.copyOf(running).forEach(Promise::cancel);
    }

    private static void cancel(@Nullable Timeout timeout) {
        if (timeout != null) {
            timeout.cancel();
        }
    }
}
