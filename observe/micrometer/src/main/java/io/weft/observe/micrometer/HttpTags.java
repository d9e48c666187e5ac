package io.weft.observe.micrometer;

import io.weft.http.model.Method;
import io.weft.http.model.Status;
import java.time.Duration;
import java.util.Arrays;

/// Values of tags, of which there are few whatever peers send.
final class HttpTags {
    static final String NONE = "none";

    private HttpTags() {}

    /// Bounds of the buckets that the conventions advise for durations of requests.
    private static final int[] MILLIS = {
        5, 10, 25, 50, 75, 100, 250, 500, 750, 1000, 2500, 5000, 7500, 10_000
    };

    static Duration[] buckets() {
        return Arrays.stream(MILLIS).mapToObj(Duration::ofMillis).toArray(Duration[]::new);
    }

    static String method(Method method) {
        return method.isRegistered() ? method.name() : "_OTHER";
    }

    static String status(Status status) {
        return Integer.toString(status.code());
    }
}
