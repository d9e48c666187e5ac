package io.weft.examples.dashboard;

import io.weft.buffer.AllocatorMetrics;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Channel;
import io.weft.eventloop.EventLoop;
import io.weft.http.model.Response;
import io.weft.http.server.FinishedExchange;
import io.weft.http.server.HttpFilter;
import io.weft.loop.LoopStatistics;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.atomic.LongAccumulator;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;

/// Figures of a server so far: its connections, requests, loops and buffers. As a filter it sees
/// every request at its end.
final class Figures implements HttpFilter {
    private static final double NANOS_PER_MILLI = 1e6;

    private final String ignored;
    private final LongAdder connections = new LongAdder();
    private final LongAdder requests = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder nanos = new LongAdder();
    private final LongAccumulator slowest = new LongAccumulator(Math::max, 0);

    /// @param ignored the route of requests that are not counted
    Figures(String ignored) {
        this.ignored = ignored;
    }

    void opened(Channel channel) {
        connections.increment();
        var _ = channel.closeFuture().addListener(_ -> connections.decrement());
    }

    @Override
    public void finished(FinishedExchange exchange) {
        if (ignored.equals(exchange.route())) {
            return;
        }
        requests.increment();
        long took = exchange.time().toNanos();
        nanos.add(took);
        slowest.accumulate(took);
        Response response = exchange.response();
        if (response == null || response.status().code() >= 500) {
            failed.increment();
        }
    }

    /// Takes a snapshot, as JSON in one line: numbers so far, but for the state of connections,
    /// tasks that wait, lateness and memory, and for the slowest request since the snapshot before.
    String snapshot(List<EventLoop> loops) {
        AllocatorMetrics memory = BufferAllocator.pooled().metrics();
        return String.format(
                Locale.ROOT, // a point in numbers
                """
                {"at":%.3f,"connections":%d,"requests":%d,"failed":%d,"millis":%.3f,"slowest":%.3f,\
                "loops":[%s],"memory":{"used":%d,"reserved":%d,"limit":%d}}""",
                System.nanoTime() / NANOS_PER_MILLI,
                connections.sum(),
                requests.sum(),
                failed.sum(),
                nanos.sum() / NANOS_PER_MILLI,
                slowest.getThenReset() / NANOS_PER_MILLI,
                loops.stream().map(Figures::of).collect(Collectors.joining(",")),
                memory.used(),
                memory.reserved(),
                memory.limit());
    }

    private static String of(EventLoop loop) {
        LoopStatistics statistics = loop.statistics();
        return String.format(
                Locale.ROOT,
                "{\"tasks\":%d,\"pending\":%d,\"lag\":%.3f,\"busy\":%.3f}",
                statistics.tasksRun(),
                statistics.pendingTasks(),
                statistics.lagNanos() / NANOS_PER_MILLI,
                statistics.busyNanos() / NANOS_PER_MILLI);
    }
}
