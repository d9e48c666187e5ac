package io.weft.bench.mainjob;

import io.weft.bench.report.Spread;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// The results for people: one table a load, one row a side.
final class Table {
    private static final List<String> HEAD =
            List.of("side", "req/s", "min..max", "p99 ms", "CPU s/M", "busy", "calls/req", "B/req");

    private final Results results;
    private final Load load;
    private final Optional<Side> peer;
    private final Optional<Side> limit;

    private Table(Results results, Load load) {
        this.results = results;
        this.load = load;
        peer = results.best(load, Metric.THROUGHPUT, Side.Role.PEER);
        limit = results.best(load, Metric.THROUGHPUT, Side.Role.LIMIT);
    }

    static String of(Results results, Load load) {
        return new Table(results, load).text();
    }

    private String text() {
        List<List<String>> rows = new ArrayList<>();
        List<String> head = new ArrayList<>(HEAD);
        peer.ifPresent(side -> head.add("/ " + side.name()));
        limit.ifPresent(side -> head.add("/ " + side.name()));
        rows.add(head);
        results.sides(load).forEach(side -> rows.add(row(side)));

        StringBuilder text = new StringBuilder();
        text.append(load.title).append(", ").append(Load.CONNECTIONS).append(" connections\n");
        for (List<String> row : rows) {
            StringBuilder line = new StringBuilder(" ");
            for (int column = 0; column < row.size(); column++) {
                int width = width(rows, column);
                String format = column == 0 ? " %-" + width + "s" : "  %" + width + "s";
                line.append(format.formatted(row.get(column)));
            }
            text.append(line.toString().stripTrailing()).append('\n');
        }
        for (Side side : results.sides(load)) {
            long errors = results.samples(load, side).stream().mapToLong(Sample::errors).sum();
            if (errors > 0) {
                text.append("  %s: %d errors%n".formatted(side.name(), errors));
            }
        }
        return text.toString();
    }

    private static int width(List<List<String>> rows, int column) {
        return rows.stream().mapToInt(row -> row.get(column).length()).max().orElse(1);
    }

    private List<String> row(Side side) {
        Spread throughput = results.spread(load, Metric.THROUGHPUT, side);
        Spread busy = Spread.of(results.samples(load, side), Sample::busy);
        List<String> row = new ArrayList<>();
        row.add(side.name());
        row.add(number("%,.0f", throughput.median()));
        row.add(number("%,.0f", throughput.min()) + ".." + number("%,.0f", throughput.max()));
        row.add(number("%.2f", results.spread(load, Metric.P99, side).median() / 1000));
        row.add(number("%.2f", results.spread(load, Metric.CPU, side).median()));
        row.add(number("%.0f%%", busy.median() * 100));
        row.add(number("%.3f", results.spread(load, Metric.SYSCALLS, side).median()));
        row.add(number("%,.1f", results.spread(load, Metric.ALLOCATED, side).median()));
        peer.ifPresent(than -> row.add(ratio(side, than)));
        limit.ifPresent(than -> row.add(ratio(side, than)));
        return row;
    }

    private String ratio(Side side, Side than) {
        Spread ratio = results.ratio(load, Metric.THROUGHPUT, side, than);
        return side.equals(than)
                ? "1"
                : String.format(
                        Locale.ROOT, "%.2f (%.2f..%.2f)", ratio.median(), ratio.min(), ratio.max());
    }

    private static String number(String format, double value) {
        return Double.isNaN(value) ? "-" : String.format(Locale.ROOT, format, value);
    }
}
