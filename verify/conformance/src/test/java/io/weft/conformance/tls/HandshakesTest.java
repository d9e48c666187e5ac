package io.weft.conformance.tls;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import io.weft.buffer.Ledger;
import io.weft.ffi.openssl.Ssl;
import io.weft.ffi.openssl.SslCtx;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import javax.net.ssl.SSLException;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// `dev/handshakes.sh` is the long run.
class HandshakesTest {
    private static final int SOME = 200;

    @ParameterizedTest
    @EnumSource
    void handshakesLeaveNothingBehindWhereverTheyBreakOff(TlsEngineKind kind) throws SSLException {
        String unavailable = TlsContext.unavailable(kind);
        assumeTrue(unavailable.isEmpty(), unavailable);
        long contexts = SslCtx.open(); // tests before left some to the collector
        long seed = Long.getLong("io.weft.test.seed", 1);
        try (Handshakes handshakes = new Handshakes(kind, seed)) {
            handshakes.run(SOME);
            assertThat(handshakes.whole()).as("seed %s", seed).isEqualTo(SOME / 2);
        }
        assertThat(Ledger.takeOpen()).as("seed %s", seed).isEmpty();
        assertThat(Ssl.open()).as("seed %s", seed).isZero();
        assertThat(SslCtx.open()).as("seed %s", seed).isLessThanOrEqualTo(contexts);
    }
}
