package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A process passes its listening sockets to its successor while clients ask. The number of
/// restarts is `io.weft.restarts`, 2 unless set.
@Tag("process")
@EnabledOnOs(OS.LINUX)
@Timeout(value = 20, unit = TimeUnit.MINUTES)
class ScaleOutTest {
    private static final int RESTARTS = Integer.getInteger("io.weft.restarts", 2);

    @TempDir Path directory;

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll"})
    void successorTakesOverWithoutALostRequest(String transport) throws Exception {
        // Skips the test where the engine does not work.
        Served.start(HelloHttp::start, transport).close();
        String[] arguments = {
            "--takeover",
            directory.resolve("takeover").toString(),
            "--port",
            "0",
            "--loops",
            "2",
            "--transport",
            transport
        };
        List<Scaled> processes = new ArrayList<>();
        processes.add(Scaled.start(arguments));
        try (ScaledLoad load = new ScaledLoad(processes.getFirst().port(), 4)) {
            for (int i = 0; i < RESTARTS; i++) {
                load.awaitAnswers(50);
                Scaled before = processes.getLast();
                processes.add(Scaled.start(arguments));
                assertThat(processes.getLast().port()).isEqualTo(before.port());
                before.ended();
                load.awaitAnswers(50);
                assertThat(load.lost).isEmpty();
            }
            assertThat(load.ends.get()).isPositive();
        } finally {
            processes.forEach(Scaled::close);
        }
    }

    @Test
    void transportWithoutDescriptorsCannotTakeOver() {
        Options options = new Options(InetAddress.getLoopbackAddress(), 0, "nio", 1);
        Extras extras = ScaleOut.extras("--takeover", directory.resolve("takeover").toString());
        assertThatThrownBy(() -> ScaleOut.start(options, extras, () -> {}))
                .hasMessageContaining("--takeover");
    }
}
