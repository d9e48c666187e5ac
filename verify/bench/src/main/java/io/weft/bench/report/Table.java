package io.weft.bench.report;

import java.util.List;
import java.util.Locale;

/// Entries as text for people.
public final class Table {
    private Table() {}

    /// Each entry with its sides, then the goals of all and how far each is reached.
    public static String of(List<Entry> entries) {
        StringBuilder text = new StringBuilder();
        entries.forEach(entry -> text.append(block(entry)));
        return text.append(goals(entries)).toString();
    }

    private static String block(Entry entry) {
        StringBuilder text = new StringBuilder();
        text.append(entry.title()).append(", ").append(entry.unit());
        text.append(entry.ratio().isKnown() ? "; weft / best peer " + ratio(entry.ratio()) : "");
        text.append('\n');
        entry.sides()
                .forEach(
                        (side, spread) -> {
                            Spread bytes = entry.bytes().get(side);
                            text.append(
                                    "  %-22s %14s  %-28s %s%n"
                                            .formatted(
                                                    side,
                                                    number(spread.median()),
                                                    number(spread.min())
                                                            + ".."
                                                            + number(spread.max()),
                                                    bytes == null
                                                            ? ""
                                                            : number(bytes.median()) + " B/op"));
                        });
        return text.toString();
    }

    /// The goals of all and how far each is reached; nothing when there are none.
    public static String goals(List<Entry> entries) {
        List<Entry> judged = entries.stream().filter(e -> !e.verdicts().isEmpty()).toList();
        if (judged.isEmpty()) {
            return "";
        }
        int width = judged.stream().mapToInt(entry -> entry.title().length()).max().orElse(1);
        String format = "%-" + width + "s  %-5s  %-22s %-22s %s%n";
        StringBuilder text = new StringBuilder("\n");
        text.append(format.formatted("row", "", "weft /", "ratio (min..max)", "goal"));
        for (Entry entry : judged) {
            String title = entry.title();
            for (Verdict verdict : entry.verdicts()) {
                text.append(
                        format.formatted(
                                title,
                                verdict.isMet() ? "green" : "RED",
                                verdict.beside(),
                                ratio(verdict.ratio()),
                                goal(verdict.least())));
                title = "";
            }
        }
        long red = judged.stream().filter(Entry::isRed).count();
        return text.append("%d rows green, %d red%n".formatted(judged.size() - red, red))
                .toString();
    }

    static String goal(double least) {
        return String.format(Locale.ROOT, "%.2f", least);
    }

    static String ratio(Spread ratio) {
        return ratio.isKnown()
                ? String.format(
                        Locale.ROOT, "%.2f (%.2f..%.2f)", ratio.median(), ratio.min(), ratio.max())
                : "-";
    }

    static String number(double value) {
        double size = Math.abs(value);
        String format = size >= 1000 ? "%,.0f" : size >= 10 ? "%.1f" : "%.3f";
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
