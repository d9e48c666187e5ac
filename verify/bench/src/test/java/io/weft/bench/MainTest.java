package io.weft.bench;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.List;
import org.junit.jupiter.api.Test;

class MainTest {
    @Test
    void addsForkFlagsBehindTheUsersOptions() {
        assertThat(Main.withForkFlags(List.of("Memory", "-f", "1")))
                .startsWith("Memory", "-f", "1", "-jvmArgsAppend")
                .last()
                .asString()
                .contains("--enable-native-access=ALL-UNNAMED");
    }

    @Test
    void leavesTheUsersOwnForkFlagsAlone() {
        List<String> args = List.of("-jvmArgsAppend", "-Xmx2g");
        assertThat(Main.withForkFlags(args)).isEqualTo(args);
    }
}
