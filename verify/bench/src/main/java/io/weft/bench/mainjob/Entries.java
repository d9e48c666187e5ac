package io.weft.bench.mainjob;

import io.weft.bench.report.Entry;
import io.weft.bench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The results for the report: one entry for each metric under each load.
final class Entries {
    private Entries() {}

    static List<Entry> of(
            String group, List<Load> loads, Results results, Plan plan, Map<String, String> facts) {
        List<Entry> entries = new ArrayList<>();
        for (Load load : loads) {
            for (Metric metric : Metric.values()) {
                if (!load.saturates() || !metric.isCounted()) {
                    entries.add(entry(group, results, plan, facts, load, metric));
                }
            }
        }
        return entries;
    }

    private static Entry entry(
            String group,
            Results results,
            Plan plan,
            Map<String, String> facts,
            Load load,
            Metric metric) {
        Map<String, Spread> sides = new LinkedHashMap<>();
        for (Side side : results.sides(load)) {
            Spread spread = results.spread(load, metric, side);
            if (spread.isKnown()) {
                sides.put(side.name(), spread);
            }
        }
        return new Entry(
                group + "/hello-http/" + load.label + "/" + metric.label,
                Map.of(),
                conditions(plan, facts, load),
                metric.unit,
                metric.higherIsBetter,
                sides,
                Map.of(),
                ratio(results, load, metric),
                Goals.of(results, load, metric));
    }

    private static Map<String, @Nullable Object> conditions(
            Plan plan, Map<String, String> facts, Load load) {
        Map<String, @Nullable Object> conditions = new LinkedHashMap<>();
        conditions.put("load", load.title);
        conditions.put("connections", (double) Load.CONNECTIONS);
        conditions.put("pipelined", (double) load.depth);
        conditions.put("forks", (double) plan.forks());
        conditions.put("rounds", (double) plan.rounds());
        conditions.put("window seconds", plan.window());
        conditions.putAll(facts);
        return conditions;
    }

    private static Spread ratio(Results results, Load load, Metric metric) {
        Optional<Side> weft = results.best(load, metric, Side.Role.WEFT);
        Optional<Side> peer = results.best(load, metric, Side.Role.PEER);
        return weft.isPresent() && peer.isPresent()
                ? results.ratio(load, metric, weft.get(), peer.get())
                : Spread.UNKNOWN;
    }
}
