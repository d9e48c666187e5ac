package io.weft.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The tables for programmers who come from Netty: they name types that there are, and the site's
/// search finds them by Netty's names.
class MigrationTableTest {
    /// Of the JDK.
    private static final Set<String> JDK =
            Set.of(
                    "ClassCastException",
                    "ByteBuffer",
                    "InetSocketAddress",
                    "UnixDomainSocketAddress",
                    "System",
                    "Logger");

    @TempDir static Path site;

    /// The types and members in the right column of the first two tables.
    private static Stream<String> named() throws IOException {
        String page = Files.readString(Docs.ROOT.resolve("docs/guide/coming-from-netty.md"));
        String tables = page.substring(page.indexOf("## Types"), page.indexOf("## Idioms"));
        return tables.lines()
                .filter(line -> line.startsWith("|"))
                .map(line -> line.split("(?<!\\\\)\\|", -1)[2])
                .flatMap(cell -> Pattern.compile("`([^`]+)`").matcher(cell).results())
                .flatMap(
                        code ->
                                Pattern.compile("\\b[A-Z][a-z]\\w+")
                                        .matcher(code.group(1))
                                        .results())
                .map(word -> word.group());
    }

    private static String api() throws IOException {
        try (Stream<Path> files = Files.walk(Docs.ROOT, 3)) {
            return files.filter(file -> file.endsWith("api.txt"))
                    .map(MigrationTableTest::read)
                    .collect(Collectors.joining());
        }
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Test
    void theTypesInTheTablesArePublic() throws IOException {
        String api = api();
        List<String> names = named().filter(n -> !JDK.contains(n)).distinct().toList();
        assertThat(names).hasSizeGreaterThan(60);
        assertThat(names)
                .filteredOn(
                        name ->
                                !Pattern.compile(
                                                "(?m)^io\\.weft\\.[\\w.]+\\." + name + "(<.*>)? : ")
                                        .matcher(api)
                                        .find())
                .isEmpty();
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "ByteBuf",
                "ChannelHandler",
                "ChannelFuture",
                "ChannelPromise",
                "EventLoopGroup",
                "NioEventLoopGroup",
                "IdleStateHandler",
                "SslContext",
                "SelfSignedCertificate",
                "HttpObjectAggregator",
                "FullHttpRequest",
                "CorsHandler",
                "QueryStringDecoder",
                "FixedLengthFrameDecoder",
                "TextWebSocketFrame",
                "RedisDecoder",
            })
    void theSearchFindsNamesOfNetty(String name) throws IOException {
        if (!Files.exists(site.resolve("search-index.js"))) {
            new Site(Docs.ROOT, site, false).write();
        }
        assertThat(Files.readAllLines(site.resolve("search-index.js")))
                .filteredOn(line -> line.contains("guide/coming-from-netty"))
                .anyMatch(line -> line.contains(name));
    }
}
