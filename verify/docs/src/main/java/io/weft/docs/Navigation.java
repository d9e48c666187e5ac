package io.weft.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The order of the site's pages. A document below `docs` that is not named comes last in its
/// group.
final class Navigation {
    private static final String GUIDES = "Guides";
    private static final String REFERENCE = "Reference";
    private static final String PROJECT = "Project";
    private static final String DECISIONS = "Decisions";

    /// Guides in the order in which a beginner reads them.
    private static final List<String> FIRST_GUIDES =
            List.of(
                    "getting-started",
                    "use-it",
                    "http",
                    "protocol",
                    "tls",
                    "test-your-protocol",
                    "tuning",
                    "containers",
                    "startup",
                    "native-image",
                    "leaks",
                    "security",
                    "observability",
                    "logging",
                    "coming-from-netty",
                    "netty-examples");

    private static final List<String> PROJECT_PAGES =
            List.of("README", "ARCHITECTURE", "CHANGELOG", "CONTRIBUTING", "SECURITY");

    private Navigation() {}

    /// All pages by their files, in their order.
    static Map<Path, SitePage> pages(Path root) {
        Map<Path, SitePage> pages = new LinkedHashMap<>();
        Path guides = root.resolve("docs/guide");
        FIRST_GUIDES.forEach(name -> add(pages, guides.resolve(name + ".md"), "guide/", GUIDES));
        documents(guides).forEach(file -> add(pages, file, "guide/", GUIDES));
        documents(root.resolve("docs")).forEach(file -> add(pages, file, "", REFERENCE));
        PROJECT_PAGES.forEach(name -> add(pages, root.resolve(name + ".md"), "", PROJECT));
        documents(root.resolve("docs/design"))
                .forEach(file -> add(pages, file, "design/", DECISIONS));
        return pages;
    }

    private static List<Path> documents(Path directory) {
        try (Stream<Path> files = Files.list(directory)) {
            return files.filter(file -> file.toString().endsWith(".md")).sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void add(Map<Path, SitePage> pages, Path file, String below, String group) {
        if (!Files.exists(file) || pages.containsKey(file)) {
            return;
        }
        String name = file.getFileName().toString().replaceFirst("\\.md$", "");
        String place = below + (name.equals("README") ? "index" : name) + ".html";
        pages.put(file, SitePage.read(file, place, group));
    }

    /// The navigation of a page.
    static String html(Collection<SitePage> pages, SitePage current, boolean api) {
        String up = "../".repeat(current.depth());
        boolean front = current.place().equals("index.html");
        StringBuilder html = new StringBuilder();
        if (api) {
            html.append("<p><a href=\"").append(up).append("api/index.html\">API</a></p>\n");
        }
        for (String group : List.of(GUIDES, REFERENCE, PROJECT, DECISIONS)) {
            // The front page is for those who come to begin.
            boolean open = group.equals(front ? GUIDES : current.group());
            html.append("<details").append(open ? " open" : "");
            html.append("><summary>").append(group).append("</summary><ul>\n");
            for (SitePage page : pages) {
                if (page.group().equals(group)) {
                    html.append("<li><a href=\"").append(up).append(page.place()).append('"');
                    html.append(page == current ? " aria-current=\"page\"" : "").append('>');
                    html.append(Html.escaped(page.title())).append("</a></li>\n");
                }
            }
            html.append("</ul></details>\n");
        }
        return html.toString();
    }
}
