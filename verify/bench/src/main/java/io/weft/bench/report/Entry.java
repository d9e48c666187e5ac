package io.weft.bench.report;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One thing that was measured, on every side of it.
///
/// @param params its own, which tell it apart from others of its name
/// @param conditions what else it was measured under: machine, versions, plan
/// @param bytes allocated an operation, of the sides where that is known
/// @param ratio how many times better Weft is than its best peer, round by round; unknown when one
///     of them is missing
public record Entry(
        String name,
        Map<String, String> params,
        Map<String, @Nullable Object> conditions,
        String unit,
        boolean higherIsBetter,
        Map<String, Spread> sides,
        Map<String, Spread> bytes,
        Spread ratio,
        List<Verdict> verdicts) {

    /// The name and the parameters of its own.
    public String title() {
        StringBuilder title = new StringBuilder(name);
        params.forEach((param, value) -> title.append(' ').append(param).append('=').append(value));
        return title.toString();
    }

    /// Green when there is a goal and every goal is reached.
    public boolean isGreen() {
        return !verdicts.isEmpty() && verdicts.stream().allMatch(Verdict::isMet);
    }

    public boolean isRed() {
        return verdicts.stream().anyMatch(verdict -> !verdict.isMet());
    }

    /// As a JSON object.
    public Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> measured = new LinkedHashMap<>();
        sides.forEach(
                (side, spread) -> {
                    Map<String, @Nullable Object> fields = spread.fields();
                    Spread allocated = bytes.get(side);
                    if (allocated != null) {
                        fields.put("bytes_per_op", allocated.median());
                    }
                    measured.put(side, fields);
                });
        Map<String, @Nullable Object> with = new LinkedHashMap<>(params);
        with.putAll(conditions);
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("name", name);
        fields.put("params", with);
        fields.put("unit", unit);
        fields.put("better", higherIsBetter ? "higher" : "lower");
        fields.put("sides", measured);
        fields.put("ratio_vs_best_peer", ratio.isKnown() ? ratio.median() : null);
        if (!verdicts.isEmpty()) {
            fields.put("goals", verdicts.stream().map(Verdict::fields).toList());
            fields.put("verdict", isGreen() ? "green" : "red");
        }
        return fields;
    }
}
