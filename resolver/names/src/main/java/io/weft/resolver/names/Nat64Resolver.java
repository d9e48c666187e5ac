package io.weft.resolver.names;

import io.weft.engine.SourceAddresses;
import io.weft.engine.SourceAddresses.Unreachable;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import io.weft.resolver.names.search.PassedAnswers;
import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Reaches IPv4 on a network that has IPv6 only, through the network's translator (RFC 8305, 7).
/// For addresses of IPv4, those of the translator are found as well: at once where a host has no
/// other, as does a literal; two seconds later where it has addresses of IPv6, which may be broken
/// (7.2, the last resort). On a network that has a route for IPv4 it changes nothing.
///
/// The prefix of the translator is that of `ipv4only.arpa` (RFC 7050), which the resolver behind is
/// asked for by each such search: it belongs behind this one together with a [CachingResolver].
///
/// Any thread may use it.
public final class Nat64Resolver implements NameResolver {
    /// RFC 8305 8: the last resort local synthesis delay.
    private static final Duration LAST_RESORT = Duration.ofSeconds(2);

    private static final String DISCOVERY = "ipv4only.arpa.";
    private static final InetAddress SOMEWHERE = InetAddress.ofLiteral("192.0.0.170");

    private final NameResolver names;
    private final SourceAddresses sources;

    /// @param names that takes literals too, such as that of [StandardNames]
    /// @param sources tell if the network has a route for IPv4: [SourceAddresses#routes]
    public Nat64Resolver(NameResolver names, SourceAddresses sources) {
        this.names = names;
        this.sources = sources;
    }

    @Override
    public Future<Void> resolve(String host, int port, EventExecutor executor, Answers answers) {
        if (!(sources.of(SOMEWHERE) instanceof Unreachable)) {
            return names.resolve(host, port, executor, answers);
        }
        Translation translation = new Translation(port, executor, answers);
        translation.begin(names.resolve(host, port, executor, translation));
        return translation.promise;
    }

    @Override
    public boolean knowsServiceBindings() {
        return names.knowsServiceBindings();
    }

    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        return names.serviceBinding(host, port, executor);
    }

    /// One search, which goes on until addresses of the translator were found, or cannot be.
    private final class Translation extends PassedAnswers {
        final Promise<Void> promise;
        private final int port;
        private final EventExecutor executor;
        private final Answers answers;
        private final List<Inet4Address> ipv4 = new ArrayList<>();
        private boolean hasIpv6;
        private @Nullable Timeout lastResort;
        private volatile @Nullable Future<Void> running;

        Translation(int port, EventExecutor executor, Answers answers) {
            super(answers);
            this.port = port;
            this.executor = executor;
            this.answers = answers;
            this.promise = executor.newPromise();
        }

        void begin(Future<Void> search) {
            running = search;
            var _ = promise.addListener(_ -> stop());
            var _ = search.addListener(this::searched);
        }

        private void stop() {
            if (lastResort != null) {
                lastResort.cancel();
            }
            Future<Void> current = running;
            if (current != null) {
                current.cancel();
            }
        }

        @Override
        protected boolean passes() {
            return !promise.isDone();
        }

        @Override
        public void found(List<ResolvedAddress> addresses) {
            note(addresses);
            super.found(addresses);
        }

        @Override
        public void found(List<ResolvedAddress> addresses, Duration timeToLive) {
            note(addresses);
            super.found(addresses, timeToLive);
        }

        private void note(List<ResolvedAddress> addresses) {
            for (ResolvedAddress found : addresses) {
                hasIpv6 |= found.isIpv6();
                if (found.address() instanceof Inet4Address address && !isLocal(address)) {
                    ipv4.add(address);
                }
            }
        }

        private void searched(Future<Void> outcome) {
            if (ipv4.isEmpty() || promise.isDone()) {
                end(outcome);
            } else if (!hasIpv6) {
                discover(outcome);
            } else {
                try {
                    lastResort =
                            executor.schedule(
                                    () -> discover(outcome),
                                    LAST_RESORT.toNanos(),
                                    TimeUnit.NANOSECONDS);
                } catch (RejectedExecutionException e) {
                    promise.tryFailure(e);
                }
            }
        }

        private void end(Future<Void> outcome) {
            if (outcome.isSuccess()) {
                promise.trySuccess(null);
            } else {
                promise.tryFailure(
                        Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new));
            }
        }

        /// RFC 7050 3.
        private void discover(Future<Void> outcome) {
            List<Nat64Prefix> prefixes = new ArrayList<>();
            Future<Void> discovery =
                    names.resolve(
                            DISCOVERY,
                            0,
                            executor,
                            addresses -> {
                                for (ResolvedAddress found : addresses) {
                                    Nat64Prefix prefix =
                                            found.address() instanceof Inet6Address address
                                                    ? Nat64Prefix.of(address)
                                                    : null;
                                    if (prefix != null && !prefixes.contains(prefix)) {
                                        prefixes.add(prefix);
                                    }
                                }
                            });
            running = discovery;
            var _ =
                    discovery.addListener(
                            _ -> {
                                translate(prefixes);
                                end(outcome);
                            });
        }

        private void translate(List<Nat64Prefix> prefixes) {
            if (prefixes.isEmpty() || promise.isDone()) {
                return;
            }
            Nat64Prefix prefix = prefixes.getFirst();
            List<ResolvedAddress> translated =
                    ipv4.stream()
                            .filter(address -> isTranslated(prefix, address))
                            .map(prefix::synthesize)
                            .map(address -> new ResolvedAddress(address, port))
                            .toList();
            if (translated.isEmpty()) {
                return;
            }
            try {
                answers.found(translated);
            } catch (Throwable t) {
                promise.tryFailure(t);
            }
        }
    }

    /// Addresses of the host or of its link, which are no translator's.
    private static boolean isLocal(Inet4Address address) {
        return address.isLoopbackAddress()
                || address.isAnyLocalAddress()
                || address.isLinkLocalAddress()
                || address.isMulticastAddress();
    }

    /// RFC 6052 3.1: the well-known prefix represents no private address. Under a prefix of
    /// its own a network may translate its private addresses.
    private static boolean isTranslated(Nat64Prefix prefix, Inet4Address address) {
        return !address.isSiteLocalAddress() || !prefix.equals(Nat64Prefix.WELL_KNOWN);
    }
}
