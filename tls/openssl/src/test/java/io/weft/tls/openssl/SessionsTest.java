package io.weft.tls.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.tls.machine.CertificateFault;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsException;
import io.weft.tls.machine.TlsProtocol;
import io.weft.tls.machine.spi.TlsPeer;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// A session belongs to the two contexts and the host that it was made by.
@ParameterizedClass
@EnumSource
class SessionsTest {
    private final TlsEngineKind kind;

    SessionsTest(TlsEngineKind kind) {
        this.kind = kind;
    }

    @BeforeEach
    void needsEngine() {
        String unavailable = TlsContext.unavailable(kind);
        assumeTrue(unavailable.isEmpty(), unavailable);
    }

    /// A handshake, and data each way, behind which tickets have come.
    private static EnginePair talk(TlsContext client, TlsContext server, String host)
            throws TlsException {
        EnginePair pair =
                new EnginePair(
                        new Side(client, new TlsPeer(host, 443)),
                        new Side(server, TlsPeer.UNKNOWN));
        pair.shakeHands();
        if (pair.server.completed != null && pair.server.failure == null) {
            pair.server.write("ticket");
            pair.carry();
        }
        return pair;
    }

    private static boolean resumes(TlsContext client, TlsContext server, String host)
            throws TlsException {
        try (EnginePair pair = talk(client, server, host)) {
            assertThat(pair.client.failure).isNull();
            assertThat(pair.server.failure).isNull();
            boolean resumed = session(pair.client).resumed();
            pair.client.engine.closeOutbound(pair.client);
            pair.server.engine.closeOutbound(pair.server);
            pair.carry();
            return resumed;
        }
    }

    private static io.weft.tls.machine.TlsSession session(Side side) {
        return java.util.Objects.requireNonNull(side.completed);
    }

    @ParameterizedTest
    @EnumSource
    void whoHasAnotherKeyResumesNothing(TlsProtocol protocol) throws SSLException {
        TlsIdentity other = CertificateBuilder.selfSigned("example.com", "*.example.com");
        try (TlsContext client =
                        EnginePair.client(
                                kind,
                                c ->
                                        c.protocols(protocol)
                                                .trust(
                                                        EnginePair.IDENTITY.certificate(),
                                                        other.certificate()));
                TlsContext server = EnginePair.server(kind, s -> s);
                TlsContext renewed = EnginePair.server(kind, other, s -> s)) {
            assertThat(resumes(client, server, "example.com")).isFalse();
            assertThat(resumes(client, server, "example.com")).isTrue();
            assertThat(resumes(client, renewed, "example.com")).as("of another key").isFalse();
            assertThat(resumes(client, renewed, "example.com")).isTrue();
            assertThat(resumes(client, renewed, "a.example.com")).as("another host").isFalse();
            assertThat(resumes(client, renewed, "a.example.com")).isTrue();
        }
    }

    /// A client without a certificate, resuming what it agreed on where none was asked for.
    @ParameterizedTest
    @EnumSource
    void aSessionDoesNotStandInForACertificate(TlsProtocol protocol) throws SSLException {
        try (TlsContext client = EnginePair.client(kind, c -> c.protocols(protocol));
                TlsContext open = EnginePair.server(kind, s -> s);
                TlsContext strict =
                        EnginePair.server(
                                kind,
                                s ->
                                        s.clientAuth(ClientAuth.REQUIRE)
                                                .trust(EnginePair.IDENTITY.certificate()))) {
            assertThat(resumes(client, open, "example.com")).isFalse();
            try (EnginePair pair = talk(client, strict, "example.com")) {
                assertThat(pair.server.completed).isNull();
                assertThat(pair.server.failure)
                        .isInstanceOfSatisfying(
                                TlsException.CertificateRefused.class,
                                e -> assertThat(e.fault()).isEqualTo(CertificateFault.MISSING));
            }
        }
    }

    /// The name of the host is checked when a session is made; one of another host is none.
    @ParameterizedTest
    @EnumSource
    void aSessionDoesNotStandInForAHost(TlsProtocol protocol) throws SSLException {
        try (TlsContext client = EnginePair.client(kind, c -> c.protocols(protocol));
                TlsContext server = EnginePair.server(kind, s -> s)) {
            assertThat(resumes(client, server, "example.com")).isFalse();
            try (EnginePair pair = talk(client, server, "example.org")) {
                assertThat(pair.client.completed).isNull();
                assertThat(pair.client.failure).isInstanceOf(TlsException.CertificateRefused.class);
            }
            assertThat(resumes(client, server, "example.com")).isTrue();
        }
    }
}
