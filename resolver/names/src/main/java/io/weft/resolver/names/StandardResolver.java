package io.weft.resolver.names;

import java.util.Iterator;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// See [NameResolver#standard].
final class StandardResolver {
    private static final System.Logger LOGGER = System.getLogger("io.weft.resolver.names");

    static final NameResolver FOUND =
            best(
                    ServiceLoader.load(
                                    NameResolverProvider.class,
                                    NameResolverProvider.class.getClassLoader())
                            .iterator());

    /// Limit of broken entries.
    private static final int MAX_BROKEN = 100;

    private StandardResolver() {}

    /// Leaves out providers that cannot be made, or make no resolver.
    static NameResolver best(Iterator<NameResolverProvider> found) {
        NameResolver best = null;
        int priority = 0;
        for (int broken = 0; broken < MAX_BROKEN; ) {
            try {
                if (!found.hasNext()) {
                    break;
                }
                NameResolverProvider provider = found.next();
                if (best == null || provider.priority() > priority) {
                    NameResolver created = created(provider);
                    best = created == null ? best : created;
                    priority = created == null ? priority : provider.priority();
                }
            } catch (ServiceConfigurationError | LinkageError e) {
                broken++;
                LOGGER.log(System.Logger.Level.WARNING, "a provider of resolvers is broken", e);
            }
        }
        return best == null ? NameResolver.system() : best;
    }

    private static @Nullable NameResolver created(NameResolverProvider provider) {
        try {
            return provider.create();
        } catch (RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "a provider of resolvers is broken", e);
            return null;
        }
    }
}
