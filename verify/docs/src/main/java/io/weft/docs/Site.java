package io.weft.docs;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;

/// Renders the project's documents into a static site: pages with a navigation and a search that
/// run in the browser alone, also from a directory.
///
/// `dev/site.sh` runs it, and puts the API's documentation beside it.
public final class Site {
    private static final List<String> FILES = List.of("site.css", "site.js");

    private final Path root;
    private final Path target;
    private final boolean api;
    private final Map<Path, SitePage> pages;

    /// @param root the project's directory
    /// @param target directory that is written
    /// @param api whether pages link to the API's documentation in `api`
    public Site(Path root, Path target, boolean api) {
        this.root = root.toAbsolutePath().normalize();
        this.target = target;
        this.api = api;
        this.pages = Navigation.pages(this.root);
    }

    /// Renders a site.
    ///
    /// @param arguments the project's directory, that of the site, and `--api` if the site has the
    ///     API's documentation
    public static void main(String... arguments) throws IOException {
        boolean api = List.of(arguments).contains("--api");
        Site site = new Site(Path.of(arguments[0]), Path.of(arguments[1]), api);
        site.write();
        System.out.println(site.pages.size() + " pages in " + arguments[1]);
    }

    /// Writes all pages, what they link to, and the index of the search.
    public void write() throws IOException {
        Files.createDirectories(target);
        SearchIndex index = new SearchIndex();
        for (SitePage page : pages.values()) {
            PageRenderer renderer = new PageRenderer(page, this::place);
            String body = renderer.html();
            index.add(page);
            Path file = target.resolve(page.place());
            Files.createDirectories(file.getParent());
            Files.writeString(file, html(page, body));
        }
        Files.writeString(target.resolve("search-index.js"), index.script());
        for (String name : FILES) {
            Files.writeString(target.resolve(name), resource(name));
        }
    }

    /// Finds the place in the site of a file of the project; one that is no page is copied.
    ///
    /// @return relative to the site; null if the file is not for the site
    private String place(Path file) {
        SitePage page = pages.get(file);
        if (page != null) {
            return page.place();
        }
        if (!Files.isRegularFile(file) || !file.startsWith(root)) {
            return null;
        }
        String place = "files/" + root.relativize(file).toString().replace('\\', '/');
        if (!place.endsWith(".svg") && !place.endsWith(".html")) {
            place += ".txt"; // so that browsers show it
        }
        try {
            Path copy = target.resolve(place);
            Files.createDirectories(copy.getParent());
            Files.copy(file, copy, StandardCopyOption.REPLACE_EXISTING);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return place;
    }

    private String html(SitePage page, String body) {
        String up = "../".repeat(page.depth());
        return resource("page.html")
                .replace("{title}", Html.escaped(page.title()))
                .replace("{navigation}", Navigation.html(pages.values(), page, api))
                .replace("{contents}", contents(page))
                .replace("{up}", up)
                .replace("{body}", body);
    }

    /// The headings of a page, for its margin.
    private static String contents(SitePage page) {
        List<String> items = new ArrayList<>();
        for (SitePage.Section section : page.sections()) {
            if (section.level() == 2) {
                items.add(
                        "<li><a href=\"#"
                                + section.anchor()
                                + "\">"
                                + Html.escaped(section.heading())
                                + "</a></li>");
            }
        }
        return String.join("\n", items);
    }

    private static String resource(String name) {
        try (InputStream in = Site.class.getResourceAsStream(name)) {
            byte[] bytes = Objects.requireNonNull(in, name).readAllBytes();
            return new String(bytes, StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
