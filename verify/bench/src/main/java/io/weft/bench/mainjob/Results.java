package io.weft.bench.mainjob;

import io.weft.bench.report.Spread;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.stream.DoubleStream;
import java.util.stream.Stream;

/// Everything that was measured. The n-th samples of all sides under a load come from the same
/// round, so ratios are made of pairs: what disturbed the whole round cancels out.
final class Results {
    private final Map<Load, Map<Side, List<Sample>>> samples = new EnumMap<>(Load.class);
    private final Map<Load, Map<Side, Cost>> costs = new EnumMap<>(Load.class);

    void add(Load load, Side side, Sample sample) {
        samples.computeIfAbsent(load, _ -> new LinkedHashMap<>())
                .computeIfAbsent(side, _ -> new ArrayList<>())
                .add(sample);
    }

    void add(Load load, Side side, Cost cost) {
        costs.computeIfAbsent(load, _ -> new LinkedHashMap<>()).put(side, cost);
    }

    List<Side> sides(Load load) {
        return samples.getOrDefault(load, Map.of()).keySet().stream()
                .sorted(Comparator.comparing(Side::role))
                .toList();
    }

    List<Sample> samples(Load load, Side side) {
        return samples.getOrDefault(load, Map.of()).getOrDefault(side, List.of());
    }

    private double[] values(Load load, Metric metric, Side side) {
        DoubleStream sampled = samples(load, side).stream().mapToDouble(metric::of);
        DoubleStream counted =
                Stream.ofNullable(costs.getOrDefault(load, Map.of()).get(side))
                        .mapToDouble(metric::of);
        return DoubleStream.concat(sampled, counted).filter(v -> !Double.isNaN(v)).toArray();
    }

    Spread spread(Load load, Metric metric, Side side) {
        return Spread.of(values(load, metric, side));
    }

    /// The side of that role with the best median.
    Optional<Side> best(Load load, Metric metric, Side.Role role) {
        return best(load, metric, side -> side.role() == role);
    }

    Optional<Side> best(Load load, Metric metric, Predicate<Side> among) {
        Comparator<Side> byMedian =
                Comparator.comparingDouble(side -> spread(load, metric, side).median());
        return sides(load).stream()
                .filter(side -> among.test(side) && spread(load, metric, side).isKnown())
                .max(metric.higherIsBetter ? byMedian : byMedian.reversed());
    }

    /// Returns the factor by which a side is better than another, round by round.
    Spread ratio(Load load, Metric metric, Side side, Side than) {
        double[] a = values(load, metric, side);
        double[] b = values(load, metric, than);
        double[] ratios = new double[Math.min(a.length, b.length)];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = metric.ratio(a[i], b[i]);
        }
        return Spread.of(ratios);
    }
}
