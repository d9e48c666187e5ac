package io.weft.resolver.dns;

import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.ResponseCode;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Promise;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Questions that are asked now, and the servers that they are asked of. Loop only.
///
/// Equal questions are asked once: a forger who has several queries of the same tuple in flight
/// needs to guess one of their ids only (the birthday attack, RFC 5452, 5).
final class Exchanges {
    final EventLoop loop;
    final ResolverLimits limits;
    final Secrets secrets;
    final Tally tally;
    final DnsDecoder decoder = DnsDecoder.datagrams();

    /// Of queries over UDP. Its tables are large, so it is shared.
    final DnsEncoder encoder = DnsEncoder.datagrams(DnsEncoder.MIN_DATAGRAM);

    final TlsContexts tls;

    private final Map<Ask, Race> races = new HashMap<>();

    /// In order, and left in a moment from anywhere.
    private final LinkedHashSet<Race> waiting = new LinkedHashSet<>();

    /// Promises that races have to complete.
    private int unanswered;

    private int running;
    private boolean starting;
    private boolean closed;
    private Epoch epoch;

    Exchanges(
            EventLoop loop,
            ResolverLimits limits,
            Secrets secrets,
            Tally tally,
            TlsContexts tls,
            @Nullable AnswerCache cache,
            ResolverConfig config) {
        this.loop = loop;
        this.limits = limits;
        this.secrets = secrets;
        this.tally = tally;
        this.tls = tls;
        epoch = new Epoch(config, cache, secrets);
    }

    /// A call that begins now.
    Call call() {
        return new Call(epoch, loop.clock().nanoTime() + limits.total().toNanos());
    }

    /// Uses other servers for questions that begin from now on. Those in flight go on as they
    /// began, and none of the new ones waits for their answers.
    void config(ResolverConfig other) {
        if (!other.equals(epoch.config())) {
            epoch = epoch.next(other, secrets);
        }
    }

    /// Asks a question. `promise` gets the response of a server that answers it, positive or
    /// negative, with the name as it is in `ask`; cancelling it gives the question up, unless
    /// somebody else waits for it too.
    ///
    /// @param deadline when it is given up, in nanoseconds of the loop's clock
    void ask(Ask ask, long deadline, Promise<DnsMessage> promise) {
        if (closed) {
            promise.tryFailure(
                    new ResolveException(ResolveException.Reason.CLOSED, "the resolver is closed"));
            return;
        }
        int most = limits.inFlight() + limits.waiting();
        if (unanswered >= most) {
            promise.tryFailure(
                    new ResolveException(
                            ResolveException.Reason.OVERLOADED,
                            "questions without an answer: "
                                    + unanswered
                                    + " (expected: fewer than "
                                    + most
                                    + ")"));
            return;
        }
        if (deadline - loop.clock().nanoTime() <= 0) {
            promise.tryFailure(late(ask, null, null));
            return;
        }
        unanswered++;
        Race race = races.get(ask);
        if (race != null) {
            tally.count(DnsCounter.COALESCED);
            race.add(promise, deadline);
            return;
        }
        Race made = new Race(this, ask);
        races.put(ask, made);
        made.add(promise, deadline);
        if (running < limits.inFlight()) {
            running++;
            made.start();
        } else {
            waiting.add(made); // which has room: each race has an asker
            made.queue();
        }
    }

    /// The failure of a question that has no answer in time.
    ResolveException late(Ask ask, @Nullable ResponseCode code, @Nullable Throwable cause) {
        return new ResolveException(
                ResolveException.Reason.TIMEOUT,
                code,
                ask.question() + ": no answer within " + limits.total(),
                cause);
    }

    /// So many wait no longer for an answer.
    void answered(int askers) {
        unanswered -= askers;
    }

    /// A race is over, or was given up before it began.
    void ended(Race race, boolean started) {
        races.remove(race.ask(), race);
        if (!started) {
            waiting.remove(race);
            return;
        }
        running--;
        startWaiting();
    }

    /// Starts races that wait. One may end within its start, and so come here again: that call
    /// returns, and this one goes on, as thousands of them would not fit on the stack.
    private void startWaiting() {
        if (starting) {
            return;
        }
        starting = true;
        try {
            while (!closed && running < limits.inFlight() && !waiting.isEmpty()) {
                running++;
                waiting.removeFirst().start();
            }
        } finally {
            starting = false;
        }
    }

    void close() {
        closed = true;
        waiting.clear();
        List.copyOf(races.values())
                .forEach(
                        race ->
                                race.fail(
                                        new ResolveException(
                                                ResolveException.Reason.CLOSED,
                                                "the resolver was closed")));
        forEachConnection(StreamConnection::close);
        epoch.states().forEach(ServerState::closePorts);
    }

    private void forEachConnection(Consumer<StreamConnection> action) {
        for (ServerState state : epoch.states()) {
            StreamConnection open = state.connection;
            if (open != null) {
                action.accept(open);
            }
        }
    }
}
