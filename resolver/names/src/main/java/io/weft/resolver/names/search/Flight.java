package io.weft.resolver.names.search;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.NameResolver.Answers;
import io.weft.resolver.names.ResolvedAddress;
import java.net.StandardProtocolFamily;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// One search under way, and all that wait for it. It runs on the executor of one of them, the
/// leader. If that executor ends, another leads, and the search begins anew.
///
/// State is guarded by the [Flights] that it belongs to; callers are called outside of that lock.
public final class Flight {
    /// Events that are kept for those who join later; a search that tells more is passed on only to
    /// those who wait already.
    private static final int MAX_EVENTS = 1_024;

    public final String host;
    public final int port;
    private final Flights flights;

    /// In order, and left in a moment: all may leave at once, under the lock.
    private final Set<Waiter> waiters = new LinkedHashSet<>(2);

    private final List<Consumer<Answers>> events = new ArrayList<>();

    /// Outcome that is worth keeping, as the leader has heard it.
    private Outcome outcome;

    private EventExecutor leader;
    private @Nullable Future<Void> search;
    private int attempt;

    Flight(Flights flights, String host, int port, EventExecutor leader) {
        this.flights = flights;
        this.host = host;
        this.port = port;
        this.leader = leader;
        this.outcome = new Outcome(leader);
    }

    // ---- under the lock of the flights ----

    int waiting() {
        return waiters.size();
    }

    boolean isLeaderGone() {
        return leader.isShuttingDown();
    }

    void add(Waiter waiter) {
        events.forEach(waiter::add);
        waiters.add(waiter);
    }

    /// Returns false when others still wait.
    boolean removeAndTellIfLast(Waiter waiter) {
        return waiters.remove(waiter) && waiters.isEmpty();
    }

    boolean hasAnswer() {
        return outcome.hasAnswer();
    }

    void lead(EventExecutor next) {
        leader = next;
        outcome = new Outcome(next);
        search = null;
        attempt++;
    }

    @Nullable EventExecutor nextLeader() {
        for (Waiter waiter : waiters) {
            if (waiter.executor != leader && !waiter.executor.isShuttingDown()) {
                return waiter.executor;
            }
        }
        return null;
    }

    // ---- outside of it ----

    void begin(NameResolver resolver) {
        int current;
        EventExecutor on;
        synchronized (flights) {
            current = attempt;
            on = leader;
        }
        Future<Void> begun;
        try {
            begun = resolver.resolve(host, port, on, new Ears(current));
        } catch (Throwable t) {
            begun = Promise.failed(on, t);
        }
        Future<Void> started = begun;
        boolean unwanted;
        synchronized (flights) {
            unwanted = current != attempt || !flights.isCurrent(this);
            if (current == attempt) {
                search = started;
            }
        }
        if (unwanted) {
            started.cancel();
        }
        var _ = started.addListener(ended -> ended(current, ended, resolver));
    }

    void cancel() {
        Future<Void> running;
        synchronized (flights) {
            running = search;
        }
        if (running != null) {
            running.cancel();
        }
    }

    private void ended(int of, Future<Void> ended, NameResolver resolver) {
        List<Waiter> told;
        EventExecutor next;
        synchronized (flights) {
            if (of != attempt) {
                return; // another leads by now
            }
            next = ended.isSuccess() || !isLeaderGone() ? null : nextLeader();
            if (next != null) {
                lead(next);
            }
        }
        if (next != null && beginOn(next, resolver)) {
            return;
        }
        synchronized (flights) {
            flights.remove(this);
            told = List.copyOf(waiters);
            waiters.clear();
            told.forEach(waiter -> waiter.addEnd(ended));
        }
        flights.ended(this, outcome, ended);
        told.forEach(Waiter::run);
    }

    private boolean beginOn(EventExecutor next, NameResolver resolver) {
        try {
            next.execute(() -> begin(resolver));
            return true;
        } catch (RejectedExecutionException _) {
            return false; // gone as well
        }
    }

    private void tell(int of, Consumer<Answers> event) {
        List<Waiter> told;
        synchronized (flights) {
            if (of != attempt) {
                return;
            }
            if (events.size() < MAX_EVENTS) {
                events.add(event);
            }
            event.accept(outcome);
            told = List.copyOf(waiters);
            told.forEach(waiter -> waiter.add(event));
        }
        told.forEach(Waiter::run);
    }

    /// Answers of one attempt.
    private final class Ears implements Answers {
        private final int of;

        Ears(int of) {
            this.of = of;
        }

        @Override
        public void found(List<ResolvedAddress> addresses) {
            List<ResolvedAddress> copy = List.copyOf(addresses);
            tell(of, answers -> answers.found(copy));
        }

        @Override
        public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
            List<ResolvedAddress> copy = List.copyOf(addresses);
            tell(of, answers -> answers.found(copy, timeToLive));
        }

        @Override
        public void complete(StandardProtocolFamily family) {
            tell(of, answers -> answers.complete(family));
        }

        @Override
        public void removed(List<ResolvedAddress> addresses) {
            List<ResolvedAddress> copy = List.copyOf(addresses);
            tell(of, answers -> answers.removed(copy));
        }

        @Override
        public void alias(String name, String target, Duration timeToLive) {
            tell(of, answers -> answers.alias(name, target, timeToLive));
        }

        @Override
        public void absent(Duration timeToLive) {
            tell(of, answers -> answers.absent(timeToLive));
        }
    }
}
