package io.weft.bench.tls;

import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.weft.handler.tls.CertificateBuilder;
import io.weft.handler.tls.TlsContext;
import io.weft.handler.tls.TlsIdentity;
import io.weft.handler.tls.TlsProtocol;
import javax.net.ssl.SSLException;

/// The same keys and the same protocol on all sides: TLS 1.3, AES-128-GCM, P-256.
final class Contexts {
    private static final TlsIdentity ROOT =
            CertificateBuilder.subject("CN=root").authority(-1).selfSigned();
    private static final TlsIdentity SERVER =
            CertificateBuilder.subject("CN=server").host("localhost").signedBy(ROOT);
    private static final String SUITE = "TLS_AES_128_GCM_SHA256";

    private Contexts() {}

    static TlsContext weftClient() throws SSLException {
        return TlsContext.client()
                .trust(ROOT.certificate())
                .protocols(TlsProtocol.TLS_1_3)
                .cipherSuites(SUITE)
                .build();
    }

    static TlsContext weftServer() throws SSLException {
        return TlsContext.server(SERVER).protocols(TlsProtocol.TLS_1_3).cipherSuites(SUITE).build();
    }

    static SslContext nettyClient(SslProvider provider) throws SSLException {
        return SslContextBuilder.forClient()
                .sslProvider(provider)
                .trustManager(ROOT.certificate())
                .protocols("TLSv1.3")
                .ciphers(java.util.List.of(SUITE))
                .build();
    }

    static SslContext nettyServer(SslProvider provider) throws SSLException {
        return SslContextBuilder.forServer(SERVER.key(), SERVER.certificate())
                .sslProvider(provider)
                .protocols("TLSv1.3")
                .ciphers(java.util.List.of(SUITE))
                .build();
    }
}
