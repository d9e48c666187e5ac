package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.search.Flight;
import io.weft.resolver.names.search.Flights;
import io.weft.resolver.names.search.Outcome;
import io.weft.resolver.names.search.StaleSearch;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Keeps what a resolver has found, for as long as it said, and names without an address; has one
/// search for each name at a time, as [CoalescingResolver] does. A search that has found something
/// goes on when its callers have what they need, so that the answer is complete in the cache.
///
/// Addresses are kept under the name that was asked for, for the shortest time that was told of
/// them and of the aliases on the way: no name is ever answered with what the search for another
/// brought along.
///
/// With [stale answers][NameCacheLimits#stale(Duration)], addresses that have expired are given
/// when the resolver fails, or does not answer in time (RFC 8767). A name that does not exist any
/// more is believed if the resolver says for how long.
///
/// Any thread may use it. Names should come in one form, as [SpecialNamesResolver] hands them on.
public final class CachingResolver implements NameResolver {
    private final NameResolver resolver;
    private final NameCache cache;
    private final Flights flights;

    /// Makes one with a cache of the default limits.
    public CachingResolver(NameResolver resolver) {
        this(resolver, new NameCache(NameCacheLimits.DEFAULT));
    }

    /// @param cache that others may share, and that has the limits
    public CachingResolver(NameResolver resolver, NameCache cache) {
        this.resolver = resolver;
        this.cache = cache;
        NameCacheLimits limits = cache.limits();
        this.flights =
                new Flights(resolver, limits.inFlight(), limits.waiting(), true, this::ended);
    }

    /// Returns the cache.
    public NameCache cache() {
        return cache;
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        return switch (cache.get(host, port, executor.clock())) {
            case NameCache.Addresses known when !known.stale() ->
                    Searches.answer(executor, answers, known.addresses(), known.timeToLive());
            case NameCache.Addresses known when cache.hasJustFailed(host, port, executor.clock()) ->
                    Searches.answer(executor, answers, known.addresses(), Duration.ZERO);
            case NameCache.Addresses known ->
                    new StaleSearch(known.addresses(), executor, answers)
                            .begin(
                                    flights,
                                    host,
                                    port,
                                    cache.limits().staleAnswer(),
                                    () -> cache.failed(host, port, executor.clock()));
            case NameCache.Absent _ ->
                    Searches.unknown(executor, host + ": no address, as is known");
            case null -> flights.join(host, port, executor, answers);
        };
    }

    @Override
    public boolean knowsServiceBindings() {
        return resolver.knowsServiceBindings();
    }

    /// Keeps what it hears of places for as long as that says. A failure is kept as a name without
    /// an address is, so that servers which do not answer such questions cost little.
    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        ServiceBinding known = cache.binding(host, port, executor.clock());
        if (known != null) {
            return Promise.succeeded(executor, known);
        }
        Future<ServiceBinding> search = resolver.serviceBinding(host, port, executor);
        var _ =
                search.addListener(
                        outcome -> {
                            ServiceBinding found = outcome.now();
                            if (found == null && !outcome.isCancelled()) {
                                found = new ServiceBinding(List.of(), cache.limits().negativeTtl());
                            }
                            if (found != null) {
                                cache.putBinding(host, port, found, executor.clock());
                            }
                        });
        return search;
    }

    private void ended(Flight flight, Outcome outcome, Future<Void> search) {
        var clock = outcome.executor.clock();
        NameCacheLimits limits = cache.limits();
        if (search.isSuccess() && outcome.hasAnswer()) {
            for (Outcome.Alias alias : outcome.aliases) {
                cache.putAlias(alias.name(), alias.target(), alias.timeToLive(), clock);
            }
            cache.put(
                    flight.host,
                    flight.port,
                    outcome.addresses,
                    orElse(outcome.timeToLive, limits.unknownTtl()),
                    clock);
        } else if (isUnknown(search) && !outcome.hasAnswer()) {
            // Without a time it may be a failure under another name, as the system tells none.
            if (outcome.absent != null || !limits.stale().isPositive()) {
                Duration told = orElse(outcome.absent, limits.negativeTtl());
                cache.putAbsent(flight.host, flight.port, told, clock);
            }
        }
    }

    private static boolean isUnknown(Future<Void> search) {
        return search.isSuccess() || search.cause() instanceof UnknownHostException;
    }

    private static Duration orElse(@Nullable Duration told, Duration otherwise) {
        return told == null ? otherwise : told;
    }
}
