package io.weft.resolver.names;

import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.resolver.names.binding.EndpointSearch;
import java.time.Duration;
import java.util.Objects;
import java.util.Set;

/// Finds the addresses at which an origin of HTTP is served: those of the places that its records
/// of type HTTPS name (RFC 9460), with their ports and protocols, the best place first; then those
/// of the host itself, which serve where no place can be reached (3).
///
/// Records and addresses are asked for side by side. A connect begins when both are known, or when
/// an address has been known for 50 ms; hints of addresses count until those of their name are
/// there. A place none of whose protocols the client speaks is left out.
///
/// Any thread may use it.
public final class ServiceBindingResolver implements NameResolver {
    /// RFC 8305 8: the resolution delay.
    private static final Duration RESOLUTION_DELAY = Duration.ofMillis(50);

    private final NameResolver names;
    private final Set<String> protocols;

    /// @param names tell the [places][NameResolver#serviceBinding] and all addresses
    /// @param protocols that the client speaks, by their names for ALPN
    public ServiceBindingResolver(NameResolver names, Set<String> protocols) {
        this.names = Objects.requireNonNull(names, "names");
        this.protocols = Set.copyOf(protocols);
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        Future<ServiceBinding> binding = serviceBinding(host, port, executor);
        ServiceBinding known = binding.now();
        if (binding.isDone() && (known == null || known.isEmpty())) {
            return names.resolve(host, port, executor, answers);
        }
        EndpointSearch search = new EndpointSearch(names, protocols, host, port, executor, answers);
        search.begin(binding, RESOLUTION_DELAY);
        return search.promise;
    }

    @Override
    public boolean knowsServiceBindings() {
        return names.knowsServiceBindings();
    }

    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        return names.serviceBinding(host, port, executor);
    }
}
