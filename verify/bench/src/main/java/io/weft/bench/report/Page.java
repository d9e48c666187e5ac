package io.weft.bench.report;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

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
            td.number { text-align: right; font-variant-numeric: tabular-nums }
            </style>
            </head>
            <body>
            <h1>Weft beside its peers</h1>
            <p class="note">Bars are medians over the rounds, the thin lines run from the smallest to the largest round. A ratio
            above 1 means that Weft is better.</p>
            """;

    private Page() {}

    /// `Page FILE SECTION...`: makes a page of the sections that groups have written.
    public static void main(String[] args) throws IOException {
        StringBuilder page = new StringBuilder(HEAD);
        for (String section : List.of(args).subList(1, args.length)) {
            page.append(Files.readString(Path.of(section)));
        }
        Files.writeString(Path.of(args[0]), page.append("</body>\n</html>\n"));
    }

    /// One group's part of the page.
    public static String section(String group, Map<String, String> facts, List<Entry> entries) {
        StringBuilder section = new StringBuilder();
        section.append("<section>\n<h2>").append(escape(group)).append("</h2>\n");
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
                        .append("<td class=\"number\">%s</td></tr>%n".formatted(verdict.least()));
            }
        }
        return table.isEmpty()
                ? ""
                : "<table>\n<tr><th>row</th><th>beside</th><th>ratio</th><th>goal</th></tr>\n"
                        + table
                        + "</table>\n";
    }

    static String escape(String text) {
        return text.replace("&", "&amp;")
                .replace("<", "&lt;")
                .replace(">", "&gt;")
                .replace("\"", "&quot;");
    }
}
