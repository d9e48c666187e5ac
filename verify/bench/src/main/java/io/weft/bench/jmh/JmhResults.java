package io.weft.bench.jmh;

import io.weft.bench.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.infra.BenchmarkParams;
import org.openjdk.jmh.results.Result;
import org.openjdk.jmh.results.RunResult;

/// Scores by operation and side. A benchmark method is named after both: `weftGet` is side `weft` of the operation `Get`,
/// and every side but `weft` is a peer. The side is all that comes before the operation, and operations of one class are
/// told apart by their last capitalised word.
final class JmhResults {
    private static final Pattern METHOD =
            Pattern.compile("(.*)[.](.*)[.]([a-z].*?)([A-Z][a-z0-9]*)");
    private static final String WEFT = "weft";
    private static final String ALLOCATED = "gc.alloc.rate.norm";

    /// Allocation below this is the harness' own; as a ratio it counts as this.
    private static final double LEAST_BYTES = 0.01;

    private final String group;
    private final Map<String, Operation> operations = new TreeMap<>();

    JmhResults(String group) {
        this.group = group;
    }

    /// One operation with one set of parameters, by side: a score a round.
    private record Operation(
            String name,
            Map<String, @Nullable Object> params,
            String unit,
            boolean higherIsBetter,
            Map<String, List<Double>> scores) {
        Spread spread(String side) {
            return Spread.of(scores.getOrDefault(side, List.of()), Double::doubleValue);
        }

        Optional<String> bestPeer() {
            Comparator<String> byMedian = Comparator.comparingDouble(side -> spread(side).median());
            return scores.keySet().stream()
                    .filter(side -> !side.equals(WEFT))
                    .max(higherIsBetter ? byMedian : byMedian.reversed());
        }

        Spread ratio(String side, String than) {
            List<Double> a = scores.getOrDefault(side, List.of());
            List<Double> b = scores.getOrDefault(than, List.of());
            double floor = unit.equals("B/op") ? LEAST_BYTES : 0;
            double[] ratios = new double[Math.min(a.size(), b.size())];
            for (int i = 0; i < ratios.length; i++) {
                double score = Math.max(a.get(i), floor);
                double other = Math.max(b.get(i), floor);
                ratios[i] = higherIsBetter ? score / other : other / score;
            }
            return Spread.of(ratios);
        }
    }

    void add(RunResult result) {
        BenchmarkParams params = result.getParams();
        boolean throughput = params.getMode() == Mode.Throughput;
        add(params, "", result.getPrimaryResult(), throughput);
        Result<?> allocated = result.getSecondaryResults().get(ALLOCATED);
        if (allocated != null) {
            add(params, " allocated", allocated, false);
        }
    }

    private void add(
            BenchmarkParams params, String suffix, Result<?> result, boolean higherIsBetter) {
        Matcher method = METHOD.matcher(params.getBenchmark());
        if (!method.matches()) {
            throw new IllegalArgumentException(
                    "benchmark: " + params.getBenchmark() + " (expected: a method like weftGet)");
        }
        String name = group + "/" + method.group(2) + "/" + method.group(4) + suffix;
        Map<String, @Nullable Object> with = new LinkedHashMap<>();
        params.getParamsKeys().forEach(key -> with.put(key, params.getParam(key)));
        operations
                .computeIfAbsent(
                        name + with,
                        _ ->
                                new Operation(
                                        name,
                                        with,
                                        result.getScoreUnit(),
                                        higherIsBetter,
                                        new LinkedHashMap<>()))
                .scores()
                .computeIfAbsent(method.group(3), _ -> new ArrayList<>())
                .add(result.getScore());
    }

    List<@Nullable Object> entries() {
        List<@Nullable Object> entries = new ArrayList<>();
        for (Operation operation : operations.values()) {
            Map<String, @Nullable Object> sides = new LinkedHashMap<>();
            operation
                    .scores()
                    .keySet()
                    .forEach(side -> sides.put(side, operation.spread(side).fields()));
            Map<String, @Nullable Object> params = new LinkedHashMap<>(operation.params());
            params.put("kernel", System.getProperty("os.version"));
            params.put("jdk", System.getProperty("java.vm.name") + " " + Runtime.version());
            Map<String, @Nullable Object> entry = new LinkedHashMap<>();
            entry.put("name", operation.name());
            entry.put("params", params);
            entry.put("unit", operation.unit());
            entry.put("better", operation.higherIsBetter() ? "higher" : "lower");
            entry.put("sides", sides);
            entry.put(
                    "ratio_vs_best_peer",
                    operation
                            .bestPeer()
                            .map(peer -> operation.ratio(WEFT, peer).median())
                            .orElse(null));
            entries.add(entry);
        }
        return entries;
    }

    String table() {
        StringBuilder text = new StringBuilder();
        for (Operation operation : operations.values()) {
            text.append(operation.name())
                    .append(operation.params().isEmpty() ? "" : operation.params());
            text.append(", ").append(operation.unit()).append('\n');
            String peer = operation.bestPeer().orElse(WEFT);
            for (String side : operation.scores().keySet()) {
                text.append(row(operation, side, peer));
            }
        }
        return text.toString();
    }

    private static String row(Operation operation, String side, String peer) {
        Spread spread = operation.spread(side);
        Spread ratio = operation.ratio(side, peer);
        return String.format(
                Locale.ROOT,
                "  %-16s %,12.3f  %,.3f..%,.3f  / %s %.2f (%.2f..%.2f)%n",
                side,
                spread.median(),
                spread.min(),
                spread.max(),
                peer,
                ratio.median(),
                ratio.min(),
                ratio.max());
    }
}
