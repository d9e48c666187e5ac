package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;

/// The public API of each module is what its `api.txt` says, so that a review sees what changes.
/// `dev/api.sh` writes the files.
class PublicApiTest {
    static final List<Room> ROOMS =
            House.ROOMS.stream()
                    .filter(room -> !room.directory().equals("examples"))
                    .filter(
                            room ->
                                    room.descriptor().exports().stream()
                                            .anyMatch(e -> !e.isQualified()))
                    .toList();

    private static final boolean WRITES = Boolean.getBoolean("io.weft.api.write");

    @ParameterizedTest
    @FieldSource("ROOMS")
    void publicApiIsTheRecordedOne(Room room) throws IOException {
        List<String> lines = PublicApi.of(room);
        Path file = room.path().resolve("api.txt");
        if (WRITES) {
            Files.writeString(file, String.join("\n", lines) + "\n");
        }
        assertThat(file).as("dev/api.sh writes it").exists();
        Set<String> recorded = new TreeSet<>(Files.readAllLines(file));
        Set<String> gone = new TreeSet<>(recorded);
        lines.forEach(gone::remove);
        Set<String> fresh = new TreeSet<>(lines);
        fresh.removeAll(recorded);
        assertThat(gone).as("gone or changed; if that is meant, dev/api.sh records it").isEmpty();
        assertThat(fresh).as("new; dev/api.sh records it").isEmpty();
    }

    @Test
    void linesTellWhatCompiledCodeRefersTo() {
        Room model =
                ROOMS.stream()
                        .filter(room -> room.directory().equals("http/model"))
                        .findAny()
                        .orElseThrow();
        assertThat(PublicApi.of(model))
                .contains(
                        "io.weft.http.model.Request : final class",
                        "io.weft.http.model.Request.method() : io.weft.http.model.Method",
                        "io.weft.http.model.Request.of(io.weft.http.model.Method,"
                                + " io.weft.http.model.RequestTarget) : static"
                                + " io.weft.http.model.Request")
                .noneMatch(line -> line.startsWith("io.weft.http.model.LineWriter"));
    }
}
