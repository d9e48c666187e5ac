package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.resolver.names.search.Flights;

/// Has one search for each name at a time: whoever asks for a name that is being looked for waits
/// for the same search, and hears first what it has found already. A caller that cancels harms no
/// other; when all have, the search is cancelled.
///
/// The search runs on the executor of the first that asked. If that shuts down, the search begins
/// anew on that of another.
///
/// Any thread may use it. A [CachingResolver] does this as well.
public final class CoalescingResolver implements NameResolver {
    private final NameResolver resolver;
    private final Flights flights;

    /// Makes one with the [limits][NameCacheLimits#DEFAULT] of a cache for searches and waiters.
    public CoalescingResolver(NameResolver resolver) {
        this(resolver, NameCacheLimits.DEFAULT.inFlight(), NameCacheLimits.DEFAULT.waiting());
    }

    /// @param maxInFlight searches at a time; further ones fail with a
    ///     `RejectedExecutionException`
    /// @param maxWaiting callers that wait for one search; further ones fail so, too
    public CoalescingResolver(NameResolver resolver, int maxInFlight, int maxWaiting) {
        this.resolver = resolver;
        flights = new Flights(resolver, maxInFlight, maxWaiting, false, (_, _, _) -> {});
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        return flights.join(host, port, executor, answers);
    }

    @Override
    public boolean knowsServiceBindings() {
        return resolver.knowsServiceBindings();
    }

    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        return resolver.serviceBinding(host, port, executor);
    }

    /// Returns the number of searches under way.
    public int inFlight() {
        return flights.size();
    }
}
