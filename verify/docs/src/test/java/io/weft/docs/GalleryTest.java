package io.weft.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/// The examples that `run-example.sh` lists, and what documents say of them. That each has help, and
/// runs, is tested beside them.
class GalleryTest {
    /// Examples of Netty, by the names of their packages.
    private static final List<String> NETTY =
            List.of(
                    ("discard echo factorial file haproxy hello snoop upload cors websocketx http2"
                                    + " tiles ipfilter localecho memcache mqtt objectecho ocsp"
                                    + " portunification proxy qotm redis sctp securechat"
                                    + " socksproxy spdy stomp telnet uptime worldclock udp tcp dot")
                            .split(" "));

    private static Set<String> listed() throws IOException {
        String script = Files.readString(Docs.ROOT.resolve("run-example.sh"));
        return Pattern.compile("(?m)^(?:examples=')?([a-z0-9-]+)\\|[\\w.]+\\|[^|]+\\|\\d*'?$")
                .matcher(script)
                .results()
                .map(found -> found.group(1))
                .collect(Collectors.toSet());
    }

    @Test
    void examplesThatDocumentsStartAreListed() throws IOException {
        Set<String> listed = listed();
        assertThat(listed).hasSizeGreaterThan(45).contains("hello-http", "reverse-proxy");
        Pattern start = Pattern.compile("run-example\\.sh ([a-z][a-z0-9-]+)");
        List<String> unknown = new ArrayList<>();
        List<Path> documents = new ArrayList<>(Docs.all());
        documents.add(Docs.ROOT.resolve("README.md"));
        for (Path document : documents) {
            start.matcher(Files.readString(document))
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> !listed.contains(name))
                    .forEach(name -> unknown.add(document.getFileName() + ": " + name));
        }
        assertThat(unknown).isEmpty();
    }

    @Test
    void everyExampleOfNettyHasItsPlaceInTheGuide() throws IOException {
        String guide = Files.readString(Docs.ROOT.resolve("docs/guide/coming-from-netty.md"));
        String table = guide.substring(guide.indexOf("\n## Examples"));
        table = table.substring(0, table.indexOf("\n## ", 5));
        List<String[]> rows =
                table.lines()
                        .filter(line -> line.startsWith("| ") && !line.startsWith("| Netty's"))
                        .map(line -> line.split("\\|"))
                        .toList();
        Set<String> theirs =
                rows.stream()
                        .flatMap(row -> Stream.of(row[1].split("[^a-z0-9]+")))
                        .collect(Collectors.toSet());
        assertThat(theirs).containsAll(NETTY);
        Set<String> listed = listed();
        for (String[] row : rows) {
            Pattern.compile("`([a-z][a-z0-9-]+)`")
                    .matcher(row[2])
                    .results()
                    .map(found -> found.group(1))
                    .filter(name -> !name.equals("udt"))
                    .forEach(name -> assertThat(listed).contains(name));
        }
    }
}
