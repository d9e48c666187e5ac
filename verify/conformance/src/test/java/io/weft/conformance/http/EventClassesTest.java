package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Child;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/// The first use of an event class of JFR takes up to half a second of a start. A server that
/// nobody records uses none.
@Timeout(120)
class EventClassesTest {
    @Test
    void aServerThatIsNotRecordedUsesNoEventClass(@TempDir Path directory) throws Exception {
        Path log = directory.resolve("init.log");
        String flag = "-Xlog:class+init=info:file=" + log;
        try (Child server = new Child(HttpIdleChild.class, "nio", 0, flag);
                Socket client = new Socket(server.address.getAddress(), server.address.getPort())) {
            client.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"
                                    .getBytes(US_ASCII));
            assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("hello");
        }
        List<String> initialized =
                Files.readAllLines(log).stream()
                        .filter(line -> line.contains("Initializing 'io/weft/"))
                        .toList();
        assertThat(initialized).isNotEmpty();
        assertThat(initialized).noneMatch(line -> line.matches(".*\\wEvent'.*"));
    }
}
