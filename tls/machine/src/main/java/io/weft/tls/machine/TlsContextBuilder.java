package io.weft.tls.machine;

import io.weft.tls.x509.TlsIdentity;
import io.weft.tls.x509.TlsTrust;
import java.security.GeneralSecurityException;
import java.security.cert.X509Certificate;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.EnumSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.Executor;
import java.util.function.Consumer;
import javax.net.ssl.SSLException;
import javax.net.ssl.X509ExtendedKeyManager;
import javax.net.ssl.X509TrustManager;
import org.jspecify.annotations.Nullable;

/// Builds a [TlsContext].
public final class TlsContextBuilder {
    /// TLS 1.3, then 1.2 with forward secrecy and authenticated encryption.
    public static final List<String> DEFAULT_CIPHER_SUITES =
            List.of(
                    "TLS_AES_128_GCM_SHA256",
                    "TLS_AES_256_GCM_SHA384",
                    "TLS_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_RSA_WITH_AES_128_GCM_SHA256",
                    "TLS_ECDHE_ECDSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_RSA_WITH_AES_256_GCM_SHA384",
                    "TLS_ECDHE_ECDSA_WITH_CHACHA20_POLY1305_SHA256",
                    "TLS_ECDHE_RSA_WITH_CHACHA20_POLY1305_SHA256");

    private static final System.Logger LOG = System.getLogger(TlsContext.class.getName());

    private final boolean server;
    private Set<TlsProtocol> protocols = EnumSet.allOf(TlsProtocol.class);
    private List<String> cipherSuites = DEFAULT_CIPHER_SUITES;
    private List<String> groups = List.of();
    private List<String> applicationProtocols = List.of();
    private ClientAuth clientAuth = ClientAuth.NONE;
    private final List<TlsIdentity> identities = new ArrayList<>();
    private @Nullable X509ExtendedKeyManager keyManager;
    private @Nullable X509TrustManager trustManager;
    private boolean verifyHostname = true;
    private int sessionCacheSize = 20_480;
    private Duration sessionTimeout = Duration.ofDays(1);
    private boolean sessionTickets = true;
    private @Nullable Boolean ocspStapling;
    private @Nullable Consumer<String> keyLog;
    private TlsEngineKind kind = TlsEngineKind.JDK;
    private TlsTimeouts timeouts = TlsTimeouts.DEFAULT;
    private Executor tasks = Thread::startVirtualThread;

    TlsContextBuilder(boolean server) {
        this.server = server;
    }

    // ---- who we are ----

    /// Adds a key and its certificates. With several, the first that the peer can use is taken.
    public TlsContextBuilder identity(TlsIdentity identity) {
        identities.add(identity);
        return this;
    }

    /// Chooses keys instead of [#identity].
    public TlsContextBuilder keyManager(X509ExtendedKeyManager manager) {
        keyManager = manager;
        return this;
    }

    // ---- whom we believe ----

    /// Trusts what these authorities issued, and nothing else. Of a client, instead of the
    /// system's; of a server, for the certificates of its clients.
    public TlsContextBuilder trust(X509Certificate... authorities) {
        return trust(TlsTrust.of(Arrays.asList(authorities)));
    }

    /// Decides on chains. Whatever it decides, weak keys and digests are refused and, by a client,
    /// names of other hosts.
    public TlsContextBuilder trust(X509TrustManager manager) {
        trustManager = manager;
        return this;
    }

    /// Accepts a certificate for any host. The log says so, with the reason.
    public TlsContextBuilder insecureWithoutHostname(String reason) {
        LOG.log(System.Logger.Level.WARNING, "TLS without a check of the host: {0}", reason);
        verifyHostname = false;
        return this;
    }

    /// Sets if a server asks its clients for a certificate; needs [#trust].
    public TlsContextBuilder clientAuth(ClientAuth auth) {
        clientAuth = auth;
        return this;
    }

    // ---- how we talk ----

    public TlsContextBuilder protocols(TlsProtocol first, TlsProtocol... more) {
        protocols = EnumSet.of(first, more);
        return this;
    }

    /// @param ianaNames the preferred first, of all protocols
    public TlsContextBuilder cipherSuites(String... ianaNames) {
        cipherSuites = List.of(ianaNames);
        return this;
    }

    /// @param names of key agreement, the preferred first: `X25519`
    public TlsContextBuilder groups(String... names) {
        groups = List.of(names);
        return this;
    }

    /// Offers or accepts these by ALPN, the preferred first: `h2`, `http/1.1`.
    public TlsContextBuilder applicationProtocols(String... names) {
        for (String name : names) {
            if (name.isEmpty() || name.length() > 255 || name.chars().anyMatch(c -> c > 0xff)) {
                throw new IllegalArgumentException(
                        "application protocol: \"" + name + "\" (expected: 1-255 bytes)");
            }
        }
        applicationProtocols = List.of(names);
        return this;
    }

    /// @param size sessions that may be resumed. 0: none is kept, which [TlsEngineKind#OPENSSL]
    ///     alone can do; a server still gives out [tickets][#sessionTickets], which keep themselves
    public TlsContextBuilder sessionCache(int size, Duration timeout) {
        if (size < 0 || timeout.toSeconds() < 1 || timeout.toSeconds() > Integer.MAX_VALUE) {
            throw new IllegalArgumentException(
                    "sessionCache: " + size + ", " + timeout + " (expected: >= 0, >= 1 s)");
        }
        sessionCacheSize = size;
        sessionTimeout = timeout;
        return this;
    }

    public TlsContextBuilder sessionTickets(boolean on) {
        sessionTickets = on;
        return this;
    }

    /// Sets if a client asks for a stapled status (on by default), or a server sends the one of its
    /// identity (off by default). See [TlsEngineKind#JDK] for the limits of that engine. If a
    /// certificate says that its server staples (RFC 7633) and the server does not, a client that
    /// asks refuses it.
    public TlsContextBuilder ocspStapling(boolean on) {
        ocspStapling = on;
        return this;
    }

    /// Takes lines of the SSLKEYLOGFILE format, with which Wireshark decrypts the traffic. The log
    /// says so. Not of the JDK's engine, which gives no secrets away: [TlsEngineKind].
    public TlsContextBuilder keyLog(Consumer<String> lines) {
        LOG.log(System.Logger.Level.WARNING, "TLS with a log of its keys");
        keyLog = lines;
        return this;
    }

    // ---- how it runs ----

    public TlsContextBuilder engine(TlsEngineKind engineKind) {
        kind = engineKind;
        return this;
    }

    public TlsContextBuilder timeouts(TlsTimeouts all) {
        timeouts = all;
        return this;
    }

    /// Sets the executor for blocking work: operations with keys, checks of certificates. By
    /// default, each runs on a virtual thread of its own.
    public TlsContextBuilder tasks(Executor executor) {
        tasks = executor;
        return this;
    }

    /// @throws SSLException when the engine cannot do what was asked for
    /// @throws IllegalStateException when something is missing
    public TlsContext build() throws SSLException {
        if (server && identities.isEmpty() && keyManager == null) {
            throw new IllegalStateException("identity: none (expected: one, of a server)");
        }
        if (!server && clientAuth != ClientAuth.NONE) {
            throw new IllegalStateException("clientAuth: of a client (expected: of a server)");
        }
        if (clientAuth != ClientAuth.NONE && trustManager == null) {
            throw new IllegalStateException("clientAuth without trust (expected: trust(...))");
        }
        TlsSettings settings =
                new TlsSettings(
                        server,
                        protocols,
                        cipherSuites,
                        groups,
                        applicationProtocols,
                        clientAuth,
                        identities,
                        keyManager,
                        trustManager(),
                        verifyHostname,
                        sessionCacheSize,
                        sessionTimeout,
                        sessionTickets,
                        ocspStapling == null ? !server : ocspStapling,
                        keyLog);
        return new TlsContext(settings, kind, timeouts, tasks);
    }

    private X509TrustManager trustManager() throws SSLException {
        if (trustManager != null) {
            return trustManager;
        }
        try {
            return server ? TlsTrust.nobody() : TlsTrust.system();
        } catch (GeneralSecurityException e) {
            throw new SSLException("the system's authorities: " + e.getMessage(), e);
        }
    }
}
