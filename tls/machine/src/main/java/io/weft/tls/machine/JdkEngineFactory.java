package io.weft.tls.machine;

import io.weft.buffer.BufferAllocator;
import io.weft.tls.machine.spi.TlsEngine;
import io.weft.tls.machine.spi.TlsEngineFactory;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.HostNames;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import javax.net.ssl.KeyManager;
import javax.net.ssl.SNIServerName;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSessionContext;
import javax.net.ssl.StandardConstants;
import javax.net.ssl.TrustManager;
import org.jspecify.annotations.Nullable;

/// Engines of one `SSLContext` of the JDK.
final class JdkEngineFactory implements TlsEngineFactory {
    private final TlsSettings settings;
    private final SSLContext context;
    private final String[] protocols;
    private final String[] suites;

    JdkEngineFactory(TlsSettings settings) throws SSLException {
        this.settings = settings;
        refuseWhatItCannotDo(settings);
        try {
            context = SSLContext.getInstance("TLS");
            context.init(
                    new KeyManager[] {new JdkKeys(settings)},
                    new TrustManager[] {new JdkTrust(settings)},
                    null);
        } catch (GeneralSecurityException e) {
            throw new SSLException("the JDK makes no context: " + e.getMessage(), e);
        }
        SSLSessionContext sessions =
                settings.server()
                        ? context.getServerSessionContext()
                        : context.getClientSessionContext();
        sessions.setSessionCacheSize(settings.sessionCacheSize());
        sessions.setSessionTimeout((int) settings.sessionTimeout().toSeconds());
        suites = knownSuites();
        protocols = spoken();
        knownGroups();
    }

    /// A version for which no suite is left is not spoken: the JDK would fail only at a handshake.
    private String[] spoken() throws SSLException {
        String[] names =
                settings.protocols().stream()
                        .sorted()
                        .filter(this::hasSuite)
                        .map(TlsProtocol::standardName)
                        .toArray(String[]::new);
        if (names.length == 0) {
            throw new SSLException(
                    "cipher suites: "
                            + settings.cipherSuites()
                            + " (expected: one for "
                            + settings.protocols()
                            + ")");
        }
        return names;
    }

    private boolean hasSuite(TlsProtocol protocol) {
        boolean older = protocol == TlsProtocol.TLS_1_2;
        return Arrays.stream(suites).anyMatch(suite -> suite.contains("_WITH_") == older);
    }

    private void knownGroups() throws SSLException {
        String[] known = context.getSupportedSSLParameters().getNamedGroups();
        boolean one =
                known == null
                        || settings.groups().stream()
                                .anyMatch(
                                        group ->
                                                Arrays.stream(known)
                                                        .anyMatch(group::equalsIgnoreCase));
        if (!settings.groups().isEmpty() && !one) {
            throw new SSLException(
                    "groups: " + settings.groups() + " (expected: one that the JDK knows)");
        }
    }

    private static void refuseWhatItCannotDo(TlsSettings settings) throws SSLException {
        if (settings.keyLog() != null) {
            throw new SSLException(
                    "key log: the JDK's engine gives no secrets (expected: OPENSSL)");
        }
        if (settings.server()
                && settings.ocspStapling()
                && !Boolean.getBoolean("jdk.tls.server.enableStatusRequestExtension")) {
            throw new SSLException(
                    "OCSP stapling: off in this JVM (expected: OPENSSL, or"
                            + " -Djdk.tls.server.enableStatusRequestExtension=true)");
        }
        if (settings.sessionCacheSize() == 0) {
            // To it, 0 is without a limit.
            throw new SSLException("session cache: 0 (expected: >= 1, or OPENSSL)");
        }
        String tickets = "jdk.tls.server.enableSessionTicketExtension";
        if (settings.server()
                && !settings.sessionTickets()
                && Boolean.parseBoolean(System.getProperty(tickets, "true"))) {
            throw new SSLException(
                    "no session tickets: not of one context (expected: OPENSSL, or -D"
                            + tickets
                            + "=false)");
        }
    }

    private String[] knownSuites() throws SSLException {
        List<String> known = new ArrayList<>(settings.cipherSuites());
        known.retainAll(List.of(context.getSupportedSSLParameters().getCipherSuites()));
        if (known.isEmpty()) {
            throw new SSLException(
                    "cipher suites: "
                            + settings.cipherSuites()
                            + " (expected: one that the JDK knows)");
        }
        return known.toArray(new String[0]);
    }

    @Override
    public TlsEngine engine(TlsPeer peer, BufferAllocator allocator) {
        SSLEngine engine =
                peer.host() == null
                        ? context.createSSLEngine()
                        : context.createSSLEngine(peer.host(), peer.port());
        engine.setUseClientMode(!settings.server());
        SSLParameters parameters = new SSLParameters(suites, protocols);
        parameters.setUseCipherSuitesOrder(true);
        parameters.setApplicationProtocols(settings.applicationProtocols().toArray(new String[0]));
        if (!settings.groups().isEmpty()) {
            parameters.setNamedGroups(settings.groups().toArray(new String[0]));
        }
        if (settings.server()) {
            switch (settings.clientAuth()) {
                case NONE -> {}
                case WANT -> parameters.setWantClientAuth(true);
                case REQUIRE -> parameters.setNeedClientAuth(true);
            }
        } else {
            parameters.setServerNames(serverNames(peer.host()));
        }
        engine.setSSLParameters(parameters);
        return new JdkEngine(engine, peer, allocator);
    }

    /// RFC 6066 section 3: names only, no addresses.
    private static List<SNIServerName> serverNames(@Nullable String host) {
        String name =
                host == null || HostNames.address(host) != null ? null : HostNames.asciiName(host);
        if (name == null) {
            return List.of();
        }
        return List.of(new HostName(name));
    }

    /// The JDK's own class takes no underscores.
    private static final class HostName extends SNIServerName {
        HostName(String ascii) {
            super(StandardConstants.SNI_HOST_NAME, ascii.getBytes(StandardCharsets.US_ASCII));
        }
    }
}
