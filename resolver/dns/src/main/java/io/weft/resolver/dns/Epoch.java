package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// A configuration, from when it comes into force until another does, and what is known under it:
/// its servers and their answers. A question goes by the one that it began under to its end: what
/// its servers may say, and where their answers are kept, is not for another configuration to tell.
/// Loop only.
final class Epoch {
    private final ResolverConfig config;
    private final @Nullable AnswerCache cache;
    private final Map<DnsServer, ServerState> states = new HashMap<>();
    private int turn;

    Epoch(ResolverConfig config, @Nullable AnswerCache cache, Secrets secrets) {
        this(config, cache, secrets, Map.of());
    }

    private Epoch(
            ResolverConfig config,
            @Nullable AnswerCache cache,
            Secrets secrets,
            Map<DnsServer, ServerState> known) {
        this.config = config;
        this.cache = cache;
        config.servers().forEach(server -> add(server, secrets, known));
        config.domains().forEach(d -> d.servers().forEach(server -> add(server, secrets, known)));
    }

    private void add(DnsServer server, Secrets secrets, Map<DnsServer, ServerState> known) {
        ServerState state = known.get(server);
        if (state == null) {
            states.computeIfAbsent(server, _ -> new ServerState(server, secrets.cookie()));
        } else {
            states.put(server, state);
        }
    }

    /// The epoch of `other`, which knows of servers what this one does, and no answers: other
    /// servers may know other names. What servers have that it does not name is closed.
    Epoch next(ResolverConfig other, Secrets secrets) {
        AnswerCache empty = cache == null ? null : cache.another();
        Epoch next = new Epoch(other, empty, secrets, states);
        states.forEach(
                (server, state) -> {
                    if (!next.states.containsKey(server)) {
                        state.retire();
                    }
                });
        if (cache != null) {
            cache.clear(); // of little use to the questions that are left
        }
        return next;
    }

    ResolverConfig config() {
        return config;
    }

    /// Null where no answers are kept.
    @Nullable AnswerCache cache() {
        return cache;
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
    List<ServerState> servers(DnsName name, long now) {
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
        if (config.rotate()) {
            ordered.sort((a, b) -> Integer.compare(a.failures(now), b.failures(now)));
        } else {
            ordered.sort((a, b) -> Long.compare(a.rank(now), b.rank(now)));
        }
        return ordered;
    }

    private ServerState state(DnsServer server) {
        return Objects.requireNonNull(states.get(server));
    }

    List<ServerState> states() {
        return List.copyOf(states.values());
    }
}
