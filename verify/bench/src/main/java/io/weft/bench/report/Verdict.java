package io.weft.bench.report;

import java.util.LinkedHashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A comparison that tells if Weft is as many times better than a peer as it is meant to be.
///
/// @param beside the peer: the best of those that the goal is about
/// @param ratio over that peer, round by round
/// @param least the median that the goal asks for
public record Verdict(String beside, Spread ratio, double least) {
    public boolean isMet() {
        return ratio.median() >= least;
    }

    /// Tells if the rounds do not agree.
    public boolean isDisputed() {
        return ratio.min() < least && ratio.max() >= least;
    }

    Map<String, @Nullable Object> fields() {
        Map<String, @Nullable Object> fields = new LinkedHashMap<>();
        fields.put("beside", beside);
        fields.put("ratio", ratio.fields());
        fields.put("least", least);
        return fields;
    }
}
