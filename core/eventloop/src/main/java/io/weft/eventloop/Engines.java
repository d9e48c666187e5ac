package io.weft.eventloop;

import static io.weft.eventloop.Log.LOG;

import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// Finds the engine to use. Each kind is probed once a process.
final class Engines {
    static final String AUTO = "auto";

    /// Result of a probe.
    private record Probed(EngineProvider provider, boolean works, String why) {}

    /// Limit of broken entries: a file that lists nothing but nonsense must not be read
    /// indefinitely.
    private static final int MAX_BROKEN = 100;

    private static final Map<String, Probed> PROBED = new HashMap<>();
    private static @Nullable EngineProvider auto;

    private Engines() {}

    /// Makes what a provider's engines are for, all of them or none.
    interface Maker<T> {
        T make(EngineProvider provider) throws EngineUnavailableException;
    }

    /// Makes something on the engine that was chosen. If none was chosen and the best cannot make
    /// all the engines that it takes (rings count against the limit of locked memory), uses the
    /// next best.
    ///
    /// @throws IllegalStateException when the engine cannot make it; the message says why
    static <T> T make(String transport, Maker<T> maker) {
        String wanted =
                transport.equals(AUTO) ? System.getProperty("io.weft.transport", AUTO) : transport;
        return wanted.equals(AUTO)
                ? makeOn(best(), () -> providers(new ArrayList<>()), maker)
                : makeOn(named(wanted), List::of, maker);
    }

    /// @param others what to try after `first`, best first; asked for when it fails
    static <T> T makeOn(
            EngineProvider first, Supplier<List<EngineProvider>> others, Maker<T> maker) {
        EngineProvider provider = first;
        for (; ; ) {
            try {
                return maker.make(provider);
            } catch (EngineUnavailableException e) {
                EngineProvider next = nextBest(others.get(), provider);
                if (next == null) {
                    throw new IllegalStateException(
                            "transport " + provider.name() + " is not available: " + e.getMessage(),
                            e);
                }
                LOG.info(
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
                LOG.info(
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

    /// Lists all providers that can be made, best first. A provider whose module is there but whose
    /// needs are not met is reported in `broken`; the others are still listed.
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
