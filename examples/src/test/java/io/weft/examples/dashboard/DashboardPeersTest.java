package io.weft.examples.dashboard;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Chromium;
import io.weft.examples.Served;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The page in a headless Chromium.
@Tag("peers")
@EnabledIfSystemProperty(named = "peers", matches = "true")
class DashboardPeersTest {
    private static final String LINES = "[...document.querySelectorAll('polyline')]";

    @TempDir Path directory;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Served dashboard(boolean tls) {
        return Served.start(
                o -> Dashboard.start(tls ? o.withTls() : o, Duration.ofMillis(20)), "nio");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void chartsFollowTheServer(String scheme) throws Exception {
        try (Served served = dashboard(scheme.equals("https"));
                Chromium browser = Chromium.start(directory)) {
            Chromium.Page page =
                    browser.open(scheme + "://127.0.0.1:" + served.address().getPort() + "/");
            String everyLine =
                    LINES
                            + ".length && "
                            + LINES
                            + ".every(line => line.getAttribute('points').split(' ').length > 2)";
            String charts =
                    "[...document.querySelectorAll('figure')].map(f => f.id + '='"
                            + " + f.querySelectorAll('polyline').length).join(' ')";
            assertThat(page.evaluateWhen(everyLine, charts))
                    .isEqualTo("requests=2 time=2 connections=1 busy=2 lag=2 tasks=2 memory=2");

            assertThat(page.evaluate("document.getElementById('load').click(), 'clicked'"))
                    .isEqualTo("clicked");
            // Those of the button, the page and its script.
            assertThat(
                            page.evaluateWhen(
                                    "before.requests >= 1002",
                                    "document.querySelector('#connections output').textContent"))
                    .matches("open [1-9]\\d*");
            assertThat(
                            page.evaluateWhen(
                                    "Math.max(...charts.requests.line('all').values) > 0",
                                    "'' + charts.requests.line('failed').values.some(v => v)"))
                    .isEqualTo("false");
        }
    }
}
