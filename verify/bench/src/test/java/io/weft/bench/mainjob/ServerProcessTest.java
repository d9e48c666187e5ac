package io.weft.bench.mainjob;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ServerProcessTest {
    @Test
    void addsUserAndKernelTimeWhateverTheProcessIsCalled() {
        String stat = "42 (a ) b) S 1 2 3 4 5 6 7 8 9 10 150 25 0 0 20 0 1 0 0\n";
        assertThat(ServerProcess.cpuSeconds(stat)).isEqualTo(1.75);
    }

    @Test
    @Tag("peer")
    void aServerThatEndsInsteadOfListeningIsReportedWithItsLastLine()
            throws IOException, InterruptedException {
        assumeTrue(Command.exists("taskset"), "needs taskset");
        Command onCore0 = Command.run(List.of("taskset", "-c", "0", "true"));
        assumeTrue(onCore0.exitCode() == 0, onCore0::output);
        Side side = new Side("broken", Side.Role.PEER, List.of("sh", "-c", "echo no port left"));
        assertThatThrownBy(() -> ServerProcess.start(side))
                .isInstanceOf(IOException.class)
                .hasMessage("broken did not start: no port left");
    }
}
