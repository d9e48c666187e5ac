package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/// Events of JFR: those that the modules emit, those that the settings take and those that the
/// guide explains are the same.
class EventsTest {
    private static Set<String> emitted() {
        Pattern name = Pattern.compile("(?m)^ *@Name\\(\"(io\\.weft\\.\\w+)\"\\)");
        return House.files(".java").stream()
                .filter(file -> file.toString().replace('\\', '/').contains("/src/main/"))
                .flatMap(file -> name.matcher(House.text(file.toString())).results())
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    private static Set<String> found(String file, String regex) {
        return Pattern.compile(regex)
                .matcher(House.text(file.toString()))
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void settingsTakeEveryEvent() {
        String settings = "observe/jfr/src/main/resources/io/weft/observe/jfr/weft.jfc";
        assertThat(found(settings, "<event name=\"([^\"]+)\">"))
                .contains("io.weft.LoopHeld")
                .isEqualTo(emitted());
    }

    @Test
    void theGuideExplainsEveryEvent() {
        String guide = "docs/guide/observability.md";
        assertThat(found(guide, "`(io\\.weft\\.[A-Z]\\w+)`")).isEqualTo(emitted());
    }
}
