package io.weft.simulation;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.simulation.UdtTransfer.Path;
import io.weft.simulation.UdtTransfer.Result;
import java.time.Duration;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The short form of `dev/simulate-udt.sh`, which moves a gibibyte.
class UdtTransferTest {
    private static final long SEED = Long.getLong("io.weft.test.seed", 1);

    @ParameterizedTest
    @CsvSource({"0, 0, 0", "0, 10, 12500000", "0.01, 10, 12500000", "0.05, 50, 12500000"})
    void everyByteArrives(double loss, long delay, long rate) {
        Path path = new Path(loss, Duration.ofMillis(delay), rate);
        Result result = UdtTransfer.run(SEED, path, 4 << 20);
        assertThat(result.bytes()).isEqualTo(4 << 20);
        assertThat(result.wrong()).isZero();
    }
}
