package io.weft.tls.openssl;

import io.weft.ffi.openssl.OpenSsl;
import io.weft.ffi.openssl.SslException;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsSettings;
import io.weft.tls.machine.spi.TlsEngineFactory;
import io.weft.tls.machine.spi.TlsEngineProvider;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Engines over the system's OpenSSL 3, where there is one.
public final class OpenSslProvider implements TlsEngineProvider {
    @Override
    public TlsEngineKind kind() {
        return TlsEngineKind.OPENSSL;
    }

    @Override
    public @Nullable String unavailable() {
        return OpenSsl.refusal();
    }

    @Override
    public TlsEngineFactory factory(TlsSettings settings) throws SSLException {
        String refusal = OpenSsl.refusal();
        if (refusal != null) {
            throw new SSLException("engine: OPENSSL is not available: " + refusal);
        }
        try {
            return new OpenSslFactory(settings);
        } catch (SslException e) {
            throw new SSLException(e.getMessage(), e);
        }
    }
}
