package io.weft.docs;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// The site in a browser, from its directory.
@EnabledIfSystemProperty(named = "peers", matches = "true")
@Timeout(value = 15, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class SitePeersTest {
    @TempDir Path directory;

    private static boolean isThere(String program) {
        return Stream.of(System.getenv("PATH").split(java.io.File.pathSeparator))
                .anyMatch(folder -> Files.isExecutable(Path.of(folder, program)));
    }

    /// The document that a browser makes of a page, when its scripts have run.
    private String browse(String page) throws IOException, InterruptedException {
        return browse(page, "1280,900");
    }

    private String browse(String page, String size) throws IOException, InterruptedException {
        String browser =
                Stream.of("chromium", "chromium-browser", "google-chrome")
                        .filter(SitePeersTest::isThere)
                        .findFirst()
                        .orElse("");
        assumeTrue(
                !browser.isEmpty(),
                "chromium is not on the PATH (dev/install-peers.sh installs it)");
        Path dom = directory.resolve("dom");
        Process process =
                new ProcessBuilder(
                                browser,
                                "--headless",
                                "--no-sandbox",
                                "--disable-gpu",
                                "--disable-dev-shm-usage",
                                "--user-data-dir=" + directory.resolve("profile"),
                                "--window-size=" + size,
                                "--timeout=240000",
                                "--virtual-time-budget=10000",
                                "--dump-dom",
                                directory.resolve("site").toUri() + page)
                        .redirectOutput(dom.toFile())
                        .redirectError(directory.resolve("errors").toFile())
                        .start();
        try {
            assertThat(process.waitFor(5, TimeUnit.MINUTES)).as("chromium ends").isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly().waitFor();
        }
        return Files.readString(dom, UTF_8);
    }

    @Test
    void searchFindsTheSectionOfAGuide() throws Exception {
        new Site(Docs.ROOT, directory.resolve("site"), false).write();
        String page = browse("guide/getting-started.html?q=sniffing%20nowhere");
        assertThat(page).contains("<title>Getting started - Weft</title>", "Nothing found");
        page = browse("index.html?q=seccomp");
        assertThat(page)
                .contains("<title>Weft - Weft</title>")
                .contains("href=\"guide/containers.html#io_uring\"");
    }

    @Test
    void narrowWindowShowsTheTextFirstAndScrollsDownOnly() throws Exception {
        new Site(Docs.ROOT, directory.resolve("site"), false).write();
        for (String name : List.of("index.html", "limits.html", "guide/coming-from-netty.html")) {
            Path page = directory.resolve("site").resolve(name);
            String measure =
                    """
                    <script>
                    const head = Math.round(document.querySelector("h1").getBoundingClientRect().top);
                    const beyond = document.documentElement.scrollWidth - innerWidth;
                    document.title = "heading " + (head < 200) + ", beyond " + (beyond > 0);
                    </script></body>""";
            Files.writeString(page, Files.readString(page).replace("</body>", measure));
            assertThat(browse(name, "500,900"))
                    .as(name)
                    .contains("<title>heading true, beyond false</title>");
        }
    }
}
