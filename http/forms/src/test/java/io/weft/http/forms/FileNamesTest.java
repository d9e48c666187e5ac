package io.weft.http.forms;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

class FileNamesTest {
    static Stream<String[]> names() {
        return Stream.of(
                new String[] {"a.txt", "a.txt"},
                new String[] {"日本 .txt", "日本 .txt"},
                new String[] {"", "unnamed"},
                new String[] {".", "unnamed"},
                new String[] {"..", "unnamed"},
                new String[] {"../../etc/passwd", "passwd"},
                new String[] {"..\\..\\boot.ini", "boot.ini"},
                new String[] {"/etc/", "unnamed"},
                new String[] {"C:\\dir\\a.txt", "a.txt"},
                new String[] {"C:a.txt", "a.txt"},
                new String[] {"a.txt:stream", "a.txt_stream"},
                new String[] {".htaccess", "htaccess"},
                new String[] {"...a", "a"},
                new String[] {"a.php.", "a.php"},
                new String[] {"a. . ", "a"},
                new String[] {"a\0.txt", "a_.txt"},
                new String[] {"a\r\nb", "a_b".replace("_", "__")},
                new String[] {"a\u202etxt.exe", "a_txt.exe"},
                new String[] {"a\ufeffb", "a_b"},
                new String[] {"a\ud800b", "a_b"},
                new String[] {"<a>|*?\"", "_a_____"},
                new String[] {"con", "_con"},
                new String[] {"NUL.txt", "_NUL.txt"},
                new String[] {"com1 .txt", "_com1 .txt"},
                new String[] {"console", "console"});
    }

    @ParameterizedTest
    @MethodSource("names")
    void namesLeadNowhereElse(String name, String safe) {
        assertThat(FileNames.safe(name)).isEqualTo(safe);
    }

    @Test
    void longNamesAreCutAndKeepTheirExtension() {
        String safe = FileNames.safe("ä".repeat(300) + ".jpeg");
        assertThat(safe).endsWith("ä.jpeg");
        assertThat(safe.getBytes(UTF_8).length).isBetween(250, 255);
        assertThat(FileNames.safe("x".repeat(300))).hasSize(255);
    }
}
