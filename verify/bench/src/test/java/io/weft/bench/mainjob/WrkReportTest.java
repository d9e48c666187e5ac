package io.weft.bench.mainjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import org.junit.jupiter.api.Test;

class WrkReportTest {
    @Test
    void readsTheLineOfTheScriptAmongTheOutputOfWrk() throws IOException {
        String output =
                """
                Requests/sec: 188000.10
                weft-wrk requests=500000 micros=2500000 p99=613 connect=0 read=2 write=0 status=1 timeout=0
                """;
        WrkReport report = WrkReport.parse(output);
        assertThat(report).isEqualTo(new WrkReport(500_000, 2.5, 613, 3));
        assertThat(report.requestsPerSecond()).isEqualTo(200_000);
    }

    @Test
    void failsWithTheOutputWhenWrkDidNotReport() {
        assertThatThrownBy(() -> WrkReport.parse("unable to connect to 127.0.0.1:1"))
                .isInstanceOf(IOException.class)
                .hasMessageContaining("unable to connect");
    }
}
