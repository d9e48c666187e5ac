package io.weft.bench.transport.machine;

import io.weft.bench.report.Entry;
import io.weft.bench.report.Json;
import io.weft.bench.report.Spread;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Results as entries of a report, printed behind a line of their own: the emulated machine has no
/// file to write them to.
final class Results {
    /// Ahead of the list of entries.
    static final String JSON = "-- json --";

    private final List<Entry> entries = new ArrayList<>();

    /// Adds a measurement.
    ///
    /// @param sides by name; the first is ours
    /// @param peer that the ratio is to
    void add(
            String name,
            Map<String, String> params,
            String unit,
            Map<String, Spread> sides,
            String peer,
            Spread ratio) {
        Map<String, @Nullable Object> conditions = new LinkedHashMap<>();
        conditions.put("where", "emulated machine, " + System.getProperty("os.version"));
        conditions.put("peer", peer);
        entries.add(
                new Entry(
                        "transports/" + name,
                        params,
                        conditions,
                        unit,
                        true,
                        sides,
                        Map.of(),
                        ratio,
                        List.of()));
    }

    void print() {
        System.out.println(JSON);
        System.out.print(Json.write(entries.stream().map(Entry::fields).toList()));
    }
}
