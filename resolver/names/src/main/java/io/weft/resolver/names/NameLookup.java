package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.Function;

/// Finds the addresses of a name for a program that does not connect by itself.
///
/// ```java
/// Future<InetAddress> one = new NameLookup(NameResolver.standard(), AddressFamilies.IPV6_PREFERRED)
///         .resolve("example.com", loop);
/// ```
///
/// @param resolver that is asked
/// @param families that are wanted, in their order
public record NameLookup(NameResolver resolver, AddressFamilies families) {
    /// Finds the first address in the wanted order, when all are known.
    ///
    /// @param executor runs the listeners of the future
    /// @return the address; fails with an `UnknownHostException` when there is none of a wanted
    ///     family; cancelling it gives the search up
    public Future<InetAddress> resolve(String host, EventExecutor executor) {
        return find(host, executor, List::getFirst);
    }

    /// Finds all addresses of the wanted families, in their order. If some could not be had, these
    /// are the others.
    ///
    /// @param executor runs the listeners of the future
    /// @return one address at least; fails as [#resolve] does
    public Future<List<InetAddress>> resolveAll(String host, EventExecutor executor) {
        return find(host, executor, addresses -> addresses);
    }

    private <T> Future<T> find(
            String host, EventExecutor executor, Function<List<InetAddress>, T> result) {
        Promise<T> promise = executor.newPromise();
        List<ResolvedAddress> found = new ArrayList<>();
        Future<Void> search =
                resolver.resolve(
                        host,
                        0,
                        executor,
                        addresses ->
                                addresses.stream()
                                        .filter(address -> !found.contains(address))
                                        .forEach(found::add));
        var _ =
                promise.addListener(
                        outcome -> {
                            if (outcome.isCancelled()) {
                                search.cancel();
                            }
                        });
        var _ =
                search.addListener(
                        outcome -> {
                            List<InetAddress> wanted =
                                    families.select(found).stream()
                                            .map(ResolvedAddress::address)
                                            .distinct()
                                            .toList();
                            if (!wanted.isEmpty()) {
                                promise.trySuccess(result.apply(wanted));
                            } else if (outcome.isSuccess()) {
                                promise.tryFailure(
                                        new UnknownHostException(
                                                host + ": no address (" + families + ")"));
                            } else {
                                promise.tryFailure(
                                        Objects.requireNonNullElseGet(
                                                outcome.cause(), CancellationException::new));
                            }
                        });
        return promise;
    }
}
