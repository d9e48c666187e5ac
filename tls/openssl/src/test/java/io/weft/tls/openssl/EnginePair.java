package io.weft.tls.openssl;

import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.util.Arrays;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLException;

/// A client and a server whose bytes a test carries.
final class EnginePair implements AutoCloseable {
    static final TlsIdentity IDENTITY = CertificateBuilder.selfSigned("example.com", "127.0.0.1");
    static final TlsPeer SERVER = new TlsPeer("example.com", 443);

    final Side client;
    final Side server;

    /// Bytes a piece that is carried; all at once when 0.
    int piece;

    EnginePair(TlsContext client, TlsContext server) {
        this(new Side(client, SERVER), new Side(server, TlsPeer.UNKNOWN));
    }

    EnginePair(Side client, Side server) {
        this.client = client;
        this.server = server;
    }

    static TlsContext client(TlsEngineKind kind, UnaryOperator<TlsContextBuilder> more)
            throws SSLException {
        return more.apply(TlsContext.client().engine(kind).trust(IDENTITY.certificate())).build();
    }

    static TlsContext server(TlsEngineKind kind, UnaryOperator<TlsContextBuilder> more)
            throws SSLException {
        return server(kind, IDENTITY, more);
    }

    static TlsContext server(
            TlsEngineKind kind, TlsIdentity identity, UnaryOperator<TlsContextBuilder> more)
            throws SSLException {
        return more.apply(TlsContext.server(identity).engine(kind)).build();
    }

    EnginePair shakeHands() throws TlsException {
        client.start();
        server.start();
        return carry();
    }

    /// Carries bytes to and fro until there are none, or somebody has failed and said so.
    EnginePair carry() {
        for (boolean moved = true; moved; ) {
            moved = move(client, server);
            moved |= move(server, client);
        }
        return this;
    }

    private boolean move(Side from, Side to) {
        byte[] bytes = from.takeOutgoing();
        int step = piece == 0 ? Math.max(1, bytes.length) : piece;
        for (int at = 0; at < bytes.length && to.failure == null; at += step) {
            to.deliver(Arrays.copyOfRange(bytes, at, Math.min(bytes.length, at + step)));
        }
        return bytes.length > 0;
    }

    @Override
    public void close() {
        client.close();
        server.close();
    }
}
