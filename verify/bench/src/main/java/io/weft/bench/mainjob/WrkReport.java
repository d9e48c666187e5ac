package io.weft.bench.mainjob;

import java.io.IOException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.MatchResult;
import java.util.regex.Pattern;

/// The counts of one run of wrk, or of `saturate`.
///
/// @param seconds the time for which it ran
/// @param p99Micros 99th percentile of the time from sending a batch of requests to its last answer
/// @param errors failed connects, reads and writes, timeouts, and answers that are not 2xx or 3xx
public record WrkReport(long requests, double seconds, long p99Micros, long errors) {
    private static final Pattern LINE = Pattern.compile("^weft-wrk .*$", Pattern.MULTILINE);
    private static final Pattern FIELD = Pattern.compile("(\\w+)=(\\d+)");
    private static final List<String> ERRORS =
            List.of("connect", "read", "write", "status", "timeout");

    /// Reads the line that `report.lua` prints, and `saturate`.
    public static WrkReport parse(String output) throws IOException {
        String line =
                LINE.matcher(output)
                        .results()
                        .map(MatchResult::group)
                        .findFirst()
                        .orElseThrow(() -> new IOException("wrk failed: " + output.strip()));
        Map<String, Long> fields = new HashMap<>();
        FIELD.matcher(line)
                .results()
                .forEach(field -> fields.put(field.group(1), Long.parseLong(field.group(2))));
        return new WrkReport(
                get(fields, "requests"),
                get(fields, "micros") / 1e6,
                get(fields, "p99"),
                ERRORS.stream().mapToLong(error -> get(fields, error)).sum());
    }

    private static long get(Map<String, Long> fields, String name) {
        return fields.getOrDefault(name, 0L);
    }

    public double requestsPerSecond() {
        return requests / seconds;
    }
}
