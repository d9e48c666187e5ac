package io.weft.resolver.names;

import io.weft.loop.Clock;
import io.weft.resolver.names.search.Outcome;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// Addresses of names, names without an address, aliases, and the places of origins of HTTP, each
/// for its time to live. Bounded by bytes and by entries; those go first that were not looked up
/// since they were last passed over (the clock algorithm).
///
/// Names are taken as they are, so they should come in one form, such as lower case. Time is that
/// of the caller's clock; an entry is found only by the clock with which it was put in, so that
/// loops in virtual time may share a cache with others.
///
/// Any thread may use it. Lookups take no lock.
public final class NameCache {
    private static final int ALIAS = -1; // in place of a port

    private final NameCacheLimits limits;
    private final ConcurrentHashMap<Key, Entry> entries = new ConcurrentHashMap<>();

    /// All entries and some that were replaced, in the order in which they are looked at for
    /// removal. Guarded by itself, as is the number of bytes.
    private final ArrayDeque<Entry> hand = new ArrayDeque<>();

    private long bytes;

    private record Key(String name, int port) {}

    /// The outcome of a lookup.
    public sealed interface Cached {}

    /// Addresses of the name.
    ///
    /// @param timeToLive that is left; zero for expired ones
    /// @param stale they have expired
    public record Addresses(List<ResolvedAddress> addresses, Duration timeToLive, boolean stale)
            implements Cached {}

    /// It is known that the name has no address.
    public record Absent(Duration timeToLive) implements Cached {}

    private static final class Entry {
        final Key key;
        final @Nullable List<ResolvedAddress> addresses; // null: absent, or an alias
        final @Nullable String target;
        final @Nullable ServiceBinding binding;
        final Clock clock;
        final long expires;
        final long size;
        boolean used; // a race costs an entry at most

        /// Time from which a resolver that has failed may be asked again; null if none has.
        volatile @Nullable Long retryAt;

        Entry(
                Key key,
                @Nullable List<ResolvedAddress> addresses,
                @Nullable String target,
                @Nullable ServiceBinding binding,
                Clock clock,
                Duration timeToLive) {
            this.key = key;
            this.binding = binding;
            this.addresses = addresses;
            this.target = target;
            this.clock = clock;
            this.expires = clock.nanoTime() + timeToLive.toNanos();
            this.size = estimate(key, addresses, target) + (binding == null ? 0 : size(binding));
        }

        private static long size(ServiceBinding binding) {
            long size = 64;
            for (ServiceEndpoint place : binding.endpoints()) {
                size += 120 + 2L * place.host().length() + 64L * place.hints().size();
                for (String protocol : place.protocols()) {
                    size += 64 + 2L * protocol.length();
                }
            }
            return size;
        }

        private static long estimate(
                Key key, @Nullable List<ResolvedAddress> addresses, @Nullable String target) {
            long size = 240 + 2L * key.name.length() + (target == null ? 0 : 2L * target.length());
            if (addresses != null) {
                for (ResolvedAddress address : addresses) {
                    size += 160;
                    for (String protocol : address.protocols()) {
                        size += 64 + 2L * protocol.length();
                    }
                }
            }
            return size;
        }

        long left() {
            return expires - clock.nanoTime();
        }
    }

    public NameCache(NameCacheLimits limits) {
        this.limits = limits;
    }

    /// Returns the bounds.
    public NameCacheLimits limits() {
        return limits;
    }

    /// Looks a name up, and the names that it is an alias of.
    ///
    /// @return null where nothing is known
    public @Nullable Cached get(String name, int port, Clock clock) {
        Entry entry = find(name, port, clock);
        return entry == null ? null : cached(entry);
    }

    /// Finds the entry that answers for a name: its own, or that of a name behind its aliases.
    private @Nullable Entry find(String name, int port, Clock clock) {
        Entry stale = null;
        String at = name;
        for (int hops = 0; hops <= Outcome.MAX_ALIASES; hops++) {
            Entry entry = entries.get(new Key(at, port));
            if (entry != null && entry.clock == clock) {
                entry.used = true;
                if (entry.left() > 0) {
                    return entry;
                }
                stale = stale == null && isStale(entry) ? entry : stale;
            }
            Entry alias = entries.get(new Key(at, ALIAS));
            if (alias == null
                    || alias.target == null
                    || alias.clock != clock
                    || alias.left() <= 0) {
                return stale;
            }
            alias.used = true;
            at = alias.target;
        }
        return stale; // aliases in a circle
    }

    private boolean isStale(Entry entry) {
        long left = entry.left();
        return left <= 0 && entry.addresses != null && -left < limits.stale().toNanos();
    }

    private @Nullable Cached cached(Entry entry) {
        long left = entry.left();
        if (left > 0) {
            Duration timeToLive = Duration.ofNanos(left);
            return entry.addresses == null
                    ? new Absent(timeToLive)
                    : new Addresses(entry.addresses, timeToLive, false);
        }
        return entry.addresses == null || !isStale(entry)
                ? null
                : new Addresses(entry.addresses, Duration.ZERO, true);
    }

    /// Keeps addresses, in place of what was known.
    ///
    /// @param timeToLive as told; brought within the [bounds][#limits], and zero is not kept
    public void put(
            String name,
            int port,
            List<ResolvedAddress> addresses,
            Duration timeToLive,
            Clock clock) {
        Duration kept = limits.ttl(timeToLive);
        put(new Entry(new Key(name, port), List.copyOf(addresses), null, null, clock, kept));
    }

    /// Keeps that a name has no address, in place of what was known.
    ///
    /// @param timeToLive as told; at most that of the [bounds][#limits], and zero is not kept
    public void putAbsent(String name, int port, Duration timeToLive, Clock clock) {
        Duration kept = limits.negativeTtl(timeToLive);
        put(new Entry(new Key(name, port), null, null, null, clock, kept));
    }

    /// Keeps that a name is an alias, in place of the alias that was known.
    ///
    /// @param timeToLive as told; brought within the [bounds][#limits], and zero is not kept
    public void putAlias(String name, String target, Duration timeToLive, Clock clock) {
        Duration kept = limits.ttl(timeToLive);
        if (!name.equals(target)) {
            put(new Entry(new Key(name, ALIAS), null, target, null, clock, kept));
        }
    }

    /// Looks up the places of an origin of HTTP.
    ///
    /// @return null where nothing is known
    public @Nullable ServiceBinding binding(String name, int port, Clock clock) {
        Entry entry = entries.get(bindingKey(name, port));
        if (entry == null || entry.binding == null || entry.clock != clock) {
            return null;
        }
        entry.used = true;
        long left = entry.left();
        return left <= 0
                ? null
                : new ServiceBinding(entry.binding.endpoints(), Duration.ofNanos(left));
    }

    /// Keeps the places of an origin of HTTP, or that it has none, in place of what was known.
    ///
    /// @param binding its time to live is brought within the [bounds][#limits], and zero is not
    ///     kept
    public void putBinding(String name, int port, ServiceBinding binding, Clock clock) {
        Duration told = binding.timeToLive();
        Duration kept = binding.isEmpty() ? limits.negativeTtl(told) : limits.ttl(told);
        put(new Entry(bindingKey(name, port), null, null, binding, clock, kept));
    }

    /// The port stands for another kind of entry when it is below that of aliases.
    private static Key bindingKey(String name, int port) {
        return new Key(name, ALIAS - 1 - port);
    }

    /// Keeps an entry in place of what was known. One without time to live, or larger than the
    /// cache, leaves none in its place: what it contradicts is not the last that is known any more,
    /// so it must not be given when it has expired (RFC 8767, 4).
    private void put(Entry entry) {
        boolean fits = entry.left() > 0 && entry.size <= limits.bytes();
        synchronized (hand) {
            Entry before = fits ? entries.put(entry.key, entry) : entries.remove(entry.key);
            if (before != null) {
                bytes -= before.size;
            }
            if (!fits) {
                return;
            }
            bytes += entry.size;
            hand.add(entry);
            while (bytes > limits.bytes() || entries.size() > limits.entries()) {
                evictOne();
            }
            // Entries that were replaced are not searched for, but do not gather either.
            if (hand.size() > 2 * limits.entries() || hand.size() > 2 * entries.size() + 64) {
                hand.removeIf(old -> entries.get(old.key) != old);
            }
        }
    }

    /// Ends: whatever was used is passed over once.
    private void evictOne() {
        for (; ; ) {
            Entry oldest = hand.remove();
            if (entries.get(oldest.key) != oldest) {
                continue; // replaced
            }
            if (oldest.used && oldest.left() > 0) {
                oldest.used = false;
                hand.add(oldest);
                continue;
            }
            entries.remove(oldest.key);
            bytes -= oldest.size;
            return;
        }
    }

    /// Notes that no resolver answered for a name whose addresses have expired. They may be those
    /// of a name behind its aliases.
    void failed(String name, int port, Clock clock) {
        Entry entry = find(name, port, clock);
        if (entry != null && isStale(entry)) {
            entry.retryAt = clock.nanoTime() + limits.staleRetry().toNanos();
        }
    }

    /// Tells if that was so short a time ago that it is not tried again yet.
    boolean hasJustFailed(String name, int port, Clock clock) {
        Entry entry = find(name, port, clock);
        Long retryAt = entry == null ? null : entry.retryAt;
        return retryAt != null && retryAt - clock.nanoTime() > 0;
    }

    /// Forgets a name, its alias included, on all ports.
    public void remove(String name) {
        synchronized (hand) {
            entries.values().removeIf(entry -> entry.key.name.equals(name) && forgotten(entry));
        }
    }

    private boolean forgotten(Entry entry) {
        bytes -= entry.size;
        return true;
    }

    /// Forgets everything.
    public void clear() {
        synchronized (hand) {
            entries.clear();
            hand.clear();
            bytes = 0;
        }
    }

    /// Returns the number of entries, expired ones included.
    public int size() {
        return entries.size();
    }

    /// Returns the estimate of the bytes that entries take.
    public long bytes() {
        synchronized (hand) {
            return bytes;
        }
    }
}
