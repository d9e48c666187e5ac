package io.weft.tls.openssl;

import io.weft.ffi.openssl.Ssl;
import io.weft.tls.machine.spi.TlsPeer;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/// Sessions that a client may resume, by peer, the oldest of which go first. Owns what it holds.
/// Any thread.
final class ClientSessions {
    /// Tickets of one peer: each connection of TLS 1.3 brings new ones.
    private static final int MOST_OF_PEER = 4;

    private record Kept(long session, List<X509Certificate> certificates, long until) {}

    private final Map<TlsPeer, Deque<Kept>> sessions = new LinkedHashMap<>(16, 0.75f, true);
    private final int most;
    private final long nanos;
    private int size;
    private boolean closed;

    ClientSessions(int most, Duration timeout) {
        this.most = most;
        this.nanos = timeout.toNanos();
    }

    /// Takes the session over, unless it returns false.
    ///
    /// @param certificates the peer's
    synchronized boolean keep(TlsPeer peer, long session, List<X509Certificate> certificates) {
        if (closed || most == 0 || !isNamed(peer) || !Ssl.resumable(session)) {
            return false;
        }
        Deque<Kept> kept = sessions.computeIfAbsent(peer, _ -> new ArrayDeque<>(2));
        if (kept.size() == MOST_OF_PEER) {
            free(kept.removeFirst());
        }
        kept.addLast(new Kept(session, certificates, System.nanoTime() + nanos));
        size++;
        if (size > most) {
            Iterator<Deque<Kept>> eldest = sessions.values().iterator();
            Deque<Kept> first = eldest.next();
            free(first.removeFirst());
            if (first.isEmpty()) {
                eldest.remove();
            }
        }
        return true;
    }

    /// Has the connection resume the newest session with this peer, if there is one. Those of TLS
    /// 1.3 are used once, so that a ticket does not tell that two connections are the same client's
    /// (RFC 8446 appendix C.4).
    ///
    /// @return the certificates of the session's peer, so that nobody needs to read them out of it;
    ///     none without a session
    synchronized List<X509Certificate> resume(TlsPeer peer, long ssl) {
        Deque<Kept> kept = isNamed(peer) ? sessions.get(peer) : null;
        if (kept == null) {
            return List.of();
        }
        List<X509Certificate> certificates = List.of();
        while (!kept.isEmpty()) {
            Kept newest = kept.getLast();
            boolean old = newest.until - System.nanoTime() < 0 || !Ssl.resumable(newest.session);
            if (!old) {
                Ssl.resume(ssl, newest.session);
                certificates = newest.certificates;
            }
            if (old || Ssl.usedOnce(newest.session)) {
                free(kept.removeLast());
            }
            if (!old) {
                break;
            }
        }
        if (kept.isEmpty()) {
            sessions.remove(peer);
        }
        return certificates;
    }

    /// After a handshake of TLS 1.2 that took up a session. When the server renewed the ticket,
    /// OpenSSL has made another session of it, and the old one useless, but tells nobody of a
    /// session that is not new.
    synchronized void resumed(TlsPeer peer, long ssl, List<X509Certificate> certificates) {
        long session = Ssl.session(ssl);
        Deque<Kept> kept = sessions.get(peer);
        boolean known =
                session == 0 || (kept != null && kept.stream().anyMatch(k -> k.session == session));
        if (known || !keep(peer, session, certificates)) {
            Ssl.freeSession(session);
        }
    }

    private static boolean isNamed(TlsPeer peer) {
        return peer.host() != null && peer.port() != 0;
    }

    private void free(Kept kept) {
        Ssl.freeSession(kept.session);
        size--;
    }

    synchronized void close() {
        closed = true;
        sessions.values().forEach(kept -> kept.forEach(this::free));
        sessions.clear();
    }
}
