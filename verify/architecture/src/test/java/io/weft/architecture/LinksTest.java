package io.weft.architecture;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/// Links between documents lead somewhere.
class LinksTest {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s#]*)(?:#([^)\\s]+))?\\)");
    private static final Pattern HEADING = Pattern.compile("^#+ +(.+)$", Pattern.MULTILINE);

    @Test
    void relativeLinksResolve() throws IOException {
        List<String> broken = new ArrayList<>();
        int links = 0;
        for (Path page : House.files(".md")) {
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
                boolean found =
                        Files.exists(target)
                                && target.startsWith(House.ROOT)
                                && (link.group(2) == null
                                        || anchors(target).contains(link.group(2)));
                if (!found) {
                    broken.add(House.ROOT.relativize(page) + ": " + link.group());
                }
            }
        }
        assertThat(broken).isEmpty();
        assertThat(links).isPositive();
    }

    /// Headings as they are linked to: lower case, without punctuation, with hyphens for spaces.
    private static List<String> anchors(Path page) throws IOException {
        return HEADING.matcher(Files.readString(page))
                .results()
                .map(heading -> heading.group(1).strip().toLowerCase(Locale.ROOT))
                .map(text -> text.replaceAll("[^\\p{L}\\p{N} _-]", "").replace(' ', '-'))
                .toList();
    }
}
