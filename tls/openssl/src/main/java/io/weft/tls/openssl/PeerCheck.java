package io.weft.tls.openssl;

import io.weft.ffi.openssl.Ssl;
import io.weft.ffi.openssl.SslEvents;
import io.weft.ffi.openssl.X509;
import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.spi.PeerVerifier;
import io.weft.tls.machine.spi.TlsPeer;
import java.security.cert.X509Certificate;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The check of the peer's certificate, by the verifier that all kinds of engines ask; OpenSSL is
/// told the verdict. There is none until the verifier has run, so that whatever goes wrong before
/// is a refusal.
final class PeerCheck {
    private final PeerVerifier verifier;
    private final TlsPeer peer;
    private final boolean server;
    private final boolean statusAsked;

    private List<X509Certificate> chain = List.of();
    private List<X509Certificate> resumable = List.of();
    private String authType = "UNKNOWN";
    private byte @Nullable [] stapled;
    private int verdict = SslEvents.LATER;
    private @Nullable CertificateRefused refusal;

    /// A status was asked for, and may come behind the certificate.
    private boolean mayComeLate;

    /// Something is left to decide behind the handshake.
    private boolean undecided;

    /// @param server whether this side is one; then the verifier is asked at once
    /// @param statusAsked whether the server is asked to staple a status
    PeerCheck(PeerVerifier verifier, TlsPeer peer, boolean server, boolean statusAsked) {
        this.verifier = verifier;
        this.peer = peer;
        this.server = server;
        this.statusAsked = statusAsked;
    }

    /// Why the peer is refused; null while it is not. It is where the last check was left out.
    @Nullable CertificateRefused refusal() {
        return refusal == null && undecided && !mayComeLate
                ? new CertificateRefused(
                        CertificateFault.STATUS_UNKNOWN,
                        "status: not checked (expected: by the engine's task)",
                        null)
                : refusal;
    }

    /// The peer's certificates when the handshake is full: those that were checked.
    List<X509Certificate> chain() {
        return chain;
    }

    /// The peer's certificates when the handshake takes up the client's session: those that were
    /// checked when that was made.
    List<X509Certificate> resumable() {
        return resumable;
    }

    void resumable(List<X509Certificate> certificates) {
        resumable = certificates;
    }

    /// As [SslEvents#verify]. A client's engine is to call [#decide] when it hears
    /// [SslEvents#LATER].
    int verify(long ssl, long stack) {
        if (verdict == SslEvents.LATER) {
            try {
                chain = Certificates.parse(X509.encodedStack(stack));
                authType = authType(ssl);
            } catch (CertificateRefused e) {
                refuse(e);
                return verdict;
            }
            if (!server) {
                stapled = Ssl.stapled(ssl);
                mayComeLate = statusAsked && stapled == null && Ssl.version(ssl).equals("TLSv1.2");
                return SslEvents.LATER;
            }
            decide();
        }
        return verdict;
    }

    /// As trust managers know it: from `TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256` it is `ECDHE_RSA`.
    private String authType(long ssl) {
        if (server) {
            return chain.isEmpty() ? "UNKNOWN" : chain.getFirst().getPublicKey().getAlgorithm();
        }
        String cipher = Ssl.cipher(ssl);
        int end = cipher.indexOf("_WITH_");
        return end < 0 ? "UNKNOWN" : cipher.substring("TLS_".length(), end);
    }

    /// Tells if something is left to decide when the handshake is done: in TLS 1.2, where a status
    /// comes behind the certificate, and also if it has not come. [#decide] is to follow then.
    boolean isUndecided(long ssl) {
        if (!mayComeLate) {
            return false;
        }
        mayComeLate = false;
        stapled = Ssl.stapled(ssl);
        undecided |= stapled != null;
        return undecided;
    }

    /// May block. Calls nothing of OpenSSL: the engine may be closed meanwhile.
    ///
    /// In TLS 1.2 the handshake goes on with a chain whose status is not known yet; the engine is
    /// not complete before that is decided.
    void decide() {
        byte[] status = stapled;
        try {
            if (mayComeLate) {
                undecided = !verifier.verifyBeforeStatus(chain, authType, peer);
            } else {
                List<byte[]> all = status == null ? List.of() : List.of(status);
                verifier.verify(chain, authType, peer, all);
                undecided = false;
            }
            verdict = X509.X509_V_OK;
        } catch (CertificateRefused e) {
            refuse(e);
        } catch (RuntimeException | Error e) {
            refuse(new CertificateRefused(CertificateFault.OTHER, "check failed: " + e, e));
        }
    }

    private void refuse(CertificateRefused why) {
        refusal = why;
        verdict = Failures.verifyResult(why.fault());
    }
}
