import java.io.IOException;
import java.io.Reader;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Properties;
import java.util.TreeSet;

/// All rows as a table in Markdown, the committed budgets, and a summary.
record Report(List<Build> builds, Results results, int leftOut) {
    void print() throws IOException {
        System.out.println(
                "| row | unit | before | after | after / before | B/op before | after |");
        System.out.println("|---|---|---:|---:|---:|---:|---:|");
        for (Row row : results.rows()) {
            System.out.println(line(row));
        }
        System.out.println();
        int budgets = printBudgets();
        System.out.println();
        summary(budgets);
    }

    private static String line(Row row) {
        double[] ratios = row.ratios();
        String ratio =
                ratios.length == 0
                        ? "-"
                        : "%.2f (%.2f..%.2f)%s"
                                .formatted(
                                        row.ratio(),
                                        ratios[0],
                                        ratios[ratios.length - 1],
                                        row.isWorse() ? " **worse**" : "");
        return "| %s | %s | %s | %s | %s | %s | %s%s |"
                .formatted(
                        row.name,
                        row.unit,
                        number(row.score(0)),
                        number(row.score(1)),
                        ratio,
                        bytes(row.bytes(0)),
                        bytes(row.bytes(1)),
                        row.allocatesMore() ? " **more**" : "");
    }

    /// The lines of verify/budget that both trees have.
    private int printBudgets() throws IOException {
        System.out.println("| budget | before | after |");
        System.out.println("|---|---:|---:|");
        int worse = 0;
        try (DirectoryStream<Path> files =
                Files.newDirectoryStream(builds.get(0).budgets(), "*.properties")) {
            for (Path file : files) {
                Path later = builds.get(1).budgets().resolve(file.getFileName());
                if (!Files.exists(later)) {
                    continue;
                }
                Properties before = read(file);
                Properties after = read(later);
                for (String key : new TreeSet<>(before.stringPropertyNames())) {
                    String now = after.getProperty(key);
                    if (now != null) {
                        boolean more =
                                Double.parseDouble(now)
                                        > Double.parseDouble(before.getProperty(key));
                        worse += more ? 1 : 0;
                        System.out.printf(
                                "| %s %s | %s | %s%s |%n",
                                file.getFileName().toString().replace(".properties", ""),
                                key,
                                before.getProperty(key),
                                now,
                                more ? " **more**" : "");
                    }
                }
            }
        }
        return worse;
    }

    private static Properties read(Path file) throws IOException {
        Properties properties = new Properties();
        try (Reader reader = Files.newBufferedReader(file)) {
            properties.load(reader);
        }
        return properties;
    }

    private void summary(int budgets) {
        List<Row> rows = results.rows().stream().filter(row -> row.ratios().length > 0).toList();
        double mean =
                Math.exp(
                        rows.stream()
                                .mapToDouble(row -> Math.log(row.ratio()))
                                .average()
                                .orElse(0));
        List<Row> worse = rows.stream().filter(Row::isWorse).toList();
        List<Row> more = rows.stream().filter(Row::allocatesMore).toList();
        System.out.printf(
                Locale.ROOT,
                "%d rows; after / before %.3f in the geometric mean, more is better; %d worse in"
                    + " every round and by more than 2 %% in the median; %d allocate more; %d"
                    + " budgets are higher; left out: %d benchmarks that only one of the two has%n",
                rows.size(),
                mean,
                worse.size(),
                more.size(),
                budgets,
                leftOut);
        worse.forEach(row -> System.out.println("worse: " + line(row)));
        more.forEach(row -> System.out.println("more bytes: " + line(row)));
    }

    private static String number(double value) {
        if (Double.isNaN(value)) {
            return "-";
        }
        double size = Math.abs(value);
        String format =
                size >= 1000 ? "%,.0f" : size >= 100 ? "%.0f" : size >= 10 ? "%.1f" : "%.3f";
        return String.format(Locale.ROOT, format, value);
    }

    private static String bytes(double value) {
        return Double.isNaN(value) ? "" : String.format(Locale.ROOT, "%,.0f", value);
    }
}
