package io.weft.examples.dashboard;

import io.weft.eventloop.EventLoop;
import io.weft.http.events.EventStream;
import io.weft.http.events.EventStreamLimits;
import io.weft.http.events.ServerSentEvent;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.loop.Timeout;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// Snapshots of the figures once a period, to every browser that looks.
final class Feed implements AutoCloseable {
    /// A browser that takes snapshots more slowly than they come misses some.
    private static final EventStreamLimits ONE = EventStreamLimits.DEFAULT.withEvents(1);

    private final Figures figures;
    private final Duration period;
    private final Set<EventStream> viewers = ConcurrentHashMap.newKeySet();
    private volatile String latest = "{}";
    private volatile @Nullable Timeout timer;

    Feed(Figures figures, Duration period) {
        this.figures = figures;
        this.period = period;
    }

    /// Begins to take snapshots, by a timer on the first of the loops.
    void start(List<EventLoop> loops) {
        latest = figures.snapshot(loops);
        timer =
                loops.getFirst()
                        .schedule(
                                () -> publish(figures.snapshot(loops)),
                                period.toNanos(),
                                period.toNanos(),
                                TimeUnit.NANOSECONDS);
    }

    private void publish(String snapshot) {
        latest = snapshot;
        ServerSentEvent event = ServerSentEvent.of(snapshot);
        viewers.forEach(viewer -> viewer.send(event));
    }

    Response watch(Request request) {
        EventStream viewer = new EventStream(ONE);
        var _ = viewer.send(ServerSentEvent.of(latest));
        viewers.add(viewer);
        viewer.onClose(() -> viewers.remove(viewer));
        return viewer.response();
    }

    /// Ends the streams: they would hold up a server that closes.
    @Override
    public void close() {
        Timeout running = timer;
        if (running != null) {
            running.cancel();
        }
        viewers.forEach(EventStream::end);
    }
}
