package io.weft.bench.tls.openssl;

import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.ssl.OpenSslContextOption;
import io.netty.handler.ssl.OpenSslSessionContext;
import io.netty.handler.ssl.OpenSslSessionTicketKey;
import io.netty.handler.ssl.ReferenceCountedOpenSslContext;
import io.netty.handler.ssl.SslContext;
import io.netty.handler.ssl.SslContextBuilder;
import io.netty.handler.ssl.SslProvider;
import io.weft.buffer.BufferAllocator;
import io.weft.handler.tls.CertificateBuilder;
import io.weft.handler.tls.TlsContext;
import io.weft.handler.tls.TlsEngineKind;
import io.weft.handler.tls.TlsIdentity;
import io.weft.handler.tls.TlsProtocol;
import io.weft.handler.tls.spi.TlsPeer;
import javax.net.ssl.SSLException;

/// Contexts of a client and a server on equal terms: one certificate on P-256 that is its own authority, X25519, AES-128 in
/// GCM, the host's name checked by the client, certificates decided on by the JDK's validator.
final class Sides {
    static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned("example.com");
    private static final String HOST = "example.com";
    private static final int PORT = 443;

    private Sides() {}

    private static String suite(String protocol) {
        return protocol.equals("TLSv1.3")
                ? "TLS_AES_128_GCM_SHA256"
                : "TLS_ECDHE_ECDSA_WITH_AES_128_GCM_SHA256";
    }

    static final class Weft implements AutoCloseable {
        private final TlsContext client;
        private final TlsContext server;

        Weft(TlsEngineKind kind, String protocol) throws SSLException {
            TlsProtocol version = TlsProtocol.of(protocol);
            client =
                    TlsContext.client()
                            .engine(kind)
                            .protocols(version)
                            .cipherSuites(suite(protocol))
                            .groups("X25519")
                            .trust(IDENTITY.certificate())
                            .build();
            server =
                    TlsContext.server(IDENTITY)
                            .engine(kind)
                            .protocols(version)
                            .cipherSuites(suite(protocol))
                            .groups("X25519")
                            .build();
        }

        /// @param resumes whether it takes up the session of an earlier pair
        WeftPair pair(boolean resumes) {
            BufferAllocator allocator = BufferAllocator.pooled();
            return new WeftPair(
                    client.engine(new TlsPeer(HOST, resumes ? PORT : 0), allocator),
                    server.engine(TlsPeer.UNKNOWN, allocator));
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    static final class Netty {
        private final SslContext client;
        private final SslContext server;

        Netty(SslProvider provider, String protocol, boolean resumes) throws SSLException {
            SslContextBuilder clients =
                    SslContextBuilder.forClient()
                            .trustManager(IDENTITY.certificate())
                            .sslProvider(provider)
                            .protocols(protocol)
                            .ciphers(java.util.List.of(suite(protocol)));
            SslContextBuilder servers =
                    SslContextBuilder.forServer(IDENTITY.key(), IDENTITY.certificate())
                            .sslProvider(provider)
                            .protocols(protocol)
                            .ciphers(java.util.List.of(suite(protocol)));
            if (provider != SslProvider.JDK) {
                clients.option(OpenSslContextOption.GROUPS, new String[] {"X25519"});
                servers.option(OpenSslContextOption.GROUPS, new String[] {"X25519"});
            }
            client = clients.build();
            server = servers.build();
            if (server instanceof ReferenceCountedOpenSslContext
                    && server.sessionContext() instanceof OpenSslSessionContext sessions
                    && client.sessionContext() instanceof OpenSslSessionContext theirs) {
                sessions.setSessionCacheEnabled(resumes);
                theirs.setSessionCacheEnabled(resumes);
                if (resumes) {
                    sessions.setTicketKeys(
                            new OpenSslSessionTicketKey(new byte[16], new byte[16], new byte[16]));
                }
            }
        }

        NettyPair pair(boolean resumes) throws SSLException {
            int port = resumes ? PORT : -1;
            return new NettyPair(
                    client.newEngine(ByteBufAllocator.DEFAULT, HOST, port),
                    server.newEngine(ByteBufAllocator.DEFAULT));
        }
    }
}
