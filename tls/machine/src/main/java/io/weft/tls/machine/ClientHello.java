package io.weft.tls.machine;

import io.weft.buffer.Buffer;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// The first message of a client, RFC 8446 section 4.1.2, as it is on the wire: nothing in it is
/// authenticated.
///
/// @param version the highest of TLS 1.2 and before, as a number: `0x0303`
/// @param cipherSuites as numbers, the preferred first
/// @param supportedVersions of the extension of that name, as numbers; empty without it
/// @param serverName the host that it asks for, in lower case; null when it asks for none
/// @param applicationProtocols that it offers (ALPN); empty for none
/// @param record the message as one record, to be read again by an engine; the receiver of the
///     hello owns it. If it came in several records, they are joined into one, which is
///     undetectable: messages are signed, not records
public record ClientHello(
        int version,
        List<Integer> cipherSuites,
        List<Integer> supportedVersions,
        @Nullable String serverName,
        List<String> applicationProtocols,
        Buffer record) {
    public ClientHello {
        cipherSuites = List.copyOf(cipherSuites);
        supportedVersions = List.copyOf(supportedVersions);
        applicationProtocols = List.copyOf(applicationProtocols);
    }

    /// Without the record.
    @Override
    public String toString() {
        return "ClientHello[version="
                + Integer.toHexString(version)
                + ", suites="
                + cipherSuites
                + ", versions="
                + supportedVersions
                + ", name="
                + serverName
                + ", protocols="
                + applicationProtocols
                + "]";
    }
}
