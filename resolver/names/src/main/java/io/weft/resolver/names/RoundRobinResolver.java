package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.resolver.names.search.PassedAnswers;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;

/// Begins with another address of a host in each search, so that connections spread over all of
/// them. Belongs in front of a cache. Within a family the order is kept by a connect as well, as
/// long as RFC 6724 finds nothing that tells the addresses apart.
///
/// Any thread may use it.
public final class RoundRobinResolver implements NameResolver {
    private final NameResolver resolver;
    private final AtomicInteger searches = new AtomicInteger();

    public RoundRobinResolver(NameResolver resolver) {
        this.resolver = resolver;
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        int turn = searches.getAndIncrement();
        return resolver.resolve(
                host,
                port,
                executor,
                new PassedAnswers(answers) {
                    @Override
                    public void found(List<ResolvedAddress> addresses) {
                        super.found(rotated(addresses, turn));
                    }

                    @Override
                    public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
                        super.found(rotated(addresses, turn), timeToLive);
                    }
                });
    }

    @Override
    public boolean knowsServiceBindings() {
        return resolver.knowsServiceBindings();
    }

    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        return resolver.serviceBinding(host, port, executor);
    }

    /// Rotates the families each by itself: they alternate in a connect.
    private static List<ResolvedAddress> rotated(List<ResolvedAddress> addresses, int turn) {
        List<ResolvedAddress> ipv6 = new ArrayList<>();
        List<ResolvedAddress> ipv4 = new ArrayList<>();
        addresses.forEach(address -> (address.isIpv6() ? ipv6 : ipv4).add(address));
        rotate(ipv6, turn);
        rotate(ipv4, turn);
        List<ResolvedAddress> rotated = new ArrayList<>(addresses.size());
        for (ResolvedAddress address : addresses) { // the families stay where they were
            rotated.add((address.isIpv6() ? ipv6 : ipv4).removeFirst());
        }
        return rotated;
    }

    private static void rotate(List<ResolvedAddress> family, int turn) {
        if (!family.isEmpty()) {
            Collections.rotate(family, -Math.floorMod(turn, family.size()));
        }
    }
}
