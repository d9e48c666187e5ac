package io.weft.bench.robustness;

import io.weft.bench.mainjob.Side;
import io.weft.bench.mainjob.Sides;
import io.weft.bench.report.Json;
import io.weft.bench.report.Page;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.Predicate;
import java.util.regex.Pattern;

/// Attacks `hello-http` on each transport and prints what it cost beside the goals:
/// `Robustness TRANSPORT_MODULES [--quick] [--only REGEX] [--json FILE] [--html FILE]`.
public final class Robustness {
    private static final int QUICK = 2; // hundreds of peers
    private static final int FULL = 10;
    private static final double EXIT_MILLIS = 50;
    private static final String END = "the end of an idle server";

    private Robustness() {}

    public static void main(String[] args) throws IOException, InterruptedException {
        List<String> options = List.of(args);
        int scale = options.contains("--quick") ? QUICK : FULL;
        int only = options.indexOf("--only");
        Predicate<String> wanted = Pattern.compile(only > 0 ? args[only + 1] : "").asPredicate();
        List<Row> rows = new ArrayList<>();
        for (String transport : List.of("io_uring", "epoll", "nio")) {
            System.err.println("  attacking " + transport);
            rows.addAll(rows(transport, args[0], scale, wanted));
        }
        int json = options.indexOf("--json");
        if (json > 0) {
            Files.writeString(
                    Path.of(args[json + 1]), Json.write(rows.stream().map(Row::fields).toList()));
        }
        int html = options.indexOf("--html");
        if (html > 0) {
            Files.writeString(Path.of(args[html + 1]), section(rows));
        }
    }

    private static List<Row> rows(
            String transport, String modules, int scale, Predicate<String> wanted)
            throws IOException, InterruptedException {
        List<Row> rows = new ArrayList<>();
        for (Attack attack : Attacks.all()) {
            if (wanted.test(transport + ": " + attack.name())) {
                try (Victim victim = new Victim(Sides.weft(transport, modules))) {
                    rows.add(told(row(transport, attack, victim, scale)));
                }
            }
        }
        if (wanted.test(transport + ": " + END)) {
            rows.add(told(exit(transport, modules)));
        }
        return rows;
    }

    private static Row told(Row row) {
        System.out.print(text(row));
        return row;
    }

    private static Row row(String transport, Attack attack, Victim victim, int scale)
            throws InterruptedException {
        String name = transport + ": " + attack.name();
        try {
            Attack.Result result = attack.on(victim, scale);
            Row.Outcome outcome = Row.met(result.met());
            return new Row(name, attack.goal(), attack.anchor(), result.measured(), outcome);
        } catch (IOException e) {
            String why = String.valueOf(e.getMessage());
            return new Row(name, attack.goal(), attack.anchor(), why, Row.Outcome.UNKNOWN);
        }
    }

    private static Row exit(String transport, String modules)
            throws IOException, InterruptedException {
        // To give back 512 MiB of touched memory takes the kernel 30 ms of any JVM's end.
        Side side = Sides.weft(transport, modules).without("-XX:+AlwaysPreTouch");
        try (Victim victim = new Victim(side)) {
            double millis = victim.terminate() / 1e6;
            return new Row(
                    transport + ": " + END,
                    "at most 50 ms after SIGTERM, the JVM's end included",
                    "Netty 2,050 ms",
                    String.format(Locale.ROOT, "%.0f ms", millis),
                    Row.met(millis <= EXIT_MILLIS));
        }
    }

    static String text(Row row) {
        return "%-8s %s%n".formatted(row.outcome(), row.attack())
                + "         measured: %s%n".formatted(row.measured())
                + "         goal: %s; others: %s%n".formatted(row.goal(), row.anchor());
    }

    static String section(List<Row> rows) {
        StringBuilder section =
                new StringBuilder("<section>\n<h2 id=\"robustness\">robustness</h2>");
        section.append("\n<table>\n<tr><th>attack</th><th>measured</th>")
                .append("<th>goal</th><th>others</th></tr>\n");
        for (Row row : rows) {
            String colour =
                    switch (row.outcome()) {
                        case GREEN -> "number green";
                        case RED -> "number red";
                        case UNKNOWN -> "number";
                    };
            section.append("<tr><td>%s</td>".formatted(Page.escape(row.attack())))
                    .append("<td class=\"%s\">".formatted(colour))
                    .append("%s</td>".formatted(Page.escape(row.measured())))
                    .append("<td>%s</td>".formatted(Page.escape(row.goal())))
                    .append("<td>%s</td></tr>%n".formatted(Page.escape(row.anchor())));
        }
        return section.append("</table>\n</section>\n").toString();
    }
}
