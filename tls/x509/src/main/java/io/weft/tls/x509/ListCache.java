package io.weft.tls.x509;

import java.net.URI;
import java.security.cert.CRLException;
import java.security.cert.X509CRL;
import java.time.Instant;
import java.util.Date;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Lists that were fetched, for a while: authorities make a new one every few hours or days, and
/// a fetch for each handshake would cost both sides more than the handshake.
///
/// **Threads.** Any.
final class ListCache {
    /// Of all lists together.
    static final int MAX_BYTES = 8 << 20;

    static final int MAX_LISTS = 64;

    /// As long a revocation may go unnoticed that a new list has told of.
    private static final long NANOS = TimeUnit.MINUTES.toNanos(5);

    private record Entry(X509CRL list, int bytes, long until) {
        boolean isOver() {
            Date next = list.getNextUpdate();
            return until - System.nanoTime() <= 0
                    || (next != null && next.toInstant().isBefore(Instant.now()));
        }
    }

    private final ReentrantLock lock = new ReentrantLock();
    private final Map<URI, Entry> entries = new LinkedHashMap<>();
    private int bytes;

    @Nullable X509CRL get(URI location) {
        lock.lock();
        try {
            Entry entry = entries.get(location);
            return entry == null || entry.isOver() ? null : entry.list;
        } finally {
            lock.unlock();
        }
    }

    /// Keeps a list, and for it drops those that were fetched first where there is no room. One
    /// that is kept already stays no longer for it.
    void put(URI location, X509CRL list) throws CRLException {
        int length = list.getEncoded().length;
        lock.lock();
        try {
            Entry before = entries.get(location);
            if (before != null && before.list == list) {
                return;
            }
            drop(before, location);
            bytes += length;
            entries.put(location, new Entry(list, length, System.nanoTime() + NANOS));
            Iterator<Entry> oldest = entries.values().iterator();
            while (bytes > MAX_BYTES || entries.size() > MAX_LISTS) {
                bytes -= oldest.next().bytes;
                oldest.remove();
            }
        } finally {
            lock.unlock();
        }
    }

    void remove(URI location) {
        lock.lock();
        try {
            drop(entries.get(location), location);
        } finally {
            lock.unlock();
        }
    }

    private void drop(@Nullable Entry entry, URI location) {
        if (entry != null) {
            bytes -= entry.bytes;
            entries.remove(location);
        }
    }
}
