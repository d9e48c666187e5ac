package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.Opcode;
import io.weft.codec.dns.RecordType;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.EventExecutor;
import io.weft.loop.Future;
import io.weft.loop.IpAddresses;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import io.weft.resolver.names.ServiceBinding;
import java.net.InetAddress;
import java.security.SecureRandom;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CancellationException;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntPredicate;

/// Asks name servers. It keeps no answers unless [Builder#cache] says so: for addresses there is
/// also the cache of `resolver/names`, in front of it.
///
/// **Servers** are those of `resolv.conf`, which is read again when it changes, or as
/// [Builder#config] says. One that fails or is slow is passed over for the next; see
/// [ResolverConfig] and [ResolverLimits].
///
/// **Forgery.** Each query over UDP has a port, an id and a spelling of the name at random, and a
/// cookie; equal questions are asked once. Queries that follow each other closely may share a port
/// ([ResolverLimits#portUses]). What does not fit is ignored, and
/// of a response nothing is used but the records that lead from the name to the type that were
/// asked for.
///
/// **Threads.** All methods may be called from any thread. A resolver works on one loop, whose
/// clock it goes by; listeners of futures run there too.
///
/// **Failures.** Futures fail with a [ResolveException] when servers do not answer. That there is
/// no such name is an answer, but for [#resolve(String, int, EventExecutor, Answers)].
public final class DnsResolver implements NameResolver, AutoCloseable {
    /// Keys of records of type HTTPS that a client of HTTP understands.
    private static final Set<Integer> HTTP_KEYS = Set.of(1, 2, 3, 4, 6);

    private final EventLoop loop;
    private final Exchanges exchanges;
    private final Tally tally;
    private final AddressFamilies families;
    private final ConfigFile file;

    private DnsResolver(Builder builder) {
        loop = builder.loop;
        families = builder.families;
        tally = new Tally(builder.observer);
        ResolverConfig given = builder.config;
        file = given == null ? ConfigFile.of(builder.path) : ConfigFile.NONE;
        ResolverConfig config = given == null ? file.first() : given;
        exchanges =
                new Exchanges(
                        loop,
                        builder.limits,
                        new Secrets(builder.random),
                        tally,
                        TlsContexts.of(config),
                        builder.cache == null
                                ? null
                                : new AnswerCache(builder.cache, builder.limits),
                        config);
    }

    /// A resolver on one of the loops of `group`.
    public static Builder builder(EventLoopGroup group) {
        return new Builder(group.next());
    }

    /// A resolver on `loop`.
    public static Builder builder(EventLoop loop) {
        return new Builder(loop);
    }

    // ---- what it finds ----

    /// Searches for records of a type, of the name that is meant: a name with few dots is completed
    /// by the search list, one with a dot at its end is taken as it is.
    ///
    /// @param name as master files have it, or with letters of other scripts (IDNA)
    /// @return the answer; fails with an [IllegalArgumentException] when it is not a name
    public Future<DnsAnswer> resolveAll(String name, RecordType type) {
        Promise<DnsAnswer> promise = loop.newPromise();
        onLoop(
                promise,
                call -> {
                    List<DnsName> names = SearchList.names(name, call.epoch().config());
                    Search.start(exchanges, call, names, type, promise);
                });
        return promise;
    }

    /// Asks for records of a type, of just this name.
    public Future<DnsAnswer> resolve(DnsName name, RecordType type) {
        Promise<DnsAnswer> promise = loop.newPromise();
        onLoop(promise, call -> Search.start(exchanges, call, List.of(name), type, promise));
        return promise;
    }

    /// Finds the places of a service that has SRV records (RFC 2782), in the order in which they
    /// should be tried: by priority, and those of equal priority at random, by weight.
    ///
    /// @param name as `_xmpp-client._tcp.example.com.`
    /// @return the places; none when there is no such service
    public Future<List<ServiceAddress>> services(DnsName name) {
        Promise<List<ServiceAddress>> promise = loop.newPromise();
        onLoop(
                promise,
                call ->
                        Services.start(
                                exchanges,
                                call,
                                name,
                                RecordType.SRV,
                                0,
                                List.of(),
                                _ -> true,
                                then(promise, Services.Places::all)));
        return promise;
    }

    /// Finds the places where an origin of HTTP is served, as HTTPS records say (RFC 9460, 9):
    /// protocols, ports and hints, aliases followed. Without such records, connect to the host
    /// itself.
    ///
    /// @param host as `www.example.com.`
    /// @param port of the origin; with another than 443, records of `_PORT._https.HOST` are meant
    /// @return the places, the best first; none when there are no records; behind aliases the last
    ///     is the host that they lead to, with a priority above 65,535
    public Future<List<ServiceAddress>> httpsServices(DnsName host, int port) {
        Promise<List<ServiceAddress>> promise = loop.newPromise();
        onLoop(
                promise,
                call ->
                        https(
                                call,
                                host,
                                port,
                                key -> key <= 8,
                                then(promise, Services.Places::all)));
        return promise;
    }

    private void https(
            Call call,
            DnsName host,
            int port,
            IntPredicate understood,
            Promise<Services.Places> promise) {
        DnsName name = port == 443 ? host : DnsName.parse("_" + port + "._https.").append(host);
        Services.start(
                exchanges,
                call,
                name,
                RecordType.HTTPS,
                port,
                List.of("http/1.1"),
                understood,
                promise);
    }

    /// A promise on whose outcome that of another depends, and which ends with it.
    private <V, W> Promise<V> then(Promise<W> promise, Function<V, W> result) {
        Promise<V> first = loop.newPromise();
        var _ =
                first.addListener(
                        outcome -> {
                            V value = outcome.now();
                            if (value == null) {
                                promise.tryFailure(causeOf(outcome));
                            } else {
                                promise.trySuccess(result.apply(value));
                            }
                        });
        var _ = promise.addListener(_ -> first.cancel());
        return first;
    }

    @Override
    public boolean knowsServiceBindings() {
        return true;
    }

    /// Finds the places of an origin as [#httpsServices] does, for a client of HTTP: one that does
    /// not know encrypted ClientHello. Records are asked for of just this name: one that the search
    /// list would complete first has none.
    @Override
    public Future<ServiceBinding> serviceBinding(String host, int port, EventExecutor executor) {
        Promise<ServiceBinding> promise = executor.newPromise();
        onLoop(
                promise,
                call -> {
                    DnsName name = SearchList.names(host, call.epoch().config()).getFirst();
                    if (!name.equals(SearchList.asIs(host))
                            || SpecialNames.isSpecial(name)
                            || !SearchList.isOfHost(name)) {
                        promise.trySuccess(ServiceBinding.NONE);
                        return;
                    }
                    https(
                            call,
                            name,
                            port,
                            HTTP_KEYS::contains,
                            then(promise, Services.Places::binding));
                });
        return promise;
    }

    /// Asks the servers, and returns the response: for forwarders and tools. Nothing in it is
    /// checked but that it is the response to this question; TTLs and aliases are left as they are.
    /// Servers are not asked for special names (RFC 6761): `localhost` is this host, and there is
    /// no name in `invalid` and `onion`.
    ///
    /// The EDNS of the response is not that of the server, which is for one hop alone (RFC 6891,
    /// 6.1.1), as cookies, padding and keepalive are: there is one if `query` has one, with DO as
    /// there. [Extended errors][io.weft.codec.dns.EdnsOption.ExtendedError] of the server are in
    /// it.
    ///
    /// @param query its one question, its flags RD, AD and CD, and DO of its EDNS are asked
    /// @return the response, with the id of `query`; it has NOERROR, NXDOMAIN or YXDOMAIN, as
    ///     servers that answer otherwise are passed over; see [ResolveException#code]
    /// @throws IllegalArgumentException unless it is a query with one question
    public Future<DnsMessage> exchange(DnsMessage query) {
        if (query.questions().size() != 1 || !query.opcode().equals(Opcode.QUERY)) {
            throw new IllegalArgumentException(
                    query.opcode()
                            + ", questions: "
                            + query.questions().size()
                            + " (expected: QUERY, 1)");
        }
        DnsMessage special = SpecialNames.response(query);
        if (special != null) {
            return loop.<DnsMessage>newPromise().setSuccess(special);
        }
        Promise<DnsMessage> promise = loop.newPromise();
        Promise<DnsMessage> response = loop.newPromise();
        var _ =
                response.addListener(
                        outcome -> {
                            DnsMessage message = outcome.now();
                            if (message == null) {
                                promise.tryFailure(causeOf(outcome));
                            } else {
                                promise.trySuccess(Ask.forwarded(message, query));
                            }
                        });
        var _ = promise.addListener(_ -> response.cancel());
        onLoop(
                promise,
                call -> exchanges.ask(Ask.of(query, call.epoch()), call.deadline(), response));
        return promise;
    }

    /// Finds the addresses of a host, as [#resolveAll] does names. An address as text is that
    /// address; servers are not asked for other texts that systems take for one (`127.1`, `[::1]`).
    ///
    /// @return fails with a [java.net.UnknownHostException] when there is no such name, or it has
    ///     no address
    @Override
    public Future<Void> resolve(
            String host, int port, EventExecutor executor, NameResolver.Answers answers) {
        Promise<Void> promise = executor.newPromise();
        InetAddress literal = IpAddresses.parse(host);
        if (literal != null) {
            ForwardedAnswers forwarded = new ForwardedAnswers(executor, false, promise, answers);
            forwarded.found(List.of(new ResolvedAddress(literal, port)));
            forwarded.then(() -> promise.trySuccess(null));
            return promise;
        }
        ForwardedAnswers forwarded =
                new ForwardedAnswers(executor, executor == loop, promise, answers);
        Promise<Void> search = loop.newPromise();
        var _ =
                search.addListener(
                        outcome -> {
                            if (outcome.isSuccess()) {
                                forwarded.then(() -> promise.trySuccess(null));
                            } else {
                                Throwable cause = causeOf(outcome);
                                forwarded.then(() -> promise.tryFailure(cause));
                            }
                        });
        var _ = promise.addListener(_ -> search.cancel());
        onLoop(
                search,
                call ->
                        AddressSearch.start(
                                exchanges, call, host, port, families.types(), forwarded, search));
        return promise;
    }

    private static Throwable causeOf(Future<?> outcome) {
        return Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new);
    }

    /// Runs `task` with what its questions have in common.
    private <V> void onLoop(Promise<V> promise, Consumer<Call> task) {
        try {
            loop.execute(
                    () -> {
                        try {
                            file.readIfChanged(exchanges);
                            if (!promise.isDone()) { // cancelled meanwhile
                                task.accept(exchanges.call());
                            }
                        } catch (RuntimeException e) {
                            promise.tryFailure(e);
                        }
                    });
        } catch (RejectedExecutionException e) {
            promise.tryFailure(e);
        }
    }

    // ---- what it is doing ----

    /// Returns how often each event has happened.
    public Map<DnsCounter, Long> counters() {
        return tally.snapshot();
    }

    /// Forgets all answers that were kept.
    public Future<Void> clearCache() {
        Promise<Void> promise = loop.newPromise();
        onLoop(
                promise,
                call -> {
                    AnswerCache cache = call.epoch().cache();
                    if (cache != null) {
                        cache.clear();
                    }
                    promise.trySuccess(null);
                });
        return promise;
    }

    /// Uses other servers and rules from now on, and forgets the answers of the old ones. Questions
    /// in flight go on as they began: their aliases are followed by the old servers, and their
    /// answers are neither kept nor given to questions that begin later. Servers over TLS need a
    /// context of their own, unless one of the kind was there from the beginning.
    public Future<Void> reconfigure(ResolverConfig config) {
        Promise<Void> promise = loop.newPromise();
        onLoop(
                promise,
                _ -> {
                    exchanges.config(config);
                    promise.trySuccess(null);
                });
        return promise;
    }

    /// Fails questions in flight, and closes connections. Does not wait.
    @Override
    public void close() {
        try {
            loop.executeUnbounded(exchanges::close);
        } catch (RejectedExecutionException _) {
            // the loop has ended, and with it all of this
        }
    }

    /// Makes resolvers.
    public static final class Builder {
        private final EventLoop loop;
        private ResolverLimits limits = ResolverLimits.DEFAULT;
        private @org.jspecify.annotations.Nullable DnsCacheLimits cache;
        private DnsObserver observer = DnsObserver.NONE;
        private AddressFamilies families = AddressFamilies.IPV6_AND_IPV4;
        private @org.jspecify.annotations.Nullable ResolverConfig config;
        private java.nio.file.Path path = ResolvConf.SYSTEM;
        private SecureRandom random = new SecureRandom();

        private Builder(EventLoop loop) {
            this.loop = loop;
        }

        /// Sets the servers and rules. Default: those of the system; see [ResolvConf#system].
        public Builder config(ResolverConfig fixed) {
            config = fixed;
            return this;
        }

        /// Sets the servers, with rules as in [ResolverConfig#DEFAULT].
        public Builder servers(DnsServer... servers) {
            return config(ResolverConfig.DEFAULT.servers(List.of(servers)));
        }

        /// Sets the file that servers and rules are read from, again when it has changed: it is
        /// looked at every five seconds while questions are asked. Default: [ResolvConf#SYSTEM].
        public Builder resolvConf(java.nio.file.Path file) {
            config = null;
            path = file;
            return this;
        }

        public Builder limits(ResolverLimits all) {
            limits = all;
            return this;
        }

        /// Keeps answers of all types for their times to live, positive, negative and aliases,
        /// within limits; with [expired ones][DnsCacheLimits#stale] while no server answers.
        /// Default: none are kept. [DnsResolver#exchange] asks always.
        public Builder cache(DnsCacheLimits bounds) {
            cache = bounds;
            return this;
        }

        /// Sets who hears of queries and responses. Default: [DnsObserver#NONE].
        public Builder observer(DnsObserver hears) {
            observer = hears;
            return this;
        }

        /// Sets the addresses that hosts are asked for. Default:
        /// [AddressFamilies#IPV6_AND_IPV4].
        public Builder families(AddressFamilies which) {
            families = which;
            return this;
        }

        /// Sets the source of what a forger has to guess. For tests, that a seed repeats it.
        Builder random(SecureRandom source) {
            random = source;
            return this;
        }

        /// Makes the resolver. It reads files: not to be called on a loop.
        ///
        /// @throws java.io.UncheckedIOException when the file cannot be read
        public DnsResolver build() {
            return new DnsResolver(this);
        }
    }
}
