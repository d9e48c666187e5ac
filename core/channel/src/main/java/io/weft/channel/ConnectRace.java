package io.weft.channel;

import io.weft.channel.connect.AttemptLog;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import io.weft.resolver.names.Candidates;
import io.weft.resolver.names.DestinationOrder;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import java.net.InetSocketAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Connects to a host by its name (RFC 8305, Happy Eyeballs): its addresses are tried as they are
/// found, in the order that [DestinationOrder] and [Candidates] give them; the next when one has
/// failed, or has not answered within [ChannelOption#CONNECT_ATTEMPT_DELAY]. The first that
/// connects wins, and the others are given up. The whole takes [ChannelOption#CONNECT_TIMEOUT] at
/// most.
///
/// If addresses of IPv4 come first, those of IPv6 are waited for, as long as
/// [ChannelOption#CONNECT_RESOLUTION_DELAY] says.
///
/// On one loop, so that no two can win.
final class ConnectRace implements NameResolver.Answers {
    /// Begins to connect to an address, on the loop.
    @FunctionalInterface
    interface Starter {
        void connect(InetSocketAddress address, Promise<Channel> promise) throws Exception;
    }

    // RFC 8305 5: the delay is never below 10 ms, and 2 s is the recommended maximum
    private static final Duration MIN_DELAY = Duration.ofMillis(10);
    private static final Duration MAX_DELAY = Duration.ofSeconds(2);

    private final EventLoop loop;
    private final String host;
    private final int port;
    private final ChannelOptions options;
    private final Starter starter;
    private final Promise<Channel> winner;

    private final Candidates untried;
    private final AttemptLog log;
    private final List<Promise<Channel>> running = new ArrayList<>();
    private @Nullable Future<Void> search;
    private @Nullable Timeout deadline;

    /// Until it is over, the last attempt is waited for before the next address is tried.
    private @Nullable Timeout next;

    /// Until it is over, addresses of IPv6 are waited for before the first attempt.
    private @Nullable Timeout resolution;

    private boolean ipv6IsComplete;
    private boolean trying;
    private boolean again;

    ConnectRace(
            EventLoop loop,
            InetSocketAddress unresolved,
            ChannelOptions options,
            DestinationOrder order,
            Starter starter,
            Promise<Channel> winner) {
        this.loop = loop;
        this.host = unresolved.getHostString();
        this.port = unresolved.getPort();
        this.options = options;
        this.starter = starter;
        this.winner = winner;
        this.untried =
                new Candidates(
                        order, Math.max(options.get(ChannelOption.CONNECT_FIRST_FAMILY_COUNT), 1));
        this.log = new AttemptLog(host + ":" + port);
    }

    /// Loop only.
    void start(NameResolver resolver) {
        Duration patience = options.get(ChannelOption.CONNECT_TIMEOUT);
        deadline = schedule(() -> late(patience), patience);
        OpenChannels.of(loop).began(this);
        var _ = winner.addListener(_ -> end());
        Future<Void> begun = resolver.resolve(host, port, loop, this);
        search = begun;
        if (winner.isDone()) {
            begun.cancel();
        }
        var _ = begun.addListener(this::searched);
    }

    private Timeout schedule(Runnable task, Duration delay) {
        long nanos = TimeUnit.NANOSECONDS.convert(delay); // 292 years at most
        return loop.schedule(task, nanos, TimeUnit.NANOSECONDS);
    }

    /// The loop shuts down.
    void giveUp() {
        winner.tryFailure(loop.engine().rejection());
    }

    private void late(Duration patience) {
        winner.tryFailure(log.late(patience));
    }

    @Override
    public void found(List<ResolvedAddress> addresses) {
        if (winner.isDone()) {
            return;
        }
        try {
            untried.add(addresses);
        } catch (Throwable t) {
            winner.tryFailure(t);
            return;
        }
        tryUnlessWaiting();
    }

    @Override
    public void complete(StandardProtocolFamily family) {
        if (family == StandardProtocolFamily.INET6) {
            ipv6IsComplete = true;
            tryUnlessWaiting();
        }
    }

    /// RFC 8305 6: what has been begun may still succeed.
    @Override
    public void removed(List<ResolvedAddress> addresses) {
        untried.remove(addresses);
    }

    /// Tries the next address, unless an attempt has time yet, or AAAA may come soon (RFC 8305, 3).
    private void tryUnlessWaiting() {
        if (next != null || untried.isEmpty() || winner.isDone()) {
            return;
        }
        Duration patience = options.get(ChannelOption.CONNECT_RESOLUTION_DELAY);
        boolean waits = log.isEmpty() && !untried.hasIpv6() && !ipv6IsComplete && mayFindMore();
        if (!waits || !patience.isPositive()) {
            tryNext();
        } else if (resolution == null) {
            resolution = schedule(this::tryNext, patience);
        }
    }

    private void searched(Future<Void> outcome) {
        tryUnlessWaiting();
        failUnlessMoreMayConnect();
    }

    private void failUnlessMoreMayConnect() {
        Future<Void> ended = search;
        if (ended == null
                || !ended.isDone()
                || !untried.isEmpty()
                || !running.isEmpty()
                || winner.isDone()) {
            return;
        }
        Throwable cause = ended.cause();
        if (!log.isEmpty()) {
            winner.tryFailure(log.allFailed(cause));
        } else {
            winner.tryFailure(
                    cause == null ? new UnknownHostException(host + ": no address") : cause);
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
        cancel(resolution);
        resolution = null;
        ResolvedAddress address = untried.poll();
        if (address == null || winner.isDone()) {
            return;
        }
        if (!untried.isEmpty() || mayFindMore()) {
            next = schedule(this::tryNext, attemptDelay());
        }
        AttemptLog.Attempt logged = log.began(address);
        Promise<Channel> attempt = loop.newPromise();
        running.add(attempt);
        // In the loop and not done yet, so it is called when that ends, not before.
        var _ = attempt.addListener(outcome -> ended(attempt, outcome, logged));
        try {
            starter.connect(address.socketAddress(), attempt);
        } catch (Throwable t) {
            attempt.tryFailure(t);
        }
    }

    private Duration attemptDelay() {
        Duration delay = options.get(ChannelOption.CONNECT_ATTEMPT_DELAY);
        if (delay.compareTo(MIN_DELAY) < 0) {
            return MIN_DELAY;
        }
        return delay.compareTo(MAX_DELAY) > 0 ? MAX_DELAY : delay;
    }

    private void ended(
            Promise<Channel> attempt, Future<Channel> outcome, AttemptLog.Attempt logged) {
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
        logged.failed(Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new));
        tryNext();
        failUnlessMoreMayConnect();
    }

    /// Ends the race: it has an outcome, or the caller has cancelled it.
    private void end() {
        OpenChannels.of(loop).ended(this);
        cancel(deadline);
        cancel(next);
        cancel(resolution);
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
