package io.weft.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The programs of the guides.
class GuideTest {
    @Test
    void programsOfTheGuidesCompile(@TempDir Path directory) throws IOException {
        List<Program> left = new ArrayList<>();
        for (Path guide : Docs.guides()) {
            left.addAll(Program.of(guide));
        }
        assertThat(left).hasSizeGreaterThan(30);
        for (int round = 0; !left.isEmpty(); round++) {
            // Those of one name are compiled one after the other.
            Map<String, Program> together = new LinkedHashMap<>();
            left.forEach(program -> together.putIfAbsent(program.name(), program));
            left.removeAll(together.values());
            Path classes = Files.createDirectory(directory.resolve("round" + round));
            assertThat(Program.compile(together.values(), classes)).isEmpty();
        }
    }
}
