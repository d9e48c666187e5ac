package io.weft.bench.mainjob;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class LoadGeneratorTest {
    @TempDir Path programs;

    @Test
    void putsLoadByWrkAloneWhereSaturateIsNotCompiled() throws IOException {
        assertThat(new LoadGenerator(null).loads()).noneMatch(Load::saturates);
        assertThat(new LoadGenerator(programs).loads())
                .containsExactly(Load.PLAIN, Load.PIPELINED, Load.NEW_CONNECTION);
    }

    @Test
    void putsEveryLoadWhereSaturateIsCompiled() throws IOException {
        assertThat(Files.createFile(programs.resolve("saturate")).toFile().setExecutable(true))
                .isTrue();
        assertThat(new LoadGenerator(programs).loads()).containsExactly(Load.values());
    }
}
