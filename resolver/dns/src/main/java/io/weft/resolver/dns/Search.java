package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.RecordType;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import org.jspecify.annotations.Nullable;

/// The search for records of one type, name by name of the search list. Loop only.
final class Search {
    private final Exchanges exchanges;
    private final Call call;
    private final List<DnsName> names;
    private final RecordType type;
    private final Promise<DnsAnswer> promise;
    private int next;
    private int ttl = Integer.MAX_VALUE;
    private @Nullable DnsAnswer noData;
    private @Nullable Throwable failure;
    private @Nullable Promise<DnsAnswer> current;

    private Search(
            Exchanges exchanges,
            Call call,
            List<DnsName> names,
            RecordType type,
            Promise<DnsAnswer> promise) {
        this.exchanges = exchanges;
        this.call = call;
        this.names = names;
        this.type = type;
        this.promise = promise;
    }

    static void start(
            Exchanges exchanges,
            Call call,
            List<DnsName> names,
            RecordType type,
            Promise<DnsAnswer> promise) {
        Search search = new Search(exchanges, call, names, type, promise);
        var _ = promise.addListener(_ -> search.end());
        search.tryNext();
    }

    private void end() {
        if (current != null) {
            current.cancel();
        }
    }

    private void tryNext() {
        Promise<DnsAnswer> lookup =
                Lookup.start(exchanges, call, new DnsQuestion(names.get(next++), type));
        current = lookup;
        var _ = lookup.addListener(this::ended);
    }

    private void ended(Future<DnsAnswer> outcome) {
        if (promise.isDone()) {
            return;
        }
        DnsAnswer answer = outcome.now();
        switch (answer) {
            case null -> {
                Throwable cause =
                        Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new);
                failure = failure == null ? cause : failure;
                boolean served =
                        cause instanceof ResolveException e
                                && e.reason() == ResolveException.Reason.SERVER;
                if (!served || next == names.size()) {
                    promise.tryFailure(failure);
                    return;
                }
            }
            case DnsAnswer.Found _ -> {
                promise.trySuccess(answer);
                return;
            }
            case DnsAnswer.NoData none -> {
                noData = noData == null ? none : noData;
                ttl = Math.min(ttl, none.ttl());
            }
            case DnsAnswer.NoName none -> ttl = Math.min(ttl, none.ttl());
        }
        if (next < names.size()) {
            tryNext();
        } else if (failure != null) {
            promise.tryFailure(failure);
        } else {
            promise.trySuccess(negative(noData == null ? answer : noData));
        }
    }

    /// The answer for all names together.
    private DnsAnswer negative(@Nullable DnsAnswer answer) {
        return switch (answer) {
            case DnsAnswer.NoData n ->
                    new DnsAnswer.NoData(
                            n.question(), n.canonicalName(), n.aliases(), ttl, n.authentic());
            case DnsAnswer.NoName n ->
                    new DnsAnswer.NoName(
                            n.question(), n.canonicalName(), n.aliases(), ttl, n.authentic());
            case null, default -> throw new IllegalStateException("answer: " + answer);
        };
    }
}
