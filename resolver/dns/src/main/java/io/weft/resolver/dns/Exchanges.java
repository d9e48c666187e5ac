package io.weft.resolver.dns;

import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
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
    final @Nullable AnswerCache cache;

    private final Map<Ask, Race> races = new HashMap<>();
    private final ArrayDeque<Race> waiting = new ArrayDeque<>();
    private final Map<DnsServer, ServerState> states = new HashMap<>();
    private int running;
    private int turn;
    private boolean closed;
    private ResolverConfig config;

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
        this.cache = cache;
        this.config = config;
    }

    ResolverConfig config() {
        return config;
    }

    /// Uses other servers from now on; questions in flight go on with theirs.
    void config(ResolverConfig other) {
        if (cache != null && !other.equals(config)) {
            cache.clear(); // other servers may know other names
        }
        config = other;
        List<DnsServer> all = new ArrayList<>(other.servers());
        other.domains().forEach(domain -> all.addAll(domain.servers()));
        states.entrySet()
                .removeIf(
                        entry -> {
                            boolean gone = !all.contains(entry.getKey());
                            StreamConnection open = entry.getValue().connection;
                            if (gone && open != null) {
                                open.retire();
                            }
                            if (gone) {
                                entry.getValue().closePorts();
                            }
                            return gone;
                        });
    }

    /// The domain whose servers know `name`: the root's for those of no domain in particular.
    DnsName domain(DnsName name) {
        ResolverConfig.DomainServers best = nearest(name);
        return best == null ? DnsName.ROOT : best.domain();
    }

    private ResolverConfig.@Nullable DomainServers nearest(DnsName name) {
        ResolverConfig.DomainServers best = null;
        for (ResolverConfig.DomainServers domain : config.domains()) {
            if (name.isWithin(domain.domain())
                    && (best == null
                            || domain.domain().labelCount() > best.domain().labelCount())) {
                best = domain;
            }
        }
        return best;
    }

    /// The servers to ask, the best first.
    List<ServerState> servers(DnsName name) {
        ResolverConfig.DomainServers domain = nearest(name);
        List<DnsServer> all = domain == null ? config.servers() : domain.servers();
        if (all.size() == 1) {
            return List.of(state(all.getFirst()));
        }
        int first = config.rotate() && !all.isEmpty() ? Math.floorMod(turn++, all.size()) : 0;
        List<ServerState> ordered = new ArrayList<>(all.size());
        for (int i = 0; i < all.size(); i++) {
            ordered.add(state(all.get((first + i) % all.size())));
        }
        long now = loop.clock().nanoTime();
        if (config.rotate()) {
            ordered.sort((a, b) -> Integer.compare(a.failures(), b.failures()));
        } else {
            ordered.sort((a, b) -> Long.compare(a.rank(now), b.rank(now)));
        }
        return ordered;
    }

    private ServerState state(DnsServer server) {
        ServerState known = states.get(server);
        if (known == null) {
            known = new ServerState(server, secrets.cookie());
            states.put(server, known);
        }
        return known;
    }

    List<ServerState> states() {
        return List.copyOf(states.values());
    }

    /// Asks a question. `promise` gets the response of a server that answers it, positive or
    /// negative, with the name as it is in `ask`; cancelling it gives the question up, unless
    /// somebody else waits for it too.
    void ask(Ask ask, Promise<DnsMessage> promise) {
        if (closed) {
            promise.tryFailure(
                    new ResolveException(ResolveException.Reason.CLOSED, "the resolver is closed"));
            return;
        }
        Race race = races.get(ask);
        if (race != null) {
            tally.count(DnsCounter.COALESCED);
            race.add(promise);
            return;
        }
        Race made = new Race(this, ask);
        made.add(promise);
        if (running < limits.inFlight()) {
            races.put(ask, made);
            running++;
            made.start();
        } else if (waiting.size() < limits.waiting()) {
            races.put(ask, made);
            waiting.add(made);
        } else {
            promise.tryFailure(
                    new ResolveException(
                            ResolveException.Reason.OVERLOADED,
                            "questions that wait: "
                                    + waiting.size()
                                    + " (expected: fewer than "
                                    + limits.waiting()
                                    + ")"));
        }
    }

    /// A race is over, or was given up before it began.
    void ended(Race race, boolean started) {
        races.remove(race.ask(), race);
        if (!started) {
            waiting.remove(race);
            return;
        }
        running--;
        Race next = closed ? null : waiting.poll();
        if (next != null) {
            running++;
            next.start();
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
        states.values().forEach(ServerState::closePorts);
    }

    private void forEachConnection(Consumer<StreamConnection> action) {
        for (ServerState state : states.values()) {
            StreamConnection open = state.connection;
            if (open != null) {
                action.accept(open);
            }
        }
    }
}
