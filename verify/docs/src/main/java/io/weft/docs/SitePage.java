package io.weft.docs;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.regex.Pattern;
import org.commonmark.ext.gfm.tables.TableCell;
import org.commonmark.ext.gfm.tables.TablesExtension;
import org.commonmark.node.AbstractVisitor;
import org.commonmark.node.Code;
import org.commonmark.node.CustomNode;
import org.commonmark.node.FencedCodeBlock;
import org.commonmark.node.Heading;
import org.commonmark.node.IndentedCodeBlock;
import org.commonmark.node.Node;
import org.commonmark.node.Paragraph;
import org.commonmark.node.SoftLineBreak;
import org.commonmark.node.Text;
import org.commonmark.parser.Parser;

/// A document of the site.
///
/// @param source its file in the project
/// @param place its file in the site, relative
/// @param group heading of the navigation that it stands under
/// @param title its first heading
/// @param document as it was parsed
/// @param sections its headings with the text below each
record SitePage(
        Path source,
        String place,
        String group,
        String title,
        Node document,
        List<Section> sections) {

    /// A heading and the text below it, up to the next one.
    record Section(int level, String heading, String anchor, String text) {}

    static SitePage read(Path source, String place, String group) {
        try {
            Parser parser = Parser.builder().extensions(List.of(TablesExtension.create())).build();
            Node document = parser.parse(Files.readString(source));
            List<Section> sections = Sections.of(document);
            String title =
                    sections.isEmpty()
                            ? source.getFileName().toString()
                            : sections.getFirst().heading();
            return new SitePage(source, place, group, title, document, sections);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// The number of directories above it within the site.
    int depth() {
        return (int) place.chars().filter(c -> c == '/').count();
    }

    /// The anchor of a heading, as links in documents have it.
    static String anchor(String heading) {
        return heading.strip()
                .toLowerCase(Locale.ROOT)
                .replaceAll("[^\\p{L}\\p{N} _-]", "")
                .replace(' ', '-');
    }

    /// The text of a node without its marks.
    static String text(Node node) {
        StringBuilder text = new StringBuilder();
        node.accept(new Words(text));
        return text.toString().strip();
    }

    /// Collects words.
    private static final class Words extends AbstractVisitor {
        private static final Pattern IMPORTS = Pattern.compile("(?m)^import .*;\\R");

        private final StringBuilder text;

        Words(StringBuilder text) {
            this.text = text;
        }

        @Override
        public void visit(Text node) {
            text.append(node.getLiteral());
        }

        @Override
        public void visit(Code node) {
            text.append(node.getLiteral());
        }

        @Override
        public void visit(SoftLineBreak node) {
            text.append(' ');
        }

        @Override
        public void visit(Paragraph node) {
            visitChildren(node);
            text.append(' ');
        }

        @Override
        public void visit(CustomNode node) {
            visitChildren(node);
            if (node instanceof TableCell) {
                text.append(' ');
            }
        }

        /// Imports tell little, and would stand in front of what was looked for.
        @Override
        public void visit(FencedCodeBlock node) {
            String code = IMPORTS.matcher(node.getLiteral()).replaceAll("");
            text.append(' ').append(code).append(' ');
        }

        @Override
        public void visit(IndentedCodeBlock node) {
            text.append(' ').append(node.getLiteral()).append(' ');
        }
    }

    /// Cuts a document at its headings.
    private static final class Sections {
        private final List<Section> sections = new ArrayList<>();
        private final StringBuilder text = new StringBuilder();
        private Heading heading;

        static List<Section> of(Node document) {
            Sections all = new Sections();
            for (Node node = document.getFirstChild(); node != null; node = node.getNext()) {
                if (node instanceof Heading next) {
                    all.end();
                    all.heading = next;
                } else {
                    all.text.append(text(node)).append(' ');
                }
            }
            all.end();
            return List.copyOf(all.sections);
        }

        private void end() {
            if (heading != null) {
                String words = text(heading);
                sections.add(
                        new Section(
                                heading.getLevel(), words, anchor(words), text.toString().strip()));
            }
            text.setLength(0);
        }
    }
}
