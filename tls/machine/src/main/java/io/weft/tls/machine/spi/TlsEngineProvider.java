package io.weft.tls.machine.spi;

import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsSettings;
import javax.net.ssl.SSLException;
import org.jspecify.annotations.Nullable;

/// Brings a kind of engine. Found by [java.util.ServiceLoader].
public interface TlsEngineProvider {
    TlsEngineKind kind();

    /// Why it does not work on this machine, in one line; null when it works. Cheap after the first
    /// time.
    @Nullable String unavailable();

    /// @throws SSLException when the settings ask for something that this kind cannot do; never
    ///     ignored
    TlsEngineFactory factory(TlsSettings settings) throws SSLException;
}
