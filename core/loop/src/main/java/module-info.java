import org.jspecify.annotations.NullMarked;

/// Floor 1: executors, the task queue, timers and promises. Knows neither bytes nor channels.
@NullMarked
module io.weft.loop {
    requires jdk.jfr;
    requires static transitive org.jspecify;

    exports io.weft.loop;
    exports io.weft.loop.queue;
}
