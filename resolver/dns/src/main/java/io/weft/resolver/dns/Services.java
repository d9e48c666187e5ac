package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.Octets;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.codec.dns.rdata.Https;
import io.weft.codec.dns.rdata.Srv;
import io.weft.codec.dns.rdata.SvcParam;
import io.weft.codec.dns.rdata.Svcb;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.ServiceBinding;
import io.weft.resolver.names.ServiceEndpoint;
import java.net.InetAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.function.IntPredicate;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;

/// The places of a service, in the order in which a client tries them. Loop only.
final class Services {
    /// Aliases by SVCB and HTTPS records that are followed (RFC 9460, 2.4.2).
    private static final int MAX_ALIASES = 8;

    /// Behind all priorities of records.
    private static final int LAST = 0x10000;

    private final Exchanges exchanges;
    private final Call call;
    private final RecordType type;
    private final int port;
    private final List<String> ordinary;
    private final IntPredicate understood;
    private final Promise<Places> promise;
    private int aliases;
    private int ttl = Integer.MAX_VALUE;
    private @Nullable Promise<DnsAnswer> current;

    /// Places, the best first, and the seconds for which that may be kept.
    record Places(List<ServiceAddress> all, int ttl) {
        ServiceBinding binding() {
            return new ServiceBinding(
                    all.stream()
                            .filter(place -> place.port() > 0)
                            .map(
                                    place ->
                                            new ServiceEndpoint(
                                                    place.target().toString(),
                                                    place.port(),
                                                    place.protocols(),
                                                    place.hints()))
                            .toList(),
                    Duration.ofSeconds(ttl));
        }
    }

    private Services(
            Exchanges exchanges,
            Call call,
            RecordType type,
            int port,
            List<String> ordinary,
            IntPredicate understood,
            Promise<Places> promise) {
        this.exchanges = exchanges;
        this.call = call;
        this.type = type;
        this.port = port;
        this.ordinary = ordinary;
        this.understood = understood;
        this.promise = promise;
    }

    /// @param port where SVCB and HTTPS records do not say another
    /// @param ordinary protocols that the service speaks unless records say otherwise
    /// @param understood keys of parameters that the caller can use, if a record makes it a
    ///     condition
    static void start(
            Exchanges exchanges,
            Call call,
            DnsName name,
            RecordType type,
            int port,
            List<String> ordinary,
            IntPredicate understood,
            Promise<Places> promise) {
        Services services =
                new Services(exchanges, call, type, port, ordinary, understood, promise);
        var _ = promise.addListener(_ -> services.end());
        services.ask(name);
    }

    private void end() {
        if (current != null) {
            current.cancel();
        }
    }

    private void ask(DnsName name) {
        Promise<DnsAnswer> lookup = Lookup.start(exchanges, call, new DnsQuestion(name, type));
        current = lookup;
        var _ = lookup.addListener(this::answered);
    }

    private void answered(Future<DnsAnswer> outcome) {
        DnsAnswer answer = outcome.now();
        if (answer == null) {
            promise.tryFailure(
                    Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new));
            return;
        }
        ttl = Math.min(ttl, answer.ttl());
        if (type.equals(RecordType.SRV)) {
            succeed(ofSrv(answer.records(), exchanges.secrets.random()));
            return;
        }
        DnsName alias = alias(answer.records());
        if (alias == null) {
            succeed(ofSvcb(answer));
        } else if (alias.isRoot()) {
            succeed(List.of()); // RFC 9460, 2.5.1: there is no such service
        } else if (++aliases > MAX_ALIASES) {
            promise.tryFailure(
                    new ResolveException(
                            ResolveException.Reason.ALIASES,
                            answer.question() + ": more than " + MAX_ALIASES + " aliases"));
        } else {
            ask(alias);
        }
    }

    private void succeed(List<ServiceAddress> places) {
        promise.trySuccess(new Places(places, ttl));
    }

    /// RFC 2782: by priority, and among equals at random, those of more weight more often first.
    static List<ServiceAddress> ofSrv(List<DnsRecord> records, RandomGenerator random) {
        List<Srv> left = new ArrayList<>();
        for (DnsRecord record : records) {
            // A target that is the root says that there is no such service.
            if (record.data() instanceof Srv srv && !srv.target().isRoot()) {
                left.add(srv);
            }
        }
        left.sort(Comparator.comparingInt(Srv::priority).thenComparingInt(Srv::weight));
        List<ServiceAddress> ordered = new ArrayList<>();
        while (!left.isEmpty()) {
            int priority = left.getFirst().priority();
            int total = 0;
            for (Srv srv : left) {
                total += srv.priority() == priority ? srv.weight() : 0;
            }
            int chosen = random.nextInt(total + 1);
            int at = 0;
            for (int sum = left.getFirst().weight(); sum < chosen; ) {
                sum += left.get(++at).weight();
            }
            Srv srv = left.remove(at);
            ordered.add(
                    new ServiceAddress(
                            srv.target(),
                            srv.port(),
                            priority,
                            List.of(),
                            List.of(),
                            Octets.EMPTY));
        }
        return ordered;
    }

    /// The target of a record in alias mode, of several at random; records in service mode beside
    /// it are ignored (RFC 9460, 2.4.1, 2.4.2).
    private @Nullable DnsName alias(List<DnsRecord> records) {
        List<DnsName> targets = new ArrayList<>(1);
        for (DnsRecord record : records) {
            if (record.data() instanceof Https(int priority, DnsName target, _) && priority == 0) {
                targets.add(target);
            }
            if (record.data() instanceof Svcb(int priority, DnsName target, _) && priority == 0) {
                targets.add(target);
            }
        }
        return targets.isEmpty()
                ? null
                : targets.get(exchanges.secrets.random().nextInt(targets.size()));
    }

    private List<ServiceAddress> ofSvcb(DnsAnswer answer) {
        List<ServiceAddress> all = new ArrayList<>();
        for (DnsRecord record : answer.records()) {
            ServiceAddress address =
                    switch (record.data()) {
                        case Https h ->
                                address(record.name(), h.priority(), h.target(), h.parameters());
                        case Svcb s ->
                                address(record.name(), s.priority(), s.target(), s.parameters());
                        default -> null;
                    };
            if (address != null) {
                all.add(address);
            }
        }
        // RFC 9460, 2.4.1: those of equal priority at random.
        Collections.shuffle(all, exchanges.secrets.random());
        all.sort(Comparator.comparingInt(ServiceAddress::priority));
        DnsName end = answer.question().name();
        if (aliases > 0
                && all.stream().noneMatch(p -> p.port() == port && p.target().equals(end))) {
            // RFC 9460, 3: the end of the aliases serves where records there do not say otherwise.
            all.add(new ServiceAddress(end, port, LAST, List.of(), List.of(), Octets.EMPTY));
        }
        return all;
    }

    /// Null for a record that a client of this kind cannot use.
    private @Nullable ServiceAddress address(
            DnsName owner, int priority, DnsName target, List<SvcParam> parameters) {
        List<String> protocols = new ArrayList<>();
        List<InetAddress> ipv4 = new ArrayList<>();
        List<InetAddress> hints = new ArrayList<>();
        Octets ech = Octets.EMPTY;
        int at = port;
        boolean withOrdinary = true;
        for (SvcParam parameter : parameters) {
            switch (parameter) {
                case SvcParam.Mandatory m -> {
                    // RFC 9460, 8: with a mandatory key that is not understood it is of no use.
                    if (!m.keys().stream().allMatch(understood::test)) {
                        return null;
                    }
                }
                case SvcParam.Alpn a -> a.protocols().forEach(p -> protocols.add(p.text()));
                case SvcParam.NoDefaultAlpn _ -> withOrdinary = false;
                case SvcParam.Port p -> at = p.port();
                case SvcParam.Ipv4Hint h ->
                        h.addresses().forEach((A a) -> ipv4.add(a.inetAddress()));
                case SvcParam.Ipv6Hint h ->
                        h.addresses().forEach((Aaaa a) -> hints.add(a.inetAddress()));
                case SvcParam.Ech e -> ech = e.configurations();
                case SvcParam.DohPath _, SvcParam.Ohttp _, SvcParam.Other _ -> {}
            }
        }
        if (withOrdinary) {
            for (String protocol : ordinary) {
                if (!protocols.contains(protocol)) {
                    protocols.add(protocol);
                }
            }
        }
        if (protocols.isEmpty() && !withOrdinary) {
            return null; // RFC 9460, 7.1.1: it contradicts itself
        }
        hints.addAll(ipv4);
        // RFC 9460, 2.5.2: "." is the owner itself.
        DnsName host = target.isRoot() ? owner : target;
        return new ServiceAddress(host, at, priority, protocols, hints, ech);
    }
}
