package io.weft.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The results as one HTML page without scripts: a group is a section, an entry a bar chart.
public final class Page {
    private static final String HEAD =
            """
            <!DOCTYPE html>
            <html lang="en">
            <head>
            <meta charset="utf-8">
            <meta name="viewport" content="width=device-width">
            <title>Weft beside its peers</title>
            <style>
            :root { color-scheme: light dark; --weft: #2563eb; --peer: #94a3b8; --red: #dc2626; --green: #15803d }
            body { font: 14px/1.45 system-ui, sans-serif; max-width: 60rem; margin: 2rem auto; padding: 0 1rem }
            h1 { font-size: 1.5rem } h2 { font-size: 1.25rem; margin-top: 2.5rem }
            h3 { font-size: 1rem; margin: 1.75rem 0 0 }
            p.note { opacity: .75; margin: .25rem 0 }
            .green { color: var(--green) } .red { color: var(--red) }
            svg { display: block; width: 100%; height: auto }
            svg text { font: 12px system-ui, sans-serif; fill: currentColor }
            rect.weft { fill: var(--weft) } rect.peer { fill: var(--peer) }
            line.spread { stroke: currentColor; stroke-width: 1.5 }
            table { border-collapse: collapse } td, th { padding: .1rem .75rem .1rem 0; text-align: left }
            section { overflow-x: auto }
            td.number { text-align: right; font-variant-numeric: tabular-nums }
            </style>
            </head>
            <body>
            <h1>Weft beside its peers</h1>
            <p class="note">Bars are medians over the rounds, the thin lines run from the smallest to the largest round. A ratio
            above 1 means that Weft is better.</p>
            """;

    private static final Pattern TITLE = Pattern.compile("<h2 id=\"([^\"]*)\">([^<]*)</h2>");

    private Page() {}

    /// `Page FILE SECTION...`: makes a page of the sections that groups have written.
    public static void main(String[] args) throws IOException {
        StringBuilder contents = new StringBuilder();
        StringBuilder sections = new StringBuilder();
        for (String file : List.of(args).subList(1, args.length)) {
            String section = Files.readString(Path.of(file));
            contents.append(line(section));
            sections.append(section);
        }
        Files.writeString(
                Path.of(args[0]),
                HEAD
                        + "<table>\n<tr><th>group</th><th>goals reached</th><th>missed</th></tr>\n"
                        + contents
                        + "</table>\n"
                        + sections
                        + "</body>\n</html>\n");
    }

    /// The line of the table of contents for a section: what it is called, and how many of its
    /// goals are reached.
    private static String line(String section) {
        Matcher title = TITLE.matcher(section);
        if (!title.find()) {
            return "";
        }
        return "<tr><td><a href=\"#%s\">%s</a></td>".formatted(title.group(1), title.group(2))
                + "<td class=\"number green\">%d</td>".formatted(count(section, "number green"))
                + "<td class=\"number red\">%d</td></tr>%n".formatted(count(section, "number red"));
    }

    private static long count(String section, String style) {
        return Pattern.compile("class=\"" + style + "\"").matcher(section).results().count();
    }

    /// One group's part of the page.
    public static String section(String group, Map<String, String> facts, List<Entry> entries) {
        StringBuilder section = new StringBuilder();
        section.append("<section>\n<h2 id=\"%1$s\">%1$s</h2>\n".formatted(escape(group)));
        facts.forEach(
                (name, fact) ->
                        section.append("<p class=\"note\">")
                                .append(escape(name + ": " + fact))
                                .append("</p>\n"));
        section.append(overview(entries));
        entries.forEach(entry -> section.append(Chart.of(entry)));
        return section.append("</section>\n").toString();
    }

    private static String overview(List<Entry> entries) {
        StringBuilder table = new StringBuilder();
        for (Entry entry : entries) {
            for (Verdict verdict : entry.verdicts()) {
                table.append("<tr><td>%s</td>".formatted(escape(entry.title())))
                        .append("<td>%s</td>".formatted(escape(verdict.beside())))
                        .append(
                                "<td class=\"number %s\">%s</td>"
                                        .formatted(
                                                verdict.isMet() ? "green" : "red",
                                                Table.ratio(verdict.ratio())))
                        .append(
                                "<td class=\"number\">%s</td></tr>%n"
                                        .formatted(Table.goal(verdict.least())));
            }
        }
        return table.isEmpty()
                ? ""
                : "<table>\n<tr><th>row</th><th>beside</th><th>ratio</th><th>goal</th></tr>\n"
                        + table
                        + "</table>\n";
    }

    /// Text as HTML has it.
    public static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
