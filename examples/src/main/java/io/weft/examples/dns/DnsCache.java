package io.weft.examples.dns;

import io.weft.codec.Output;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import io.weft.codec.dns.DnsRecord;
import io.weft.codec.dns.ResponseCode;
import io.weft.codec.dns.rdata.Soa;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/// Responses that a forwarder keeps for as long as their records live, the ones used last, up to a
/// number of octets. Any thread.
final class DnsCache {
    /// Beside its octets, an entry takes about so many.
    private static final int OVERHEAD = 512;

    private static final int MAX_TTL = 86_400;
    private static final int MAX_NEGATIVE_TTL = 10_800;

    private record Key(Object question, boolean dnssecOk, boolean unchecked) {
        static Key of(DnsMessage query) {
            return new Key(
                    query.questions().getFirst(),
                    query.edns() != null && query.edns().dnssecOk(),
                    query.flags().isCheckingDisabled());
        }
    }

    private record Entry(DnsMessage response, long since, int ttl, long octets) {}

    private final long maxOctets;
    private final LongSupplier seconds;
    private final Map<Key, Entry> entries = new LinkedHashMap<>(16, 0.75f, true);
    private long octets;

    /// @param seconds the clock
    DnsCache(long maxOctets, LongSupplier seconds) {
        this.maxOctets = maxOctets;
        this.seconds = seconds;
    }

    /// Returns a response to `query` with TTLs as they are by now; null for none.
    synchronized @Nullable DnsMessage get(DnsMessage query) {
        Key key = Key.of(query);
        Entry entry = entries.get(key);
        if (entry == null) {
            return null;
        }
        long age = seconds.getAsLong() - entry.since;
        if (age >= entry.ttl) {
            remove(key);
            return null;
        }
        DnsMessage kept = entry.response;
        return kept.sections(
                aged(kept.answers(), age),
                aged(kept.authorities(), age),
                aged(kept.additionals(), age));
    }

    private static List<DnsRecord> aged(List<DnsRecord> section, long age) {
        List<DnsRecord> aged = new ArrayList<>(section.size());
        for (DnsRecord r : section) {
            int ttl = (int) Math.max(0, Math.min(r.ttl(), MAX_TTL) - age);
            aged.add(new DnsRecord(r.name(), r.recordClass(), ttl, r.data()));
        }
        return aged;
    }

    /// Keeps a response, unless its records are not to be kept.
    synchronized void put(DnsMessage query, DnsMessage response) {
        int ttl = ttl(response);
        if (ttl <= 0 || response.flags().isTruncated()) {
            return;
        }
        long size = OVERHEAD + size(response);
        Key key = Key.of(query);
        remove(key);
        if (size <= maxOctets) {
            entries.put(key, new Entry(response, seconds.getAsLong(), ttl, size));
            octets += size;
        }
        while (octets > maxOctets) {
            remove(entries.keySet().iterator().next());
        }
    }

    private void remove(Key key) {
        Entry gone = entries.remove(key);
        if (gone != null) {
            octets -= gone.octets;
        }
    }

    synchronized int size() {
        return entries.size();
    }

    private static long size(DnsMessage message) {
        try (Output out = new Output()) {
            DnsEncoder.stream().encode(message, out);
            return out.size();
        }
    }

    /// RFC 2308, 5: without an SOA record, a negative answer is not kept.
    private static int ttl(DnsMessage response) {
        int least = MAX_TTL;
        for (DnsRecord record : response.answers()) {
            least = Math.min(least, record.ttl());
        }
        boolean negative =
                response.answers().isEmpty() || response.code().equals(ResponseCode.NXDOMAIN);
        if (!negative) {
            return least;
        }
        for (DnsRecord record : response.authorities()) {
            if (record.data() instanceof Soa soa) {
                int ttl = (int) Math.min(record.ttl(), soa.minimum());
                return Math.min(least, Math.min(ttl, MAX_NEGATIVE_TTL));
            }
        }
        return 0;
    }
}
