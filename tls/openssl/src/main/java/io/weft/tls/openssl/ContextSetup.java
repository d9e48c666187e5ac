package io.weft.tls.openssl;

import io.weft.ffi.openssl.SslCtx;
import io.weft.ffi.openssl.X509;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.TlsSettings;
import io.weft.tls.x509.TlsIdentity;
import java.security.cert.CertificateEncodingException;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import javax.net.ssl.SSLException;

/// Makes an `SSL_CTX` of settings. What OpenSSL cannot do is refused, never left out.
final class ContextSetup {
    /// Full handshakes of TLS 1.3 are followed by one ticket, as those of the JDK are; each may be
    /// used once.
    private static final int TICKETS = 1;

    private static final byte[] SESSIONS_OF = {'w', 'e', 'f', 't'};

    private final TlsSettings settings;
    private final long context;

    private ContextSetup(TlsSettings settings, long context) {
        this.settings = settings;
        this.context = context;
    }

    /// The caller frees it.
    ///
    /// @throws io.weft.ffi.openssl.SslException for what OpenSSL refuses
    static long make(TlsSettings settings) throws SSLException {
        long context = settings.server() ? SslCtx.server() : SslCtx.client();
        boolean made = false;
        try {
            new ContextSetup(settings, context).all();
            made = true;
            return context;
        } finally {
            if (!made) {
                SslCtx.free(context);
            }
        }
    }

    private void all() throws SSLException {
        if (settings.keyManager() != null) {
            throw new SSLException("keyManager: set (expected: identities, with engine OPENSSL)");
        }
        SslCtx.options(
                context,
                SslCtx.SSL_OP_NO_COMPRESSION
                        | SslCtx.SSL_OP_NO_RENEGOTIATION
                        | SslCtx.SSL_OP_CIPHER_SERVER_PREFERENCE);
        SslCtx.modes(context, SslCtx.SSL_MODE_RELEASE_BUFFERS);
        protocols();
        identities();
        peers();
        sessions();
        if (!settings.groups().isEmpty()) {
            SslCtx.groups(context, String.join(":", settings.groups()));
        }
        if (!settings.applicationProtocols().isEmpty()) {
            if (settings.server()) {
                SslCtx.selectProtocolByEvent(context);
            } else {
                SslCtx.offerProtocols(context, settings.applicationProtocols());
            }
        }
        if (settings.keyLog() != null) {
            SslCtx.keyLogByEvent(context);
        }
    }

    /// A version for which no cipher suite is left is not spoken: OpenSSL would fail only when it
    /// is agreed on.
    private void protocols() throws SSLException {
        Map<String, String> known = SslCtx.knownCiphers(context);
        List<String> modern = new ArrayList<>();
        List<String> older = new ArrayList<>();
        for (String suite : settings.cipherSuites()) {
            String name = known.get(suite);
            if (!suite.contains("_WITH_")) {
                if (KNOWN_13.contains(suite)) {
                    modern.add(suite);
                }
            } else if (name != null) {
                older.add(name);
            }
        }
        Set<TlsProtocol> spoken = EnumSet.copyOf(settings.protocols());
        if (modern.isEmpty()) {
            spoken.remove(TlsProtocol.TLS_1_3);
        } else {
            SslCtx.ciphers13(context, String.join(":", modern));
        }
        if (older.isEmpty()) {
            spoken.remove(TlsProtocol.TLS_1_2);
        } else {
            SslCtx.ciphers(context, String.join(":", older));
        }
        if (spoken.isEmpty()) {
            throw new SSLException(
                    "cipher suites: "
                            + settings.cipherSuites()
                            + " (expected: one that OpenSSL knows, for "
                            + settings.protocols()
                            + ")");
        }
        TreeSet<TlsProtocol> range = new TreeSet<>(spoken);
        SslCtx.versions(context, range.first().number(), range.last().number());
    }

    private static final Set<String> KNOWN_13 =
            Set.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_AES_128_CCM_SHA256",
                    "TLS_AES_128_CCM_8_SHA256");

    /// One for each kind of key: OpenSSL chooses by what the peer can verify.
    private void identities() throws SSLException {
        Set<String> kinds = new TreeSet<>();
        for (TlsIdentity identity : settings.identities()) {
            String kind = identity.certificate().getPublicKey().getAlgorithm();
            if (!kinds.add(kind)) {
                throw new SSLException(
                        "identities: two with keys of " + kind + " (expected: one, with OPENSSL)");
            }
            use(identity);
        }
    }

    private void use(TlsIdentity identity) throws SSLException {
        byte[] encoded = identity.key().getEncoded();
        if (encoded == null || !"PKCS#8".equals(identity.key().getFormat())) {
            throw new SSLException(
                    "key: "
                            + identity.key().getClass().getName()
                            + " does not show its bytes (expected: one that does, with OPENSSL)");
        }
        List<Long> chain = new ArrayList<>();
        long key = 0;
        try {
            key = X509.privateKey(encoded);
            for (X509Certificate certificate : identity.chain()) {
                chain.add(X509.certificate(encoded(certificate)));
            }
            SslCtx.identity(context, chain.getFirst(), key, chain.subList(1, chain.size()));
        } finally {
            java.util.Arrays.fill(encoded, (byte) 0);
            chain.forEach(X509::free);
            if (key != 0) {
                X509.freeKey(key);
            }
        }
    }

    private static byte[] encoded(X509Certificate certificate) throws SSLException {
        try {
            return certificate.getEncoded();
        } catch (CertificateEncodingException e) {
            throw new SSLException("certificate: " + e.getMessage(), e);
        }
    }

    /// The decision on a certificate is never OpenSSL's: see [PeerCheck].
    private void peers() throws SSLException {
        boolean asks = !settings.server() || settings.clientAuth() != ClientAuth.NONE;
        boolean insists = settings.clientAuth() == ClientAuth.REQUIRE;
        SslCtx.verifyByEvent(context);
        SslCtx.verify(
                context,
                (asks ? SslCtx.SSL_VERIFY_PEER : SslCtx.SSL_VERIFY_NONE)
                        | (insists ? SslCtx.SSL_VERIFY_FAIL_IF_NO_PEER_CERT : 0));
        if (settings.server() && asks) {
            for (X509Certificate issuer : settings.trustManager().getAcceptedIssuers()) {
                long certificate = X509.certificate(encoded(issuer));
                try {
                    SslCtx.addClientCa(context, certificate);
                } finally {
                    X509.free(certificate);
                }
            }
        }
        if (settings.server() && settings.ocspStapling()) {
            SslCtx.statusByEvent(context);
        }
    }

    private void sessions() {
        int seconds = (int) Math.min(settings.sessionTimeout().toSeconds(), Integer.MAX_VALUE);
        boolean caches = settings.sessionCacheSize() > 0;
        SslCtx.sessionTimeout(context, seconds);
        if (!settings.sessionTickets()) {
            SslCtx.options(context, SslCtx.SSL_OP_NO_TICKET);
        }
        if (!settings.server()) {
            SslCtx.cacheMode(
                    context,
                    caches
                            ? SslCtx.SSL_SESS_CACHE_CLIENT | SslCtx.SSL_SESS_CACHE_NO_INTERNAL
                            : SslCtx.SSL_SESS_CACHE_OFF);
            if (caches) {
                SslCtx.newSessionByEvent(context);
            }
            return;
        }
        SslCtx.sessionIdContext(context, SESSIONS_OF);
        SslCtx.cacheMode(
                context, caches ? SslCtx.SSL_SESS_CACHE_SERVER : SslCtx.SSL_SESS_CACHE_OFF);
        if (caches) {
            SslCtx.cacheSize(context, settings.sessionCacheSize());
        }
        // Without the secret of tickets, those of TLS 1.3 name sessions of the cache.
        SslCtx.tickets(context, caches || settings.sessionTickets() ? TICKETS : 0);
    }
}
