package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.rdata.A;
import io.weft.codec.dns.rdata.Aaaa;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.resolver.names.NameResolver;
import io.weft.resolver.names.ResolvedAddress;
import java.net.StandardProtocolFamily;
import java.net.UnknownHostException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The search for the addresses of a host, name by name of the search list, AAAA and A side by
/// side. Each family is told when it is known. Loop only.
final class AddressSearch {
    private final Exchanges exchanges;
    private final Call call;
    private final String host;
    private final int port;
    private final List<DnsName> names;
    private final List<RecordType> types;
    private final NameResolver.Answers answers;
    private final Promise<Void> promise;
    private final List<Promise<DnsAnswer>> running = new ArrayList<>(2);
    private int next;
    private int nextType;
    private boolean some;
    private int negativeTtl = Integer.MAX_VALUE;
    private @Nullable Throwable failure;

    private AddressSearch(
            Exchanges exchanges,
            Call call,
            String host,
            int port,
            List<DnsName> names,
            List<RecordType> types,
            NameResolver.Answers answers,
            Promise<Void> promise) {
        this.exchanges = exchanges;
        this.call = call;
        this.host = host;
        this.port = port;
        this.names = names;
        this.types = types;
        this.answers = answers;
        this.promise = promise;
    }

    /// @param types AAAA and A in the order in which they are asked for, or one of them
    /// @param answers takes addresses, on this loop
    static void start(
            Exchanges exchanges,
            Call call,
            String host,
            int port,
            List<RecordType> types,
            NameResolver.Answers answers,
            Promise<Void> promise) {
        List<DnsName> names;
        try {
            if (!SearchList.isOfHost(SearchList.asIs(host))) {
                throw new IllegalArgumentException("(expected: a name or a strict address)");
            }
            names = SearchList.names(host, call.epoch().config());
        } catch (IllegalArgumentException e) {
            UnknownHostException unknown = new UnknownHostException(host + ": " + e.getMessage());
            unknown.initCause(e);
            promise.tryFailure(unknown);
            return;
        }
        // One behind the other, A is first, as libc has it: servers that lose one lose AAAA.
        List<RecordType> order =
                call.epoch().config().singleRequest()
                        ? types.stream()
                                .sorted(Comparator.comparingInt(RecordType::number))
                                .toList()
                        : types;
        AddressSearch search =
                new AddressSearch(exchanges, call, host, port, names, order, answers, promise);
        var _ = promise.addListener(_ -> search.end());
        search.tryName();
    }

    private void end() {
        if (!running.isEmpty()) {
            List.copyOf(running).forEach(Promise::cancel);
        }
    }

    private void tryName() {
        next++;
        if (call.epoch().config().singleRequest() || types.size() == 1) {
            nextType = 0;
            askNextType();
            return;
        }
        nextType = types.size();
        for (RecordType type : types) {
            start(type);
        }
        // Not before all run: an answer at once would take its search to be the last.
        List.copyOf(running).forEach(this::hear);
    }

    private void askNextType() {
        hear(start(types.get(nextType++)));
    }

    private Promise<DnsAnswer> start(RecordType type) {
        DnsQuestion question = new DnsQuestion(names.get(next - 1), type);
        Promise<DnsAnswer> lookup = Lookup.start(exchanges, call, question);
        running.add(lookup);
        return lookup;
    }

    private void hear(Promise<DnsAnswer> lookup) {
        var _ = lookup.addListener(outcome -> ended(lookup, outcome));
    }

    private void ended(Promise<DnsAnswer> lookup, Future<DnsAnswer> outcome) {
        running.remove(lookup);
        if (promise.isDone()) {
            return;
        }
        DnsAnswer answer = outcome.now();
        if (answer == null) {
            Throwable cause =
                    Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new);
            failure = failure == null ? cause : failure;
        } else if (answer instanceof DnsAnswer.Found) {
            some = true;
            List<ResolvedAddress> addresses = new ArrayList<>();
            for (DnsRecord record : answer.records()) {
                switch (record.data()) {
                    case A a -> addresses.add(new ResolvedAddress(a.inetAddress(), port));
                    case Aaaa a -> addresses.add(new ResolvedAddress(a.inetAddress(), port));
                    default -> {}
                }
            }
            // In this order: a connect that waits for the family begins with what it has when it is
            // told that there is no more.
            answers.found(addresses, Duration.ofSeconds(answer.ttl()));
            answers.complete(family(answer.question().type()));
        } else {
            negativeTtl = Math.min(negativeTtl, answer.ttl());
            if (some) { // the other family's have been found, so no further name is tried
                answers.complete(family(answer.question().type()));
            }
        }
        if (nextType < types.size()) {
            askNextType();
        } else if (running.isEmpty()) {
            nameEnded();
        }
    }

    private void nameEnded() {
        if (some) {
            if (failure == null) {
                promise.trySuccess(null);
            } else {
                promise.tryFailure(failure); // some addresses could not be had
            }
        } else if (next < names.size() && !isFinal(failure)) {
            tryName();
        } else {
            if (failure != null) {
                promise.tryFailure(failure);
                return;
            }
            answers.absent(Duration.ofSeconds(negativeTtl));
            promise.tryFailure(new UnknownHostException(host + ": no address"));
        }
    }

    private static StandardProtocolFamily family(RecordType type) {
        return type.equals(RecordType.A)
                ? StandardProtocolFamily.INET
                : StandardProtocolFamily.INET6;
    }

    private static boolean isFinal(@Nullable Throwable failure) {
        return failure != null
                && !(failure instanceof ResolveException e
                        && e.reason() == ResolveException.Reason.SERVER);
    }
}
