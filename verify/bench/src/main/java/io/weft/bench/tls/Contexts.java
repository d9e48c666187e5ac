package io.weft.bench.tls;

import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.time.Duration;
import java.util.List;
import javax.net.ssl.SSLException;

/// Contexts of clients and servers on equal terms: one certificate on P-256 that is its own
/// authority, X25519, AES-128 in GCM, the host's name checked by the client, certificates decided
/// on by the JDK's validator. Netty's native engine is BoringSSL.
///
/// @param protocol by the JDK's name
record Contexts(TlsEngineKind engine, String protocol) {
    static final String HOST = "example.com";

    private static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned(HOST);

    /// The first is agreed on; the second is the certificate's, which TLS 1.2 wants to see there
    /// too.
    private static final String[] GROUPS = {"X25519", "secp256r1"};

    private String suite() {
        return protocol.equals("TLSv1.3")
                ? "TLS_AES_128_GCM_SHA256"
                : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
    }

    /// @param resumes as for [#nettyClient]
    TlsContext weftClient(boolean resumes) throws SSLException {
        return weft(TlsContext.client().trust(IDENTITY.certificate()), resumes);
    }

    TlsContext weftServer(boolean resumes) throws SSLException {
        return weft(TlsContext.server(IDENTITY), resumes);
    }

    private TlsContext weft(TlsContextBuilder builder, boolean resumes) throws SSLException {
        if (!resumes && engine == TlsEngineKind.OPENSSL) {
            builder.sessionCache(0, Duration.ofDays(1)).sessionTickets(false);
        }
        return builder.engine(engine)
                .protocols(TlsProtocol.of(protocol))
                .cipherSuites(suite())
                .groups(GROUPS)
                .tasks(Runnable::run)
                .build();
    }

    /// @param resumes whether sessions are kept and tickets given out; the JDK's engine does both
    ///     whatever one asks
    SslContext nettyClient(boolean resumes) throws SSLException {
        return netty(SslContextBuilder.forClient().trustManager(IDENTITY.certificate()), resumes);
    }

    SslContext nettyServer(boolean resumes) throws SSLException {
        SslContext server =
                netty(SslContextBuilder.forServer(IDENTITY.key(), IDENTITY.certificate()), resumes);
        if (resumes && server.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setTicketKeys(
                    new OpenSslSessionTicketKey(new byte[16], new byte[16], new byte[16]));
        }
        return server;
    }

    private SslContext netty(SslContextBuilder builder, boolean resumes) throws SSLException {
        boolean jdk = engine == TlsEngineKind.JDK;
        builder.sslProvider(jdk ? SslProvider.JDK : SslProvider.OPENSSL_REFCNT)
                .protocols(protocol)
                .ciphers(List.of(suite()));
        if (!jdk) {
            builder.option(OpenSslContextOption.GROUPS, GROUPS);
        }
        SslContext context = builder.build();
        if (context.sessionContext() instanceof OpenSslSessionContext sessions) {
            sessions.setSessionCacheEnabled(resumes);
        }
        return context;
    }
}
