package io.weft.eventloop;

import io.weft.engine.Engine;
import io.weft.loop.Clock;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.time.Duration;

/// An event loop without a thread: it goes round when its caller says so, on the caller's thread.
/// For programs that have a main loop already, and for simulations that step through time.
///
/// ```java
/// try (ManualEventLoop loop = ManualEventLoop.create()) {
///     var server = new ServerBootstrap(EventLoopGroup.of(loop)).childHandler(…).bind(address);
///     while (running) {
///         loop.run(Duration.ofMillis(16));
///         draw();
///     }
/// }
/// ```
///
/// The thread that makes it is the only one that drives it, and is in the loop all the time: it may
/// use channels between rounds as handlers do; but not of a [stepped][#stepped] one. Other threads
/// use channels as they always do, and may call [#wakeUp].
public final class ManualEventLoop implements AutoCloseable {
    private static final Duration LONG = Duration.ofDays(1);

    private final Thread thread = Thread.currentThread();
    private final String transport;
    private final EventLoop loop;
    private final ManualExecutor executor;

    /// A loop on an engine of the caller's.
    ///
    /// @param transport what kind of engine it is, for [EventLoopGroup#transport]
    /// @param engine becomes the loop's
    /// @param clock what timers go by; a [ManualClock] makes for virtual time
    public ManualEventLoop(String transport, Engine engine, Clock clock) {
        this(transport, new EventLoop(engine, clock));
    }

    private ManualEventLoop(String transport, EventLoop loop) {
        this.transport = transport;
        this.loop = loop;
        executor = (ManualExecutor) loop.executor();
    }

    /// One of several loops that take turns on one thread, in a simulation: each is as strange to
    /// the others as if it had a thread of its own, and the thread is in none of them between their
    /// rounds.
    ///
    /// @param transport what kind of engine it is, for [EventLoopGroup#transport]
    /// @param engine becomes the loop's
    /// @param clock what timers go by
    public static ManualEventLoop stepped(String transport, Engine engine, Clock clock) {
        return new ManualEventLoop(transport, EventLoop.stepped(engine, clock));
    }

    /// A loop on the best engine that works here, in real time.
    public static ManualEventLoop create() {
        return create(Engines.AUTO);
    }

    /// A loop on an engine of one kind, as [EventLoopGroup#create(String, int)] takes it, in real
    /// time.
    ///
    /// @throws IllegalArgumentException when there is no such kind
    /// @throws IllegalStateException when that kind does not work here; the message says why
    public static ManualEventLoop create(String transport) {
        return Engines.make(
                transport,
                provider ->
                        new ManualEventLoop(provider.name(), provider.create(), Clock.system()));
    }

    /// The loop that channels see. Shutting it down takes rounds; a wait for its end on this
    /// thread is refused.
    public EventLoop eventLoop() {
        return loop;
    }

    /// The kind of engine.
    public String transport() {
        return transport;
    }

    /// Goes round once without waiting: moves bytes, runs timers that are due, then tasks. Does
    /// nothing once it has ended.
    ///
    /// @return how many timers and tasks ran
    /// @throws IllegalStateException on another thread than its own, or from within a round
    public int runNow() {
        return driven().runNow();
    }

    /// Goes round once, but waits first when there is nothing to do: for bytes, a task, a timer or
    /// [#wakeUp]; at most for `atMost`. It may return early. Who is interrupted does not wait, and
    /// keeps the flag; an interrupt that comes later does not end the wait in every engine.
    ///
    /// @return how many timers and tasks ran
    /// @throws IllegalArgumentException when `atMost` is negative
    /// @throws IllegalStateException on another thread than its own, or from within a round
    public int run(Duration atMost) {
        return driven().run(atMost);
    }

    /// Goes round without waiting until no task and no timer ran.
    ///
    /// @return how many ran
    /// @throws IllegalStateException on another thread than its own
    public int runPending() {
        return driven().runPending();
    }

    /// Moves virtual time forward, from timer to timer.
    ///
    /// @throws IllegalArgumentException when `time` is negative
    /// @throws IllegalStateException on another thread than its own, or when the clock is no
    ///     [ManualClock]
    public void advance(Duration time) {
        driven().advance(time);
    }

    /// Nanoseconds on the clock until a timer is due, at most 0 when there is something to do now,
    /// `Long.MAX_VALUE` when only bytes or a task from elsewhere can change that. For who waits by
    /// himself, or moves the time of several loops.
    public long untilNext() {
        return driven().untilNext();
    }

    private ManualExecutor driven() {
        Thread current = Thread.currentThread();
        if (current != thread) {
            throw new IllegalStateException(
                    "driven by " + current + " (expected: " + thread + ", which made the loop)");
        }
        return executor;
    }

    /// Makes a [#run] that waits now, or else the next one that would, return. Any thread.
    public void wakeUp() {
        executor.wakeUp();
    }

    /// Closes its channels in order and ends the loop, within 15 seconds on its clock.
    ///
    /// @throws IllegalStateException on another thread than its own, or from within a round
    @Override
    public void close() {
        Future<Void> _ = driven().shutdownGracefully();
        if (loop.clock() instanceof ManualClock) {
            executor.advance(Duration.ofSeconds(15));
        }
        boolean interrupted = false;
        while (!executor.isTerminated()) {
            interrupted |= Thread.interrupted();
            int _ = executor.run(LONG);
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }

    @Override
    public String toString() {
        return "ManualEventLoop[" + transport + ", " + executor + "]";
    }
}
