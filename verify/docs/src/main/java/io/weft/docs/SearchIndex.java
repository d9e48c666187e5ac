package io.weft.docs;

import java.util.ArrayList;
import java.util.List;

/// The sections of all pages as a script, which works without a server.
final class SearchIndex {
    /// Characters of a section's text that are searched.
    private static final int MOST = 4000;

    private final List<String> entries = new ArrayList<>();

    void add(SitePage page) {
        for (SitePage.Section section : page.sections()) {
            String text = section.text();
            entries.add(
                    "{\"p\":"
                            + quoted(page.title())
                            + ",\"u\":"
                            + quoted(page.place() + "#" + section.anchor())
                            + ",\"h\":"
                            + quoted(section.heading())
                            + ",\"t\":"
                            + quoted(text.substring(0, Math.min(text.length(), MOST)))
                            + "}");
        }
    }

    String script() {
        return "const INDEX = [\n" + String.join(",\n", entries) + "\n];\n";
    }

    private static String quoted(String text) {
        StringBuilder json = new StringBuilder("\"");
        for (int i = 0; i < text.length(); i++) {
            char c = text.charAt(i);
            if (c == '"' || c == '\\') {
                json.append('\\').append(c);
            } else if (c < ' ' || c == '<' || c == '\u2028' || c == '\u2029') {
                json.append(String.format("\\u%04x", (int) c));
            } else {
                json.append(c);
            }
        }
        return json.append('"').toString();
    }
}
