package io.weft.resolver.dns;

import io.weft.codec.dns.DnsName;
import io.weft.codec.dns.DnsQuestion;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.RecordClass;
import io.weft.codec.dns.RecordType;
import io.weft.codec.dns.rdata.Cname;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Answers of servers, each for its time to live. Loop only.
///
/// An answer is kept under the question that was asked, with the aliases on the way, and under no
/// other name: what a server tells of other names was not asked of those that know. Two parts of it
/// serve other questions too: that the name is an alias (RFC 1034, 3.6.2), and that it does not
/// exist (RFC 2308, 5).
final class AnswerCache {
    /// RFC 8767, 4: the time to live of expired records.
    static final int STALE_TTL = 30;

    private static final RecordType ALL_TYPES = RecordType.of(0); // reserved, and never asked for

    private record Key(DnsName name, RecordType type, RecordClass recordClass) {}

    private static final class Entry {
        final Chain chain;
        final boolean authentic;
        final long stored;
        final long expires;
        final int bytes;
        boolean hasFailed;
        long retryAt;

        Entry(Chain chain, boolean authentic, long now, int ttl, int bytes) {
            this.chain = chain;
            this.authentic = authentic;
            this.stored = now;
            this.expires = now + TimeUnit.SECONDS.toNanos(ttl);
            this.bytes = bytes;
        }
    }

    /// An answer from the cache.
    ///
    /// @param chain its times to live are what is left of them
    /// @param stale it has expired
    record Kept(Chain chain, boolean authentic, boolean stale) {}

    private final DnsCacheLimits limits;
    private final ResolverLimits ttls;
    private final LinkedHashMap<Key, Entry> entries = new LinkedHashMap<>(64, 0.75f, true);
    private long bytes;

    AnswerCache(DnsCacheLimits limits, ResolverLimits ttls) {
        this.limits = limits;
        this.ttls = ttls;
    }

    /// An empty one with the same limits.
    AnswerCache another() {
        return new AnswerCache(limits, ttls);
    }

    DnsCacheLimits limits() {
        return limits;
    }

    int size() {
        return entries.size();
    }

    long bytes() {
        return bytes;
    }

    void clear() {
        entries.clear();
        bytes = 0;
    }

    // ---- looking up ----

    /// Returns the answer to a question, or the alias that leads on; an expired one only if there
    /// is none else. Null where nothing is known.
    @Nullable Kept get(DnsQuestion question, long now) {
        Kept exact = get(question, question.type(), now);
        if (exact != null && !exact.stale) {
            return exact;
        }
        Kept none = get(question, ALL_TYPES, now);
        if (none != null) {
            return none;
        }
        Kept alias =
                question.type().equals(RecordType.CNAME) || question.type().equals(RecordType.ANY)
                        ? null
                        : asAlias(get(question, RecordType.CNAME, now));
        return alias != null && (exact == null || !alias.stale) ? alias : exact;
    }

    private @Nullable Kept get(DnsQuestion question, RecordType type, long now) {
        Key key = new Key(question.name(), type, question.recordClass());
        Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        long left = entry.expires - now;
        if (left > 0) {
            return new Kept(
                    aged(entry.chain, question.name(), seconds(now - entry.stored)),
                    entry.authentic,
                    false);
        }
        // Of a failure and an expired "there is nothing", the one says as much as the other.
        boolean positive = entry.chain.outcome() == Chain.Outcome.FOUND;
        if (positive && -left < limits.stale().toNanos()) {
            return new Kept(expired(entry.chain, question.name()), entry.authentic, true);
        }
        remove(key);
        return null;
    }

    private static int seconds(long nanos) {
        return (int) Math.min(TimeUnit.NANOSECONDS.toSeconds(nanos), Integer.MAX_VALUE);
    }

    private static @Nullable Kept asAlias(@Nullable Kept cname) {
        if (cname == null
                || cname.chain.records().size() != 1
                || !cname.chain.aliases().isEmpty()
                || !(cname.chain.records().getFirst().data() instanceof Cname(DnsName target))) {
            return null;
        }
        Chain chain = cname.chain;
        return new Kept(
                new Chain(target, chain.records(), List.of(), chain.ttl(), Chain.Outcome.UNTOLD),
                cname.authentic,
                cname.stale);
    }

    private static Chain aged(Chain chain, DnsName spelling, int age) {
        return new Chain(
                chain.end(),
                aged(chain.aliases(), spelling, age),
                aged(chain.records(), spelling, age),
                Math.max(chain.ttl() - age, 1),
                chain.outcome());
    }

    private static Chain expired(Chain chain, DnsName spelling) {
        return new Chain(
                chain.end(),
                expired(chain.aliases(), spelling),
                expired(chain.records(), spelling),
                STALE_TTL,
                chain.outcome());
    }

    private static List<DnsRecord> aged(List<DnsRecord> records, DnsName spelling, int age) {
        List<DnsRecord> aged = new ArrayList<>(records.size());
        for (DnsRecord record : records) {
            aged.add(with(record, spelling, Math.max(record.ttl() - age, 0)));
        }
        return aged;
    }

    private static List<DnsRecord> expired(List<DnsRecord> records, DnsName spelling) {
        List<DnsRecord> expired = new ArrayList<>(records.size());
        for (DnsRecord record : records) {
            expired.add(with(record, spelling, STALE_TTL));
        }
        return expired;
    }

    /// The record with the name as it is asked for now.
    private static DnsRecord with(DnsRecord record, DnsName spelling, int ttl) {
        DnsName name = record.name().equals(spelling) ? spelling : record.name();
        return new DnsRecord(name, record.recordClass(), ttl, record.data());
    }

    // ---- keeping ----

    /// Keeps the part of a response that answers the question.
    void put(DnsQuestion question, Chain chain, boolean authentic, long now) {
        forgetWhatWasTrue(question, chain);
        switch (chain.outcome()) {
            case FOUND -> put(question, question.type(), chain, authentic, ttls.maxTtl(), now);
            case NO_DATA ->
                    put(question, question.type(), chain, authentic, ttls.maxNegativeTtl(), now);
            case NO_NAME -> {
                remove(new Key(question.name(), question.type(), question.recordClass()));
                put(
                        question,
                        chain.aliases().isEmpty() ? ALL_TYPES : question.type(),
                        chain,
                        authentic,
                        ttls.maxNegativeTtl(),
                        now);
            }
            case UNTOLD -> {}
            case CIRCLE, TOO_LONG, LAME -> {
                return;
            }
        }
        if (!chain.aliases().isEmpty()) {
            DnsRecord alias = chain.aliases().getFirst();
            if (alias.data() instanceof Cname && alias.name().equals(question.name())) {
                Chain cname =
                        new Chain(
                                question.name(),
                                List.of(),
                                List.of(alias),
                                alias.ttl(),
                                Chain.Outcome.FOUND);
                put(question, RecordType.CNAME, cname, authentic, ttls.maxTtl(), now);
            }
        }
    }

    /// A name that does not exist has nothing of what was known, and one with records or none of
    /// its own is no alias any longer: these answers are not to be given as expired ones either.
    private void forgetWhatWasTrue(DnsQuestion question, Chain chain) {
        if (!chain.aliases().isEmpty()) {
            return;
        }
        List<RecordType> untrue =
                switch (chain.outcome()) {
                    case NO_NAME -> List.of(RecordType.A, RecordType.AAAA, RecordType.CNAME);
                    case FOUND, NO_DATA -> List.of(RecordType.CNAME);
                    case UNTOLD, CIRCLE, TOO_LONG, LAME -> List.of();
                };
        for (RecordType type : untrue) {
            remove(new Key(question.name(), type, question.recordClass()));
        }
    }

    private void put(
            DnsQuestion question,
            RecordType type,
            Chain chain,
            boolean authentic,
            int most,
            long now) {
        Key key = new Key(question.name(), type, question.recordClass());
        remove(key); // it is not true any longer, whatever comes in its place
        if (!type.equals(ALL_TYPES)) {
            remove(new Key(question.name(), ALL_TYPES, question.recordClass()));
        }
        int ttl = Math.min(chain.ttl(), most);
        int size = estimate(question.name(), chain);
        if (ttl < 1 || size > limits.bytes()) {
            return;
        }
        entries.put(key, new Entry(chain, authentic, now, ttl, size));
        bytes += size;
        while (bytes > limits.bytes() || entries.size() > limits.entries()) {
            Map.Entry<Key, Entry> eldest = entries.firstEntry();
            entries.pollFirstEntry();
            bytes -= eldest.getValue().bytes;
        }
    }

    private void remove(Key key) {
        Entry gone = entries.remove(key);
        if (gone != null) {
            bytes -= gone.bytes;
        }
    }

    private static int estimate(DnsName name, Chain chain) {
        int size = 400 + 2 * name.length();
        for (DnsRecord record : chain.aliases()) {
            size += HeapSize.of(record);
        }
        for (DnsRecord record : chain.records()) {
            size += HeapSize.of(record);
        }
        return size;
    }

    // ---- failures ----

    /// Notes that no server answered a question whose answer has expired.
    void failed(DnsQuestion question, long now) {
        for (RecordType type : List.of(question.type(), RecordType.CNAME)) {
            Entry entry = entries.get(new Key(question.name(), type, question.recordClass()));
            if (entry != null) {
                entry.hasFailed = true;
                entry.retryAt = now + limits.staleRetry().toNanos();
            }
        }
    }

    /// Tells if that was so short a time ago that it is not tried again yet.
    boolean hasJustFailed(DnsQuestion question, long now) {
        for (RecordType type : List.of(question.type(), RecordType.CNAME)) {
            Entry entry = entries.get(new Key(question.name(), type, question.recordClass()));
            if (entry != null && entry.hasFailed && entry.retryAt - now > 0) {
                return true;
            }
        }
        return false;
    }
}
