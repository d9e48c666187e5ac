package io.weft.bench.jmh;

import io.weft.bench.report.Entry;
import io.weft.bench.report.Spread;
import io.weft.bench.report.Verdict;
import java.math.BigDecimal;
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
public final class Row {
    private final String operation;
    private final Map<String, String> params;
    private final String unit;
    private final boolean higherIsBetter;
    private final Map<String, List<Double>> scores = new LinkedHashMap<>();
    private final Map<String, List<Double>> bytes = new LinkedHashMap<>();

    public Row(String operation, Map<String, String> params, String unit, boolean higherIsBetter) {
        this.operation = operation;
        this.params = params;
        this.unit = unit;
        this.higherIsBetter = higherIsBetter;
    }

    /// Adds a side's result of the round; the n-th of all sides are compared.
    public void add(String side, double score, double allocated) {
        scores.computeIfAbsent(side, _ -> new ArrayList<>()).add(score);
        if (!Double.isNaN(allocated)) {
            bytes.computeIfAbsent(side, _ -> new ArrayList<>()).add(allocated);
        }
    }

    String operation() {
        return operation;
    }

    /// The operation and its parameters, as in `Utf8Encoding/String text=ASCII length=64`.
    public String title() {
        StringBuilder title = new StringBuilder(operation);
        params.forEach((name, value) -> title.append(' ').append(name).append('=').append(value));
        return title.toString();
    }

    private List<Double> scoresOf(String side) {
        return scores.getOrDefault(side, List.of());
    }

    private Spread spread(String side) {
        return Spread.of(scoresOf(side), Double::doubleValue);
    }

    private Optional<String> best(Predicate<String> among) {
        Comparator<String> byMedian = Comparator.comparingDouble(side -> spread(side).median());
        return scores.keySet().stream()
                .filter(among)
                .max(higherIsBetter ? byMedian : byMedian.reversed());
    }

    private Optional<String> bestOther(Predicate<String> among) {
        return best(side -> !Side.isWeft(side) && among.test(side));
    }

    /// References of the JDK count only where there is no other.
    Optional<String> bestPeer() {
        return bestOther(side -> !Side.isReference(side)).or(() -> bestOther(Side::isReference));
    }

    /// The best of Weft's engines stands for it, as the best of Netty's transports does.
    Spread weftBeside(String peer) {
        List<Double> weft = best(Side::isWeft).map(this::scoresOf).orElse(List.of());
        List<Double> other = scoresOf(peer);
        double[] ratios = new double[Math.min(weft.size(), other.size())];
        for (int i = 0; i < ratios.length; i++) {
            ratios[i] = higherIsBetter ? weft.get(i) / other.get(i) : other.get(i) / weft.get(i);
        }
        return Spread.of(ratios);
    }

    List<Verdict> verdicts(Goals goals) {
        List<Verdict> verdicts = new ArrayList<>();
        Optional<String> weft = best(Side::isWeft);
        if (weft.isPresent()) {
            goals.of(this)
                    .forEach(
                            (beside, least) ->
                                    bestOther(Pattern.compile(beside).asMatchPredicate())
                                            .map(p -> new Verdict(p, weftBeside(p), least))
                                            .ifPresent(verdicts::add));
            goals.most(this).ifPresent(most -> verdicts.add(below(most, scoresOf(weft.get()))));
        }
        return verdicts;
    }

    /// Returns the verdict on the number of times that the scores fit below `most`.
    private static Verdict below(double most, List<Double> scores) {
        String limit = "<= " + BigDecimal.valueOf(most).stripTrailingZeros().toPlainString();
        return new Verdict(limit, Spread.of(scores, score -> most / score), 1);
    }

    public Entry entry(String group, Map<String, String> facts, Goals goals) {
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
            Comparator.comparing((String side) -> !Side.isWeft(side))
                    .thenComparing(Comparator.naturalOrder());
}
