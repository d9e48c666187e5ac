package io.weft.channel;

import io.weft.channel.spi.EngineProvider;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/// Finds the engine to use. Each kind is probed once a process.
final class Engines {
    static final String AUTO = "auto";

    /// What a probe found.
    private record Probed(EngineProvider provider, boolean works, String why) {}

    /// A file that lists nothing but nonsense must not be read for ever.
    private static final int MAX_BROKEN = 100;

    private static final Map<String, Probed> PROBED = new HashMap<>();
    private static @Nullable EngineProvider auto;

    private Engines() {}

    /// Makes what a provider's engines are for, all of them or none.
    interface Maker<T> {
        T make(EngineProvider provider) throws EngineUnavailableException;
    }

    /// Makes something on the engine that was chosen. Where nobody chose, and the best that works here cannot make all the
    /// engines that it takes, as rings count against the limit of locked memory, on the next best.
    ///
    /// @throws IllegalStateException when the engine cannot make it; the message says why
    static <T> T make(String transport, Maker<T> maker) {
        String wanted =
                transport.equals(AUTO) ? System.getProperty("io.weft.transport", AUTO) : transport;
        return wanted.equals(AUTO)
                ? makeOnBest(providers(new ArrayList<>()), best(), maker)
                : makeOn(named(wanted), maker);
    }

    private static <T> T makeOn(EngineProvider provider, Maker<T> maker) {
        try {
            return maker.make(provider);
        } catch (EngineUnavailableException e) {
            throw unavailable(provider, e);
        }
    }

    private static IllegalStateException unavailable(
            EngineProvider provider, EngineUnavailableException e) {
        return new IllegalStateException(
                "transport " + provider.name() + " is not available: " + e.getMessage(), e);
    }

    static <T> T makeOnBest(List<EngineProvider> all, EngineProvider best, Maker<T> maker) {
        EngineProvider provider = best;
        for (; ; ) {
            try {
                return maker.make(provider);
            } catch (EngineUnavailableException e) {
                EngineProvider next = nextBest(all, provider);
                if (next == null) {
                    throw unavailable(provider, e);
                }
                Log.info(
                        "transport "
                                + next.name()
                                + " this time; not "
                                + provider.name()
                                + ": "
                                + e.getMessage());
                provider = next;
            }
        }
    }

    private static synchronized @Nullable EngineProvider nextBest(
            List<EngineProvider> all, EngineProvider refused) {
        for (EngineProvider provider : all) {
            if (provider.priority() < refused.priority() && probe(provider).works) {
                return provider;
            }
        }
        return null;
    }

    private static synchronized EngineProvider named(String transport) {
        List<String> broken = new ArrayList<>();
        List<EngineProvider> providers = providers(broken);
        for (EngineProvider provider : providers) {
            if (provider.name().equals(transport)) {
                Probed probed = probe(provider);
                if (!probed.works) {
                    throw new IllegalStateException(
                            "transport " + transport + " does not work here: " + probed.why);
                }
                return provider;
            }
        }
        throw new IllegalArgumentException(
                "transport: "
                        + transport
                        + " (expected: auto, "
                        + String.join(", ", providers.stream().map(EngineProvider::name).toList())
                        + ")"
                        + (broken.isEmpty() ? "" : "; broken: " + String.join("; ", broken)));
    }

    private static synchronized EngineProvider best() {
        if (auto != null) {
            return auto;
        }
        List<String> refused = new ArrayList<>();
        for (EngineProvider provider : providers(refused)) {
            Probed probed = probe(provider);
            if (probed.works) {
                auto = provider;
                Log.info(
                        "transport "
                                + provider.name()
                                + ": "
                                + probed.why
                                + (refused.isEmpty()
                                        ? ""
                                        : "; not " + String.join("; not ", refused)));
                return provider;
            }
            refused.add(provider.name() + ": " + probed.why);
        }
        throw new IllegalStateException(
                refused.isEmpty()
                        ? "no transport module is present (expected: one of io.weft.transport.uring, .epoll, .nio)"
                        : "no transport works here: " + String.join("; ", refused));
    }

    private static Probed probe(EngineProvider provider) {
        Probed probed = PROBED.get(provider.name());
        if (probed == null) {
            try {
                probed = new Probed(provider, true, provider.probe());
            } catch (EngineUnavailableException | LinkageError | RuntimeException e) {
                probed = new Probed(provider, false, String.valueOf(e.getMessage()));
            }
            PROBED.put(provider.name(), probed);
        }
        return probed;
    }

    /// All that can be made, best first. One that cannot, because its module is there but what it needs is not, is
    /// reported in `broken` and keeps nobody from the others.
    private static List<EngineProvider> providers(List<String> broken) {
        var found =
                ServiceLoader.load(EngineProvider.class, EngineProvider.class.getClassLoader())
                        .iterator();
        List<EngineProvider> providers = new ArrayList<>();
        while (broken.size() < MAX_BROKEN) {
            try {
                if (!found.hasNext()) {
                    break;
                }
                providers.add(found.next());
            } catch (ServiceConfigurationError | LinkageError e) {
                broken.add(String.valueOf(e.getMessage()));
            }
        }
        providers.sort(Comparator.comparingInt(EngineProvider::priority).reversed());
        return providers;
    }
}
