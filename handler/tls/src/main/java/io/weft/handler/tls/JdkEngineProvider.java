package io.weft.handler.tls;

import io.weft.handler.tls.spi.TlsEngineFactory;
import io.weft.handler.tls.spi.TlsEngineProvider;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// The JDK's engine, which is always there.
final class JdkEngineProvider implements TlsEngineProvider {
    @Override
    public TlsEngineKind kind() {
        return TlsEngineKind.JDK;
    }

    @Override
    public @Nullable String unavailable() {
        return null;
    }

    @Override
    public TlsEngineFactory factory(TlsSettings settings) throws SSLException {
        return new JdkEngineFactory(settings);
    }
}
