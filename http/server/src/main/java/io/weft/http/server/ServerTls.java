package io.weft.http.server;

import io.weft.handler.tls.TlsHandler;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.TlsIdentity;
import java.io.IOException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The TLS of a server: the context for connections that come, which may be replaced by another.
final class ServerTls {
    /// The files of a certificate and its key.
    private record Files(Path certificates, Path privateKey) {
        TlsContext read() throws IOException, GeneralSecurityException {
            return TlsContext.server(TlsIdentity.ofPem(certificates, privateKey))
                    .applicationProtocols(PROTOCOLS)
                    .build();
        }
    }

    private static final String[] PROTOCOLS = {"h2", "http/1.1"};

    private final @Nullable Files files;

    /// Written by any thread, read by the loops.
    private volatile TlsContext current;

    ServerTls(TlsContext context) {
        files = null;
        current = named(context);
    }

    ServerTls(Path certificates, Path privateKey) throws IOException, GeneralSecurityException {
        files = new Files(certificates, privateKey);
        current = files.read();
    }

    /// The handler of a connection that comes. A context that was replaced, and closed, just when
    /// it was to be used is none to fail for: the one in its place is.
    TlsHandler handler() {
        for (; ; ) {
            TlsContext context = current;
            try {
                return TlsHandler.server(context);
            } catch (IllegalStateException e) {
                if (context == current) {
                    throw e;
                }
            }
        }
    }

    void replace(TlsContext context) {
        current = named(context);
    }

    /// Returns the context, or a copy that names the protocols of the server if it names none:
    /// clients that offer HTTP/2 would get HTTP/1.1 without.
    private static TlsContext named(TlsContext context) {
        if (!context.settings().server()) {
            throw new IllegalArgumentException("context: a client's (expected: a server's)");
        }
        if (!context.settings().applicationProtocols().isEmpty()) {
            return context;
        }
        try {
            return context.withApplicationProtocols(PROTOCOLS);
        } catch (SSLException e) {
            throw new IllegalArgumentException("context: " + e.getMessage(), e);
        }
    }

    /// Reads the files again. If that fails, the certificate stays the one it was.
    void reload() throws IOException, GeneralSecurityException {
        if (files == null) {
            throw new IllegalStateException(
                    "tls: a context (expected: files; replace the context instead)");
        }
        current = files.read();
    }
}
