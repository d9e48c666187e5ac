package io.weft.bench.jmh;

import io.weft.bench.report.Entry;
import io.weft.bench.report.Spread;
import io.weft.bench.report.Verdict;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Predicate;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/// An operation with one set of parameters: a score a round of each side.
final class Row {
    private final String operation;
    private final Map<String, String> params;
    private final String unit;
    private final boolean higherIsBetter;
    private final Map<String, List<Double>> scores = new LinkedHashMap<>();
    private final Map<String, List<Double>> bytes = new LinkedHashMap<>();

    Row(String operation, Map<String, String> params, String unit, boolean higherIsBetter) {
        this.operation = operation;
        this.params = params;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /// Adds a side's result of the round; the n-th of all sides are compared.
    void add(String side, double score, double allocated) {
        scores.computeIfAbsent(side, _ -> new ArrayList<>()).add(score);
        if (!Double.isNaN(allocated)) {
            bytes.computeIfAbsent(side, _ -> new ArrayList<>()).add(allocated);
        }
    }

    String operation() {
        return operation;
    }

    /// The operation and its parameters, as in `Utf8Encoding/String text=ASCII length=64`.
    String title() {
        StringBuilder title = new StringBuilder(operation);
        params.forEach((name, value) -> title.append(' ').append(name).append('=').append(value));
        return title.toString();
    }

    private Spread spread(String side) {
        return Spread.of(scores.getOrDefault(side, List.of()), Double::doubleValue);
    }

    private Optional<String> best(Predicate<String> among) {
        Comparator<String> byMedian = Comparator.comparingDouble(side -> spread(side).median());
        return scores.keySet().stream()
                .filter(side -> !side.equals(Side.WEFT) && among.test(side))
                .max(higherIsBetter ? byMedian : byMedian.reversed());
    }

    /// References of the JDK count only where there is no other.
    Optional<String> bestPeer() {
        return best(side -> !Side.isReference(side)).or(() -> best(Side::isReference));
    }

    Spread weftBeside(String peer) {
        List<Double> weft = scores.getOrDefault(Side.WEFT, List.of());
        List<Double> other = scores.getOrDefault(peer, List.of());
        double[] ratios = new double[Math.min(weft.size(), other.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = higherIsBetter ? weft.get(i) / other.get(i) : other.get(i) / weft.get(i);
        }
        return Spread.of(ratios);
    }

    List<Verdict> verdicts(Goals goals) {
        List<Verdict> verdicts = new ArrayList<>();
        if (scores.containsKey(Side.WEFT)) {
            goals.of(this)
                    .forEach(
                            (beside, least) ->
                                    best(Pattern.compile(beside).asMatchPredicate())
                                            .map(p -> new Verdict(p, weftBeside(p), least))
                                            .ifPresent(verdicts::add));
        }
        return verdicts;
    }

    Entry entry(String group, Map<String, String> facts, Goals goals) {
        Map<String, Spread> sides = new LinkedHashMap<>();
        Map<String, Spread> allocated = new LinkedHashMap<>();
        scores.keySet().stream().sorted(WEFT_FIRST).forEach(side -> sides.put(side, spread(side)));
        bytes.forEach((side, b) -> allocated.put(side, Spread.of(b, Double::doubleValue)));
        Map<String, @Nullable Object> conditions = new LinkedHashMap<>(facts);
        return new Entry(
                group + "/" + operation,
                params,
                conditions,
                unit,
                higherIsBetter,
                sides,
                allocated,
                bestPeer().map(this::weftBeside).orElse(Spread.UNKNOWN),
                verdicts(goals));
    }

    private static final Comparator<String> WEFT_FIRST =
            Comparator.comparing((String side) -> !side.equals(Side.WEFT))
                    .thenComparing(Comparator.naturalOrder());
}
