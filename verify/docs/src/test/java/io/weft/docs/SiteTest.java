package io.weft.docs;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The site as `dev/site.sh` renders it, without the API's documentation.
class SiteTest {
    private static final Pattern LINK = Pattern.compile("(?:href|src)=\"([^\"#]*)(?:#([^\"]+))?\"");

    @TempDir static Path site;

    @BeforeAll
    static void render() throws IOException {
        new Site(Docs.ROOT, site, false).write();
    }

    /// Without those that are copied as they are.
    private static List<Path> pages() throws IOException {
        try (Stream<Path> files = Files.walk(site)) {
            return files.filter(file -> file.toString().endsWith(".html"))
                    .filter(file -> !file.startsWith(site.resolve("files")))
                    .toList();
        }
    }

    @Test
    void everyLinkLeadsToAFileAndAHeadingOfTheSite() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : pages()) {
            Matcher link = LINK.matcher(Files.readString(page));
            while (link.find()) {
                if (link.group(1).matches("[a-z]+:.*")) {
                    continue;
                }
                links++;
                Path target =
                        link.group(1).isEmpty()
                                ? page
                                : page.resolveSibling(link.group(1)).normalize();
                String anchor = link.group(2);
                if (!Files.exists(target)
                        || !target.startsWith(site)
                        || (anchor != null
                                && !Files.readString(target).contains("id=\"" + anchor + "\""))) {
                    broken.add(site.relativize(page) + ": " + link.group());
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isGreaterThan(1000);
    }

    @Test
    void frontPageShowsThePictureOfTheBenchmarks() throws IOException {
        assertThat(Files.readString(site.resolve("index.html")))
                .contains("<img src=\"files/docs/benchmarks/summary.svg\"")
                .contains("href=\"files/docs/benchmarks/index.html\"");
    }

    @Test
    void frontPageListsTheGuides() throws IOException {
        assertThat(Files.readString(site.resolve("index.html")))
                .contains("<details open><summary>Guides</summary>")
                .doesNotContain("<details open><summary>Project");
        assertThat(Files.readString(site.resolve("limits.html")))
                .contains("<details open><summary>Reference</summary>", "href=\"#pages\"");
    }

    @Test
    void everyDocumentIsAPage() throws IOException {
        long documents;
        try (Stream<Path> files = Files.walk(Docs.ROOT.resolve("docs"))) {
            documents = files.filter(file -> file.toString().endsWith(".md")).count();
        }
        assertThat(pages()).hasSize((int) documents + 5);
        assertThat(site.resolve("index.html")).content().contains("<title>Weft - Weft</title>");
    }

    @Test
    void everyTaskHasAGuide() {
        for (String guide :
                List.of(
                        "getting-started",
                        "protocol",
                        "tls",
                        "http",
                        "datagrams",
                        "test-your-protocol",
                        "tuning",
                        "containers",
                        "leaks",
                        "security",
                        "coming-from-netty",
                        "netty-examples")) {
            assertThat(site.resolve("guide/" + guide + ".html")).exists();
        }
    }

    @Test
    void everyGuideIsInTheReadme() throws IOException {
        String readme = Files.readString(Docs.ROOT.resolve("README.md"));
        for (Path document : Docs.all()) {
            if (document.getParent().endsWith("guide")) {
                assertThat(readme).contains("(docs/guide/" + document.getFileName() + ")");
            }
        }
    }

    @Test
    void sectionsAreInTheIndexOfTheSearch() throws IOException {
        assertThat(Files.readString(site.resolve("search-index.js")))
                .startsWith("const INDEX = [")
                .contains("\"u\":\"guide/tls.html#https-in-one-call\"")
                .contains("SniHandler chooses the context")
                .contains("engine what moves the bytes") // cells of a table
                .doesNotContain("import io.weft.http")
                .doesNotContain("</");
    }

    @Test
    void programsOfBothLibrariesStandSideBySide() throws IOException {
        String page = Files.readString(site.resolve("guide/netty-examples.html"));
        assertThat(page.split("<div class=\"pair\">", -1)).hasSize(11);
    }
}
