package io.weft.tls.machine;

import io.weft.tls.machine.spi.TlsEngineFactory;
import io.weft.tls.machine.spi.TlsEngineProvider;
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
