package io.weft.tls.openssl;

import io.weft.ffi.openssl.Ssl;
import io.weft.ffi.openssl.SslEvents;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSession;
import io.weft.tls.machine.TlsSettings;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.TlsIdentity;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// Callbacks that OpenSSL makes during a call of an engine.
final class Answers implements SslEvents {
    private final TlsSettings settings;
    private final ClientSessions sessions;
    private final TlsPeer peer;
    private final PeerCheck check;
    private final NativeSide side;
    private @Nullable TlsSession agreed;

    Answers(
            TlsSettings settings,
            ClientSessions sessions,
            TlsPeer peer,
            PeerCheck check,
            NativeSide side) {
        this.settings = settings;
        this.sessions = sessions;
        this.peer = peer;
        this.check = check;
        this.side = side;
    }

    @Override
    public void written(long address, int length) {
        side.append(address, length);
    }

    @Override
    public int verify(long stack) {
        return check.verify(side.ssl, stack);
    }

    @Override
    public int selectProtocol(String[] offered) {
        List<String> theirs = List.of(offered);
        for (String ours : settings.applicationProtocols()) {
            int index = theirs.indexOf(ours);
            if (index >= 0) {
                return index;
            }
        }
        return -1;
    }

    @Override
    public void keyLog(String line) {
        if (settings.keyLog() != null) {
            settings.keyLog().accept(line);
        }
    }

    /// Those of TLS 1.2 come within the handshake. Kept before the peer is accepted for good, one
    /// that is refused could be resumed, which checks nothing.
    @Override
    public boolean newSession(long session) {
        if (agreed != null) {
            return sessions.keep(peer, session, agreed.peerCertificates());
        }
        if (side.session != 0) {
            return false;
        }
        side.session = session;
        return true;
    }

    /// The peer is accepted, the handshake done.
    void completed(TlsSession session) {
        agreed = session;
        List<X509Certificate> certificates = session.peerCertificates();
        long early = side.session;
        side.session = 0;
        if (early != 0 && !sessions.keep(peer, early, certificates)) {
            Ssl.freeSession(early);
        }
        if (!settings.server() && session.resumed() && session.protocol() == TlsProtocol.TLS_1_2) {
            sessions.resumed(peer, side.ssl, certificates);
        }
    }

    @Override
    public byte @Nullable [] ocspResponse() {
        TlsIdentity own = Sessions.own(side.ssl, settings);
        return own == null ? null : own.ocspResponse();
    }
}
