package io.weft.bench.robustness;

import java.util.LinkedHashMap;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// One attack and what came of it.
///
/// @param anchor the figure of others, or why there is none
/// @param measured the figure; a reason where there is none
record Row(String attack, String goal, String anchor, String measured, Outcome outcome) {
    enum Outcome {
        GREEN,
        RED,
        /// It could not be measured here.
        UNKNOWN
    }

    static Outcome met(boolean met) {
        return met ? Outcome.GREEN : Outcome.RED;
    }

    /// As a JSON object.
    Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("name", "robustness/" + attack);
        fields.put("goal", goal);
        fields.put("anchor", anchor);
        fields.put("measured", measured);
        fields.put("verdict", outcome.name().toLowerCase(Locale.ROOT));
        return fields;
    }
}
