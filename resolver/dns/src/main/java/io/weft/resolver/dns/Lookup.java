package io.weft.resolver.dns;

import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.Flags;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CancellationException;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// The answer to one question about one name: aliases that a response does not follow to their end
/// are asked for. Loop only.
final class Lookup {
    private final Exchanges exchanges;
    private final Call call;
    private final DnsQuestion question;
    private final Promise<DnsAnswer> promise;
    private final long began;
    private final List<DnsRecord> aliases = new ArrayList<>(0);
    private final List<DnsName> asked = new ArrayList<>(1);
    private int ttl = Integer.MAX_VALUE;
    private boolean authentic;
    private @Nullable Promise<DnsMessage> current;

    /// Until it is over, servers are waited for although there are expired records.
    private @Nullable Timeout patience;

    private boolean isImpatient;

    /// Expired answer to the question that is asked now.
    private AnswerCache.@Nullable Kept expired;

    private Lookup(
            Exchanges exchanges, Call call, DnsQuestion question, Promise<DnsAnswer> promise) {
        this.exchanges = exchanges;
        this.call = call;
        this.question = question;
        this.promise = promise;
        began = exchanges.loop.clock().nanoTime();
        authentic = call.epoch().config().trustAd();
    }

    static Promise<DnsAnswer> start(Exchanges exchanges, Call call, DnsQuestion question) {
        Promise<DnsAnswer> promise = exchanges.loop.newPromise();
        exchanges.tally.count(DnsCounter.QUESTIONS);
        DnsAnswer special = SpecialNames.answer(question);
        Lookup lookup = new Lookup(exchanges, call, question, promise);
        if (special != null) {
            lookup.succeed(special);
            return promise;
        }
        var _ = promise.addListener(lookup::ended);
        lookup.ask(question.name());
        return promise;
    }

    private void ended(Future<DnsAnswer> outcome) {
        if (!outcome.isSuccess()) {
            exchanges.tally.count(DnsCounter.UNANSWERED);
        }
        if (patience != null) {
            patience.cancel();
        }
        if (current != null) {
            current.cancel();
        }
    }

    private void ask(DnsName name) {
        DnsAnswer special =
                SpecialNames.answer(new DnsQuestion(name, question.type(), question.recordClass()));
        if (special != null) { // as an alias of a name outside
            finish(
                    new Chain(
                            name,
                            List.of(),
                            special.records(),
                            special.ttl(),
                            switch (special) {
                                case DnsAnswer.Found _ -> Chain.Outcome.FOUND;
                                case DnsAnswer.NoData _ -> Chain.Outcome.NO_DATA;
                                case DnsAnswer.NoName _ -> Chain.Outcome.NO_NAME;
                            }));
            return;
        }
        if (asked.contains(name)) { // as few as aliases
            aliasesFail();
            return;
        }
        asked.add(name);
        DnsQuestion asking = new DnsQuestion(name, question.type(), question.recordClass());
        if (!answerFromCache(asking)) {
            askServers(asking);
        }
    }

    /// @return false when servers have to be asked
    private boolean answerFromCache(DnsQuestion asking) {
        AnswerCache cache = call.epoch().cache();
        if (cache == null) {
            return false;
        }
        long now = exchanges.loop.clock().nanoTime();
        AnswerCache.Kept kept = cache.get(asking, now);
        expired = kept != null && kept.stale() ? kept : null;
        if (kept == null || (kept.stale() && !isImpatient && !cache.hasJustFailed(asking, now))) {
            if (kept != null && patience == null) {
                // RFC 8767, 5: servers have this time; what they answer later is kept.
                patience =
                        exchanges.loop.schedule(
                                this::runOut,
                                cache.limits().staleAnswer().toNanos(),
                                TimeUnit.NANOSECONDS);
            }
            return false;
        }
        fromCache(kept);
        return true;
    }

    private void fromCache(AnswerCache.Kept kept) {
        exchanges.tally.count(DnsCounter.CACHED);
        if (kept.stale()) {
            exchanges.tally.count(DnsCounter.STALE);
        }
        authentic &= kept.authentic() && !kept.stale();
        if (aliases.size() + kept.chain().aliases().size() > exchanges.limits.aliases()) {
            aliasesFail();
        } else {
            finish(kept.chain());
        }
    }

    private void runOut() {
        isImpatient = true;
        AnswerCache.Kept kept = expired;
        if (kept != null && !promise.isDone()) {
            current = null; // goes on, for the cache
            expired = null;
            fromCache(kept);
        }
    }

    private void askServers(DnsQuestion asking) {
        Flags flags = Flags.NONE.recursionDesired(true).authentic(call.epoch().config().trustAd());
        Promise<DnsMessage> response = exchanges.loop.newPromise();
        current = response;
        var _ = response.addListener(outcome -> responded(asking, response, outcome));
        exchanges.ask(new Ask(asking, flags, false, call.epoch()), call.deadline(), response);
    }

    private void responded(DnsQuestion asked, Promise<DnsMessage> own, Future<DnsMessage> outcome) {
        DnsMessage response = outcome.now();
        Chain chain = response == null ? null : chain(asked, response, aliases(own));
        keep(asked, response, chain, outcome);
        if (promise.isDone() || current != own) {
            return;
        }
        AnswerCache.Kept kept = expired;
        if (response == null && kept != null) {
            expired = null;
            fromCache(kept);
            return;
        }
        if (response == null) {
            promise.tryFailure(
                    Objects.requireNonNullElseGet(outcome.cause(), CancellationException::new));
            return;
        }
        authentic &= response.flags().isAuthentic();
        if (chain != null) {
            finish(chain);
        }
    }

    private int aliases(Promise<DnsMessage> own) {
        return exchanges.limits.aliases() - (current == own ? aliases.size() : 0);
    }

    private Chain chain(DnsQuestion asked, DnsMessage response, int most) {
        return Chain.of(asked, response, call.epoch().domain(asked.name()), most);
    }

    /// Keeps a response, or that there is none.
    private void keep(
            DnsQuestion asked,
            @Nullable DnsMessage response,
            @Nullable Chain chain,
            Future<DnsMessage> outcome) {
        AnswerCache cache = call.epoch().cache();
        if (cache == null) {
            return;
        }
        long now = exchanges.loop.clock().nanoTime();
        if (response != null && chain != null) {
            cache.put(asked, chain, response.flags().isAuthentic(), now);
        } else if (!outcome.isCancelled()) {
            cache.failed(asked, now);
        }
    }

    private void finish(Chain chain) {
        aliases.addAll(chain.aliases());
        ttl = Math.min(ttl, chain.ttl());
        int positive = Math.min(ttl, exchanges.limits.maxTtl());
        int negative = Math.min(ttl, exchanges.limits.maxNegativeTtl());
        switch (chain.outcome()) {
            case FOUND ->
                    succeed(
                            new DnsAnswer.Found(
                                    question,
                                    chain.end(),
                                    aliases,
                                    chain.records(),
                                    positive,
                                    authentic));
            case NO_DATA ->
                    succeed(
                            new DnsAnswer.NoData(
                                    question, chain.end(), aliases, negative, authentic));
            case NO_NAME ->
                    succeed(
                            new DnsAnswer.NoName(
                                    question, chain.end(), aliases, negative, authentic));
            case UNTOLD -> {
                DnsName target = chain.end();
                exchanges.tally.tell(o -> o.followed(question, target));
                ask(target);
            }
            case CIRCLE, TOO_LONG -> aliasesFail();
            case LAME -> throw new IllegalStateException("lame"); // its race has seen to it
        }
    }

    private void aliasesFail() {
        promise.tryFailure(
                new ResolveException(
                        ResolveException.Reason.ALIASES,
                        question
                                + ": aliases in a circle, too long, or more than "
                                + exchanges.limits.aliases()));
    }

    private void succeed(DnsAnswer answer) {
        long took = exchanges.loop.clock().nanoTime() - began;
        if (promise.trySuccess(answer)) {
            exchanges.tally.tell(o -> o.answered(answer, Duration.ofNanos(took)));
        }
    }
}
