package io.weft.observe.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.EventLoopGroup;
import java.util.List;

/// Meters of the loops of a group.
///
/// | meter | of |
/// |---|---|
/// | `weft.loop.tasks` | tasks that were run |
/// | `weft.loop.tasks.pending` | tasks that wait |
/// | `weft.loop.lag` | seconds that the last timer was late |
/// | `weft.loop.busy` | seconds at work, by samples of the watchdog |
///
/// Tags are `group`, a name of the program's, and `loop`, a number.
public final class LoopMetrics implements MeterBinder {
    private static final double NANOS = 1e9;

    private final EventLoopGroup group;
    private final String name;

    /// @param group whose loops are measured, now and as long as the registry asks
    /// @param name the value of the tag `group`
    public LoopMetrics(EventLoopGroup group, String name) {
        this.group = group;
        this.name = name;
    }

    @Override
    public void bindTo(MeterRegistry registry) {
        List<EventLoop> loops = group.loops();
        for (int i = 0; i < loops.size(); i++) {
            bind(registry, loops.get(i), Tags.of("group", name, "loop", Integer.toString(i)));
        }
    }

    private static void bind(MeterRegistry registry, EventLoop loop, Tags tags) {
        FunctionCounter.builder("weft.loop.tasks", loop, l -> (double) l.statistics().tasksRun())
                .description("Tasks that were run")
                .tags(tags)
                .register(registry);
        Gauge.builder("weft.loop.tasks.pending", loop, EventLoop::pendingTasks)
                .description("Tasks that wait")
                .tags(tags)
                .register(registry);
        Gauge.builder("weft.loop.lag", loop, l -> l.statistics().lagNanos() / NANOS)
                .description("Lateness of the last timer")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
        FunctionCounter.builder("weft.loop.busy", loop, l -> l.statistics().busyNanos() / NANOS)
                .description("Time at work, by samples")
                .baseUnit("seconds")
                .tags(tags)
                .register(registry);
    }
}
