package io.weft.http.server.exchange;

import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.FinishedExchange;
import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// The filters of an exchange, and what they are told when it has ended. Only servers with filters
/// have these. Thread: the loop.
final class FilterRun {
    final Filters filters;

    /// Filters have heard of the end of the last exchange.
    private boolean told = true;

    private long beganAt;
    private @Nullable Response answer;
    private long sent;

    FilterRun(Filters filters) {
        this.filters = filters;
    }

    /// Begins an exchange.
    ///
    /// @param now nanoseconds
    void begin(long now) {
        told = false;
        beganAt = now;
        answer = null;
        sent = 0;
    }

    /// Remembers the answer, whose head is out.
    void answer(Response response) {
        answer = response;
    }

    /// Counts bytes of the answer's body that have been handed over.
    void sent(long bytes) {
        sent += bytes;
    }

    /// Tells filters of the end, once.
    ///
    /// @param route null where there is none
    /// @param whole whether the answer was completed
    void finish(Request request, @Nullable String route, long now, boolean whole) {
        if (told) {
            return;
        }
        told = true;
        Duration time = Duration.ofNanos(now - beganAt);
        filters.finished(new FinishedExchange(request, route, answer, sent, time, whole));
        answer = null;
        sent = 0;
    }
}
