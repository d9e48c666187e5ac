package io.weft.bench.jmh;

import io.weft.bench.report.Entry;
import io.weft.bench.report.Json;
import io.weft.bench.report.Machine;
import io.weft.bench.report.Page;
import io.weft.bench.report.Table;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.openjdk.jmh.runner.BenchmarkList;
import org.openjdk.jmh.runner.BenchmarkListEntry;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.VerboseMode;

/// Measures the JMH benchmarks that a regex names, Weft beside its peers, and judges them by
/// [Goals]: `JmhGroup NAME REGEX [--quick | --smoke] [--only REGEX] [--json FILE] [--html FILE]`.
public final class JmhGroup {
    private JmhGroup() {}

    public static void main(String[] args) throws IOException {
        long start = System.nanoTime();
        JmhOptions options = JmhOptions.parse(List.of(args));
        Plan plan = options.plan();
        Goals goals =
                plan == Plan.SMOKE
                        ? Goals.of(options.group()).withoutGoals()
                        : Goals.of(options.group());
        List<Goals.Subset> subsets = plan == Plan.FULL ? List.of() : goals.subsets();
        List<Operation> operations =
                Operation.of(benchmarks(options.regex())).stream()
                        .filter(operation -> options.only().test(operation.name()))
                        .map(operation -> operation.only(subsets))
                        .filter(operation -> !operation.sides().isEmpty())
                        .toList();
        Map<String, String> facts = Machine.facts();
        facts.put("jvm flags", String.join(" ", plan.flags()));
        facts.put("plan", plan.toString());

        Rounds rounds = new Rounds(plan, operations, goals);
        List<Entry> entries =
                rounds.run().stream().map(row -> row.entry(options.group(), facts, goals)).toList();

        facts.forEach((name, fact) -> System.out.println(name + ": " + fact));
        System.out.println();
        System.out.print(Table.of(entries));
        rounds.failures().forEach(System.out::println);
        System.out.printf(Locale.ROOT, "took %d s%n", (System.nanoTime() - start) / 1_000_000_000);
        Path json = options.json();
        if (json != null) {
            Files.writeString(json, Json.write(entries.stream().map(Entry::fields).toList()));
        }
        Path html = options.html();
        if (html != null) {
            Files.writeString(html, Page.section(options.group(), facts, entries));
        }
        if (!rounds.failures().isEmpty()) {
            System.exit(1);
        }
    }

    /// Returns the names of the benchmarks that `regex` is found in.
    static List<String> benchmarks(String regex) {
        return BenchmarkList.defaultList()
                .find(
                        OutputFormatFactory.createFormatInstance(System.err, VerboseMode.SILENT),
                        List.of(regex),
                        List.of())
                .stream()
                .map(BenchmarkListEntry::getUsername)
                .distinct()
                .toList();
    }
}
