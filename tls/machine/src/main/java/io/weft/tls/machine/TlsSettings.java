package io.weft.tls.machine;

import io.weft.tls.machine.TlsException.CertificateRefused;
import io.weft.tls.machine.spi.PeerVerifier;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.TlsIdentity;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.function.Consumer;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// The settings of a [TlsContext], for implementors of engines. Immutable; made by its builders,
/// which have checked it.
///
/// @param server whether engines accept or connect
/// @param protocols not empty
/// @param cipherSuites their IANA names, the preferred first, of TLS 1.3 and 1.2 mixed; those that
///     the engine does not know are left out, and at least one has to remain
/// @param groups of key agreement, the preferred first: `X25519`, `secp256r1`; empty for the
///     engine's own choice
/// @param applicationProtocols for ALPN, the preferred first; empty for none. A server refuses a
///     client that offers others only (`no_application_protocol`, RFC 7301 section 3.2)
/// @param clientAuth of a server; a client's is NONE
/// @param identities of a server at least one, unless there is a key manager; of a client those
///     that it may show
/// @param keyManager chooses instead of `identities`; null for none
/// @param trustManager what decides on the peer's chain; engines ask it through
///     [io.weft.tls.machine.spi.PeerVerifier]
/// @param verifyHostname whether a client checks that the certificate is the host's; see
///     `PeerVerifier`
/// @param sessionCacheSize sessions kept for resumption; 0 for no resumption by session
/// @param sessionTimeout how long they may be resumed
/// @param sessionTickets whether stateless tickets are given out (server) or asked for (client)
/// @param ocspStapling whether a client asks for a stapled status, and a server gives the one of
///     its identity
/// @param keyLog takes lines of the SSLKEYLOGFILE format, secrets that decrypt the traffic; null
///     for none
public record TlsSettings(
        boolean server,
        Set<TlsProtocol> protocols,
        List<String> cipherSuites,
        List<String> groups,
        List<String> applicationProtocols,
        ClientAuth clientAuth,
        List<TlsIdentity> identities,
        @Nullable X509ExtendedKeyManager keyManager,
        X509TrustManager trustManager,
        boolean verifyHostname,
        int sessionCacheSize,
        Duration sessionTimeout,
        boolean sessionTickets,
        boolean ocspStapling,
        @Nullable Consumer<String> keyLog) {
    public TlsSettings {
        protocols = Set.copyOf(protocols);
        cipherSuites = List.copyOf(cipherSuites);
        groups = List.copyOf(groups);
        applicationProtocols = List.copyOf(applicationProtocols);
        identities = List.copyOf(identities);
    }

    TlsSettings withApplicationProtocols(List<String> names) {
        return new TlsSettings(
                server,
                protocols,
                cipherSuites,
                groups,
                names,
                clientAuth,
                identities,
                keyManager,
                trustManager,
                verifyHostname,
                sessionCacheSize,
                sessionTimeout,
                sessionTickets,
                ocspStapling,
                keyLog);
    }

    /// Returns a verifier that applies these settings. It also checks the name in a server's
    /// certificate, unless that is switched off.
    public PeerVerifier peerVerifier() {
        return new PeerVerifier() {
            @Override
            public void verify(
                    List<X509Certificate> chain,
                    String authType,
                    TlsPeer peer,
                    List<byte[]> stapled)
                    throws CertificateRefused {
                CertificateChecks.check(
                        trustManager,
                        chain.toArray(new X509Certificate[0]),
                        authType,
                        !server,
                        expectedHost(peer),
                        stapled,
                        ocspStapling,
                        null);
            }

            @Override
            public boolean verifyBeforeStatus(
                    List<X509Certificate> chain, String authType, TlsPeer peer)
                    throws CertificateRefused {
                return CertificateChecks.checkBeforeStatus(
                        trustManager,
                        chain.toArray(new X509Certificate[0]),
                        authType,
                        expectedHost(peer));
            }
        };
    }

    /// The host that the peer's certificate must be for; null where any will do.
    ///
    /// @throws TlsException.CertificateRefused when one is due and nobody said which
    public @Nullable String expectedHost(TlsPeer peer) throws TlsException.CertificateRefused {
        if (server || !verifyHostname) {
            return null;
        }
        if (peer.host() == null) {
            throw new TlsException.CertificateRefused(
                    CertificateFault.WRONG_HOST,
                    "host: unknown (expected: the one that the certificate must be for)",
                    null);
        }
        return peer.host();
    }
}
