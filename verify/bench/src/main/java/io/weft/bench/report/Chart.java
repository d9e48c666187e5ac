package io.weft.bench.report;

import java.util.Locale;
import java.util.Map;

/// An entry as an SVG bar chart: a bar a side, from zero to the median, with its range over it.
final class Chart {
    private static final int WIDTH = 900;
    private static final int NAMES = 190;
    private static final int FIGURES = 230;
    private static final int ROW = 20;
    private static final int BAR = 12;

    private Chart() {}

    static String of(Entry entry) {
        StringBuilder chart = new StringBuilder();
        String colour =
                entry.isRed() ? " class=\"red\"" : entry.isGreen() ? " class=\"green\"" : "";
        chart.append("<h3%s>%s</h3>%n".formatted(colour, Page.escape(entry.title())));
        chart.append(
                "<p class=\"note\">%s, %s is better; Weft / best peer: %s</p>%n"
                        .formatted(
                                Page.escape(entry.unit()),
                                entry.higherIsBetter() ? "more" : "less",
                                Table.ratio(entry.ratio())));
        int height = entry.sides().size() * ROW;
        chart.append("<svg viewBox=\"0 0 %d %d\" role=\"img\">%n".formatted(WIDTH, height));
        double largest = entry.sides().values().stream().mapToDouble(Spread::max).max().orElse(1);
        int top = 0;
        for (Map.Entry<String, Spread> side : entry.sides().entrySet()) {
            chart.append(bar(entry, side.getKey(), side.getValue(), largest, top));
            top += ROW;
        }
        return chart.append("</svg>\n").toString();
    }

    private static String bar(Entry entry, String side, Spread spread, double largest, int top) {
        double scale = (WIDTH - NAMES - FIGURES) / (largest > 0 ? largest : 1);
        int middle = top + ROW / 2;
        Spread bytes = entry.bytes().get(side);
        String figures =
                Table.number(spread.median())
                        + (bytes == null ? "" : ", " + Table.number(bytes.median()) + " B/op");
        return String.format(
                Locale.ROOT,
                """
                <text x="0" y="%d">%s</text>
                <rect class="%s" x="%d" y="%d" width="%.1f" height="%d"/>
                <line class="spread" x1="%.1f" y1="%d" x2="%.1f" y2="%d"/>
                <text x="%d" y="%d">%s</text>
                """,
                middle + 4,
                Page.escape(side),
                side.startsWith("weft") ? "weft" : "peer",
                NAMES,
                middle - BAR / 2,
                spread.median() * scale,
                BAR,
                NAMES + spread.min() * scale,
                middle,
                NAMES + spread.max() * scale,
                middle,
                WIDTH - FIGURES + 10,
                middle + 4,
                Page.escape(figures));
    }
}
