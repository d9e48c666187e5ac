package io.weft.resolver.names.search;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import io.weft.resolver.names.NameResolver.Answers;
import io.weft.resolver.names.ResolvedAddress;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A search for a name whose addresses have expired: it gives them if no answer comes in time, or
/// none at all (RFC 8767, 5). The search for new ones goes on meanwhile. On the caller's executor.
public final class StaleSearch extends PassedAnswers {
    private final List<ResolvedAddress> expired;
    private final EventExecutor executor;
    private final Answers answers;
    private final Promise<Void> promise;
    private boolean answered;
    private boolean absent;
    private @Nullable Timeout patience;

    public StaleSearch(List<ResolvedAddress> expired, EventExecutor executor, Answers answers) {
        super(answers);
        this.expired = expired;
        this.executor = executor;
        this.answers = answers;
        this.promise = executor.newPromise();
    }

    public Future<Void> begin(
            Flights flights, String host, int port, Duration wait, Runnable failed) {
        Future<Void> fresh = flights.join(host, port, executor, this);
        if (!fresh.isDone()) {
            try {
                patience =
                        executor.schedule(this::giveExpired, wait.toNanos(), TimeUnit.NANOSECONDS);
            } catch (RejectedExecutionException _) {
                // It ends with its executor.
            }
        }
        var _ =
                promise.addListener(
                        outcome -> {
                            if (patience != null) {
                                patience.cancel();
                            }
                            if (outcome.isCancelled()) {
                                fresh.cancel();
                            }
                        });
        var _ = fresh.addListener(outcome -> ended(outcome, failed));
        return promise;
    }

    private void ended(Future<Void> fresh, Runnable failed) {
        if (fresh.isSuccess()) {
            promise.trySuccess(null);
            return;
        }
        Throwable cause = Objects.requireNonNullElseGet(fresh.cause(), CancellationException::new);
        boolean isGone = absent && cause instanceof UnknownHostException;
        // A caller that leaves, and a search that finds no place, say nothing of the resolver.
        boolean asked =
                !(cause instanceof CancellationException)
                        && !(cause instanceof RejectedExecutionException);
        if (!isGone && asked) {
            failed.run();
        }
        if (answered || isGone) {
            promise.tryFailure(cause);
        } else {
            giveExpired();
        }
    }

    private void giveExpired() {
        if (answered || promise.isDone()) {
            return;
        }
        answered = true;
        try {
            answers.found(expired, Duration.ZERO);
            promise.trySuccess(null);
        } catch (Throwable t) {
            promise.tryFailure(t);
        }
    }

    @Override
    protected boolean passes() {
        return !promise.isDone();
    }

    @Override
    public void found(List<ResolvedAddress> addresses) {
        answered = true;
        super.found(addresses);
    }

    @Override
    public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
        answered = true;
        super.found(addresses, timeToLive);
    }

    @Override
    public void absent(Duration timeToLive) {
        absent = true;
        super.absent(timeToLive);
    }
}
