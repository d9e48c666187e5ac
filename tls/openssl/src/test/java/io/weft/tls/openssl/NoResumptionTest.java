package io.weft.tls.openssl;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.ffi.openssl.OpenSsl;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsContextBuilder;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.machine.TlsProtocol;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLException;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class NoResumptionTest {
    private static TlsContextBuilder without(TlsContextBuilder builder) {
        return builder.sessionCache(0, Duration.ofDays(1)).sessionTickets(false);
    }

    /// One side is enough.
    @ParameterizedTest
    @CsvSource({"TLS_1_3, true", "TLS_1_3, false", "TLS_1_2, true", "TLS_1_2, false"})
    void nothingIsResumedWithoutACacheAndTickets(TlsProtocol protocol, boolean ofServer)
            throws SSLException {
        assumeTrue(OpenSsl.available(), OpenSsl::refusal);
        TlsEngineKind kind = TlsEngineKind.OPENSSL;
        try (TlsContext client =
                        EnginePair.client(
                                kind, c -> (ofServer ? c : without(c)).protocols(protocol));
                TlsContext server = EnginePair.server(kind, s -> ofServer ? without(s) : s)) {
            for (int i = 0; i < 3; i++) {
                try (EnginePair pair = new EnginePair(client, server)) {
                    pair.shakeHands();
                    pair.server.write("and a ticket, if there were one");
                    pair.carry();
                    pair.client.engine.closeOutbound(pair.client);
                    pair.carry();
                    assertThat(Objects.requireNonNull(pair.client.completed).resumed()).isFalse();
                }
            }
        }
    }

    @Test
    void theEngineOfTheJdkRefusesToKeepNone() {
        assertThatThrownBy(() -> EnginePair.client(TlsEngineKind.JDK, NoResumptionTest::without))
                .isInstanceOf(SSLException.class)
                .hasMessage("session cache: 0 (expected: >= 1, or OPENSSL)");
    }
}
