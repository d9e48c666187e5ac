package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.ResponseCode;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// One question, asked of servers until one answers it: the next when one has failed, and beside it
/// when that takes longer than it usually does (a hedged query). The first answer counts. Loop
/// only.
final class Race {
    private static final int MAX_RUNNING = 2;
    private static final long MIN_HEDGE = 10_000_000;

    private final Exchanges exchanges;
    private final Ask ask;
    private final Askers askers = new Askers();
    private final List<Attempt> running = new ArrayList<>(MAX_RUNNING);
    private List<ServerState> servers = List.of();

    /// Attempts in all, at the servers in turn.
    private int planned;

    private int next;
    private @Nullable Timeout hedge;

    /// While it waits for its start.
    private @Nullable Timeout queued;

    private @Nullable Throwable failure;
    private @Nullable ResponseCode code;
    private boolean started;
    private boolean over;

    Race(Exchanges exchanges, Ask ask) {
        this.exchanges = exchanges;
        this.ask = ask;
    }

    Ask ask() {
        return ask;
    }

    /// @param deadline until when `asker` waits
    void add(Promise<DnsMessage> asker, long deadline) {
        long now = now();
        boolean earlier = deadline - now < left(now);
        askers.add(asker, deadline);
        var _ = asker.addListener(_ -> left());
        if (earlier && queued != null) {
            queue();
        } else if (earlier) {
            running.forEach(Attempt::schedule);
        }
    }

    /// Has the race wait for its start.
    void queue() {
        cancel(queued);
        long nanos = Math.min(left(now()), exchanges.limits.total().toNanos());
        queued = exchanges.loop.schedule(this::waited, nanos, TimeUnit.NANOSECONDS);
    }

    private void waited() {
        late();
        if (!started && !over) {
            queue();
        }
    }

    private long now() {
        return exchanges.loop.clock().nanoTime();
    }

    /// One of the askers waits no longer.
    private void left() {
        if (over) {
            return;
        }
        exchanges.answered(1);
        askers.left();
        if (askers.unanswered() == 0) {
            end();
        }
    }

    void start() {
        started = true;
        cancel(queued);
        queued = null;
        servers = ask.epoch().servers(ask.question().name(), now());
        if (servers.isEmpty()) {
            fail(
                    new ResolveException(
                            ResolveException.Reason.NO_SERVER,
                            ask.question() + ": no server (expected: one in the configuration)"));
            return;
        }
        planned = ask.epoch().config().attempts() * servers.size();
        launch();
    }

    /// Nanoseconds until [#late], which the attempts that run see to.
    long left(long now) {
        return askers.patience(now);
    }

    private ServerState planned(int attempt) {
        return servers.get(attempt % servers.size());
    }

    private boolean isRunning(ServerState server) {
        for (int i = 0; i < running.size(); i++) {
            if (running.get(i).server() == server) {
                return true;
            }
        }
        return false;
    }

    private void launch() {
        cancel(hedge);
        hedge = null;
        while (!over && next < planned && running.size() < MAX_RUNNING) {
            ServerState server = planned(next);
            // Of one server there is one query at a time.
            if (isRunning(server)) {
                return;
            }
            next++;
            boolean second = !running.isEmpty();
            if (second) {
                exchanges.tally.count(DnsCounter.HEDGED);
            }
            Attempt attempt = new Attempt(exchanges, server, ask, second, this);
            running.add(attempt);
            attempt.start();
            if (running.contains(attempt)) {
                scheduleHedge(server);
                return;
            }
        }
    }

    private void scheduleHedge(ServerState first) {
        if (over || next == planned || running.size() >= MAX_RUNNING || isRunning(planned(next))) {
            return;
        }
        long most = exchanges.limits.hedge().toNanos();
        long patience = first.patience();
        long delay = patience < 0 ? most : Math.clamp(patience, Math.min(MIN_HEDGE, most), most);
        hedge = exchanges.loop.schedule(this::launch, delay, TimeUnit.NANOSECONDS);
    }

    /// An attempt has a response of its server.
    void responded(Attempt attempt, DnsMessage response) {
        if (over) {
            return;
        }
        ResponseCode got = response.code();
        if (got.equals(ResponseCode.NOERROR)
                || got.equals(ResponseCode.NXDOMAIN)
                || got.equals(ResponseCode.YXDOMAIN)) {
            if (!isLame(response)) {
                succeed(response);
                return;
            }
            failed(
                    attempt,
                    new ResolveException(
                            ResolveException.Reason.LAME,
                            attempt.server().server
                                    + " refers to others for "
                                    + ask.question()
                                    + " (expected: an answer)"));
            return;
        }
        code = got;
        failed(
                attempt,
                new ResolveException(
                        ResolveException.Reason.SERVER,
                        got,
                        attempt.server().server + " answered " + ask.question() + " with " + got,
                        null));
    }

    private boolean isLame(DnsMessage response) {
        return Chain.mayBeLame(response)
                && Chain.of(
                                        ask.question(),
                                        response,
                                        ask.epoch().domain(ask.question().name()),
                                        exchanges.limits.aliases())
                                .outcome()
                        == Chain.Outcome.LAME;
    }

    /// An attempt has ended without an answer.
    void failed(Attempt attempt, ResolveException cause) {
        attempt.server().failed(now());
        running.remove(attempt);
        if (over) {
            return;
        }
        exchanges.tally.count(
                cause.reason() == ResolveException.Reason.TIMEOUT
                        ? DnsCounter.TIMEOUTS
                        : DnsCounter.FAILURES);
        DnsQuestion question = ask.question();
        exchanges.tally.tell(o -> o.failed(question, attempt.server().server, cause));
        if (failure == null) {
            failure = cause;
        } else if (failure != cause && failure.getSuppressed().length < 16) {
            failure.addSuppressed(cause);
        }
        launch();
        if (!over && running.isEmpty()) {
            Throwable first = failure;
            fail(
                    new ResolveException(
                            cause.reason(),
                            code,
                            question + ": no server answered; the last: " + cause.getMessage(),
                            first));
        }
    }

    /// There was no answer in time for some who asked. Others may have more time: they joined
    /// later.
    void late() {
        long now = now();
        if (left(now) == 0) {
            askers.failLate(now, exchanges.late(ask, code, failure));
        }
    }

    private void succeed(DnsMessage response) {
        DnsMessage spelled = ask.spelled(response);
        end();
        askers.succeed(spelled);
    }

    void fail(ResolveException cause) {
        if (over) {
            return;
        }
        end();
        askers.fail(cause);
    }

    private void end() {
        over = true;
        exchanges.answered(askers.unanswered());
        cancel(queued);
        cancel(hedge);
        List.copyOf(running).forEach(Attempt::cancel);
        running.clear();
        exchanges.ended(this, started);
    }

    private static void cancel(@Nullable Timeout timeout) {
        if (timeout != null) {
            timeout.cancel();
        }
    }
}
