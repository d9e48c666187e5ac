package io.weft.eventloop;

import static io.weft.eventloop.Log.LOG;

import io.weft.engine.EndpointProvider;
import java.net.SocketAddress;
import java.util.HashMap;
import java.util.Iterator;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Finds who makes the endpoints at an address: a provider that names its class, else the engine.
final class Endpoints {
    /// Providers of this process, looked for when the first address is.
    static final Endpoints FOUND =
            new Endpoints(
                    ServiceLoader.load(
                                    EndpointProvider.class, EndpointProvider.class.getClassLoader())
                            .iterator());

    /// Limit of broken entries; see [Engines].
    private static final int MAX_BROKEN = 100;

    private final Map<Class<?>, EndpointProvider> providers = new HashMap<>();

    /// Leaves out providers that cannot be made, and all but the first for one class.
    Endpoints(Iterator<EndpointProvider> found) {
        for (int broken = 0; broken < MAX_BROKEN; ) {
            try {
                if (!found.hasNext()) {
                    break;
                }
                EndpointProvider provider = found.next();
                EndpointProvider first = providers.putIfAbsent(provider.addresses(), provider);
                if (first != null) {
                    LOG.warn(
                            provider.addresses().getName()
                                    + ": of "
                                    + first.getClass().getName()
                                    + "; not "
                                    + provider.getClass().getName());
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                broken++;
                LOG.failure("a provider of endpoints is broken", e);
            }
        }
    }

    /// Returns null for addresses that the engine serves.
    @Nullable EndpointProvider at(SocketAddress address) {
        return providers.get(address.getClass());
    }
}
