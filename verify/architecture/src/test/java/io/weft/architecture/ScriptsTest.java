package io.weft.architecture;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.DisabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// The scripts that readers start first.
class ScriptsTest {
    @Test
    @DisabledOnOs(value = OS.WINDOWS, disabledReason = "the script is for sh")
    void benchListsItsGroups() throws Exception {
        Process list =
                new ProcessBuilder(House.ROOT.resolve("bench.sh").toString(), "list")
                        .redirectErrorStream(true)
                        .start();
        String said = new String(list.getInputStream().readAllBytes(), UTF_8);
        assertThat(list.waitFor()).as(said).isZero();
        assertThat(said).contains("main-job", "codecs", "dns", "protocols");
    }
}
