package io.weft.bench.report;

import java.util.Arrays;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.ToDoubleFunction;
import org.jspecify.annotations.Nullable;

/// Median and range of some samples.
public record Spread(double median, double min, double max) {
    public static final Spread UNKNOWN = new Spread(Double.NaN, Double.NaN, Double.NaN);

    /// Of no sample: [#UNKNOWN].
    public static Spread of(double... samples) {
        if (samples.length == 0) {
            return UNKNOWN;
        }
        double[] sorted = samples.clone();
        Arrays.sort(sorted);
        int middle = sorted.length / 2;
        double median =
                sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
        return new Spread(median, sorted[0], sorted[sorted.length - 1]);
    }

    public static <T> Spread of(List<T> samples, ToDoubleFunction<T> value) {
        return of(samples.stream().mapToDouble(value).toArray());
    }

    public boolean isKnown() {
        return !Double.isNaN(median);
    }

    /// As the values of a JSON object.
    public Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("median", median);
        fields.put("min", min);
        fields.put("max", max);
        return fields;
    }
}
