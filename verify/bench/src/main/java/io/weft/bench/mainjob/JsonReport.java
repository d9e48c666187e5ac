package io.weft.bench.mainjob;

import io.weft.bench.report.Json;
import io.weft.bench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The results for programs: a list of `{name, params, unit, better, sides, ratio_vs_best_peer}`, one for each metric under
/// each load. A ratio above 1 means that the best of Weft is better than the best peer; null when one of them is missing.
final class JsonReport {
    private JsonReport() {}

    static String of(Results results, Plan plan, Machine machine) {
        List<@Nullable Object> entries = new ArrayList<>();
        for (Load load : Load.values()) {
            for (Metric metric : Metric.values()) {
                entries.add(entry(results, plan, machine, load, metric));
            }
        }
        return Json.write(entries);
    }

    private static Map<String, @Nullable Object> entry(
            Results results, Plan plan, Machine machine, Load load, Metric metric) {
        Map<String, @Nullable Object> sides = new LinkedHashMap<>();
        for (Side side : results.sides(load)) {
            Spread spread = results.spread(load, metric, side);
            if (spread.isKnown()) {
                sides.put(side.name(), spread.fields());
            }
        }
        Map<String, @Nullable Object> entry = new LinkedHashMap<>();
        entry.put("name", "main-job/hello-http/" + load.label + "/" + metric.label);
        entry.put("params", params(plan, machine, load));
        entry.put("unit", metric.unit);
        entry.put("better", metric.higherIsBetter ? "higher" : "lower");
        entry.put("sides", sides);
        entry.put("ratio_vs_best_peer", ratio(results, load, metric));
        return entry;
    }

    private static Map<String, @Nullable Object> params(Plan plan, Machine machine, Load load) {
        Map<String, @Nullable Object> params = new LinkedHashMap<>();
        params.put("load", load.title);
        params.put("connections", (double) Load.CONNECTIONS);
        params.put("pipelined", (double) load.depth);
        params.put("forks", (double) plan.forks());
        params.put("rounds", (double) plan.rounds());
        params.put("window seconds", plan.window());
        params.putAll(machine.facts());
        return params;
    }

    private static @Nullable Double ratio(Results results, Load load, Metric metric) {
        Optional<Side> weft = results.best(load, metric, Side.Role.WEFT);
        Optional<Side> peer = results.best(load, metric, Side.Role.PEER);
        return weft.isPresent() && peer.isPresent()
                ? results.ratio(load, metric, weft.get(), peer.get()).median()
                : null;
    }
}
