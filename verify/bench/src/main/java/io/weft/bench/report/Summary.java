package io.weft.bench.report;

import java.io.IOException;
import java.io.InputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The headlines of a report as one picture: how many times better Weft is than a peer, a bar each,
/// with the range of the rounds and the goal.
///
/// The rows are those of `headlines.txt` that were measured, in its order.
public final class Summary {
    private static final Pattern ROW =
            Pattern.compile(
                    "<tr><td>([^<]*)</td><td>([^<]*)</td><td class=\"number (?:green|red)\">"
                            + "([0-9.]+) \\(([0-9.]+)\\.\\.([0-9.]+)\\)</td>"
                            + "<td class=\"number\">([0-9.]+)</td></tr>");

    private static final int WIDTH = 860;
    private static final int LABELS = 400;
    private static final int BARS = 320;
    private static final int HEIGHT = 24;
    private static final int HEAD = 48;

    /// The ratio at which bars end, however much larger it is.
    private static final double MOST = 3;

    private static final String STYLE =
            """
            <style>
            text { font: 13px system-ui, sans-serif; fill: #1f2328 }
            .title { font-weight: 600 }
            .met { fill: #2563eb } .missed { fill: #dc2626 }
            line { stroke: #1f2328; stroke-width: 1.5 } .one { stroke-dasharray: 3 3; stroke-width: 1 }
            .goal { stroke: #15803d; stroke-width: 3 }
            @media (prefers-color-scheme: dark) {
            text { fill: #e6edf3 } line { stroke: #e6edf3 } .goal { stroke: #4ade80 }
            .met { fill: #60a5fa } .missed { fill: #f87171 }
            }
            </style>
            """;

    private Summary() {}

    /// @param label of the bar
    private record Headline(String label, String title, String beside) {
        static Headline of(String line) {
            String[] parts = line.split("\\|", -1);
            return new Headline(parts[0].strip(), parts[1].strip(), parts[2].strip());
        }

        boolean isAbout(Row row) {
            return row.title.matches(title) && row.verdict.beside().matches(beside);
        }
    }

    private record Row(String title, Verdict verdict) {}

    /// `Summary FILE SECTION...`: draws what the sections that groups have written say.
    public static void main(String[] args) throws IOException {
        List<Row> rows = new ArrayList<>();
        for (String file : List.of(args).subList(1, args.length)) {
            rows.addAll(rows(Files.readString(Path.of(file))));
        }
        Files.writeString(Path.of(args[0]), picture(headlines(), rows));
    }

    private static List<Row> rows(String section) {
        Matcher row = ROW.matcher(section);
        List<Row> rows = new ArrayList<>();
        while (row.find()) {
            Spread ratio =
                    new Spread(
                            Double.parseDouble(row.group(3)),
                            Double.parseDouble(row.group(4)),
                            Double.parseDouble(row.group(5)));
            double goal = Double.parseDouble(row.group(6));
            rows.add(new Row(row.group(1), new Verdict(row.group(2), ratio, goal)));
        }
        return rows;
    }

    private static List<Headline> headlines() throws IOException {
        try (InputStream in = Summary.class.getResourceAsStream("headlines.txt")) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .filter(line -> !line.isBlank() && !line.startsWith("#"))
                    .map(Headline::of)
                    .toList();
        }
    }

    private static String picture(List<Headline> headlines, List<Row> rows) {
        StringBuilder bars = new StringBuilder();
        int top = HEAD;
        for (Headline headline : headlines) {
            Optional<Row> row = rows.stream().filter(headline::isAbout).findFirst();
            if (row.isPresent()) {
                bars.append(bar(headline.label, row.get().verdict, top));
                top += HEIGHT;
            }
        }
        return String.format(
                Locale.ROOT,
                """
                <svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 %d %d" role="img">
                <title>Weft beside its peers, by ratio</title>
                %s<text class="title" x="0" y="18">Times better than the peer, and the range of the rounds</text>
                <text x="0" y="36">green mark: the goal; red bar: the goal is missed; dashed: as good as the peer</text>
                %s<line class="one" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>
                </svg>
                """,
                WIDTH,
                top,
                STYLE,
                bars,
                x(1),
                HEAD,
                x(1),
                top);
    }

    private static String bar(String label, Verdict verdict, int top) {
        int middle = top + HEIGHT / 2;
        Spread ratio = verdict.ratio();
        return String.format(
                Locale.ROOT,
                """
                <text x="0" y="%d">%s</text>
                <rect class="%s" x="%d" y="%d" width="%.1f" height="14"/>
                <line x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>
                <line class="goal" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>
                <text x="%d" y="%d">%.2f (%.2f to %.2f)</text>
                """,
                middle + 4,
                Page.escape(label),
                verdict.isMet() ? "met" : "missed",
                LABELS,
                middle - 7,
                x(ratio.median()) - LABELS,
                x(ratio.min()),
                middle,
                x(ratio.max()),
                middle,
                x(verdict.least()),
                middle - 9,
                x(verdict.least()),
                middle + 9,
                LABELS + BARS + 8,
                middle + 4,
                ratio.median(),
                ratio.min(),
                ratio.max());
    }

    private static double x(double ratio) {
        return LABELS + Math.min(ratio, MOST) * BARS / MOST;
    }
}
