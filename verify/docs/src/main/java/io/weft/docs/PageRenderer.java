package io.weft.docs;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.Heading;
import org.commonmark.node.Image;
import org.commonmark.node.Link;
import org.commonmark.node.Node;
import org.commonmark.renderer.html.AttributeProvider;
import org.commonmark.renderer.html.HtmlRenderer;

/// Renders one document: its headings get anchors, and its links lead to pages of the site.
final class PageRenderer implements AttributeProvider {
    /// Programs that are shown in two libraries, one below the other.
    private static final Pattern PAIR =
            Pattern.compile(
                    "(<p><strong>Netty</strong></p>\\s*<pre>.*?</pre>)\\s*"
                            + "(<p><strong>Weft</strong></p>\\s*<pre>.*?</pre>)",
                    Pattern.DOTALL);

    private static final Pattern TABLE = Pattern.compile("<table>.*?</table>", Pattern.DOTALL);

    private final SitePage page;
    private final Function<Path, String> places;

    /// @param places finds the place in the site of a file of the project, null if it has none
    PageRenderer(SitePage page, Function<Path, String> places) {
        this.page = page;
        this.places = places;
    }

    String html() {
        HtmlRenderer renderer =
                HtmlRenderer.builder()
                        .extensions(List.of(TablesExtension.create()))
                        .attributeProviderFactory(_ -> this)
                        .build();
        String html = renderer.render(page.document());
        html =
                PAIR.matcher(html)
                        .replaceAll("<div class=\"pair\"><div>$1</div><div>$2</div></div>");
        return TABLE.matcher(html).replaceAll("<div class=\"table\">$0</div>");
    }

    @Override
    public void setAttributes(Node node, String tag, Map<String, String> attributes) {
        if (node instanceof Heading heading) {
            attributes.put("id", SitePage.anchor(SitePage.text(heading)));
        }
        if (node instanceof Image image) {
            attributes.put("src", Objects.requireNonNull(link(image.getDestination())));
        }
        if (node instanceof Link link) {
            String target = link(link.getDestination());
            if (target == null) {
                attributes.remove("href"); // a directory, or a file outside of the project
            } else {
                attributes.put("href", target);
            }
        }
    }

    private String link(String destination) {
        if (destination.matches("[a-z]+:.*") || destination.startsWith("#")) {
            return destination;
        }
        int hash = destination.indexOf('#');
        String path = hash < 0 ? destination : destination.substring(0, hash);
        String place = places.apply(page.source().resolveSibling(path).normalize());
        if (place == null) {
            return null;
        }
        return "../".repeat(page.depth()) + place + (hash < 0 ? "" : destination.substring(hash));
    }
}
