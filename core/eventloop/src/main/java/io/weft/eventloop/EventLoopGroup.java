package io.weft.eventloop;

import io.weft.engine.Engine;
import io.weft.engine.EngineProvider;
import io.weft.engine.EngineUnavailableException;
import io.weft.loop.Future;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// A fixed number of event loops, all with the same kind of engine.
///
/// ```java
/// try (EventLoopGroup group = EventLoopGroup.create()) { … }
/// ```
public final class EventLoopGroup implements AutoCloseable {
    private static final AtomicInteger GROUPS = new AtomicInteger();

    private final String transport;
    private final List<EventLoop> loops;
    private final AtomicInteger next = new AtomicInteger();

    /// A group on engines of `provider`.
    ///
    /// @throws EngineUnavailableException when it does not make as many engines
    public EventLoopGroup(EngineProvider provider, int count) throws EngineUnavailableException {
        transport = provider.name();
        String name = "weft-" + GROUPS.incrementAndGet() + "-";
        List<EventLoop> made = new ArrayList<>(count);
        for (Engine engine : engines(provider, count)) {
            made.add(new EventLoop(engine, name + made.size()));
        }
        loops = List.copyOf(made);
    }

    /// All of them or none.
    private static List<Engine> engines(EngineProvider provider, int count)
            throws EngineUnavailableException {
        List<Engine> engines = new ArrayList<>(count);
        try {
            while (engines.size() < count) {
                engines.add(provider.create());
            }
            return engines;
        } catch (EngineUnavailableException e) {
            engines.forEach(Engine::close);
            throw new EngineUnavailableException(
                    "loop " + engines.size() + " of " + count + ": " + e.getMessage());
        }
    }

    private EventLoopGroup(String transport, List<EventLoop> loops) {
        this.transport = transport;
        this.loops = loops;
    }

    /// A group of loops that their callers drive. It goes round when they do, so it is not to be
    /// waited for on their threads: closing the loops closes the group.
    ///
    /// @throws IllegalArgumentException without a loop
    public static EventLoopGroup of(ManualEventLoop... loops) {
        if (loops.length == 0) {
            throw new IllegalArgumentException("loops: none (expected: at least 1)");
        }
        return new EventLoopGroup(
                loops[0].transport(), Stream.of(loops).map(ManualEventLoop::eventLoop).toList());
    }

    /// A group with a loop a processor, on the best engine that works here, for all of its loops.
    /// The first call in a process logs one line that says which engine was chosen and why; so does
    /// one that has to take another. `-Dio.weft.transport=epoll` overrides the choice.
    public static EventLoopGroup create() {
        return create(Runtime.getRuntime().availableProcessors());
    }

    /// Like [#create()], with a number of loops.
    public static EventLoopGroup create(int loops) {
        return create(Engines.AUTO, loops);
    }

    /// A group on an engine of one kind: `io_uring`, `epoll`, `nio`, or `auto`: what
    /// `io.weft.transport` says, else the best that works.
    ///
    /// @throws IllegalArgumentException when there is no such kind, or `loops` is not positive
    /// @throws IllegalStateException when that kind does not work here, or not for so many loops;
    ///     the message says why
    public static EventLoopGroup create(String transport, int loops) {
        if (loops < 1 || loops > 1024) {
            throw new IllegalArgumentException("loops: " + loops + " (expected: 1 to 1024)");
        }
        return Engines.make(transport, provider -> new EventLoopGroup(provider, loops));
    }

    /// The kind of engine: `io_uring`, `epoll` or `nio`.
    public String transport() {
        return transport;
    }

    public List<EventLoop> loops() {
        return loops;
    }

    /// The next loop in turn.
    public EventLoop next() {
        return loops.size() == 1
                ? loops.get(0)
                : loops.get(Math.floorMod(next.getAndIncrement(), loops.size()));
    }

    /// Returns the loop of this group that the caller is on; null elsewhere.
    public @Nullable EventLoop current() {
        for (EventLoop loop : loops) {
            if (loop.inLoop()) {
                return loop;
            }
        }
        return null;
    }

    /// Returns the loop of this group that the caller is on, so that what begins there costs no
    /// hand-over; elsewhere the next in turn.
    public EventLoop nearest() {
        EventLoop here = current();
        return here == null ? next() : here;
    }

    /// Closes all channels in order and ends the loops, at the latest after 15 seconds.
    public CompletionStage<Void> shutdownGracefully() {
        return shutdownGracefully(Duration.ofSeconds(15));
    }

    /// All loops are asked to end before any is waited for. Idle loops end at once.
    public CompletionStage<Void> shutdownGracefully(Duration timeout) {
        CompletableFuture<?>[] ends = new CompletableFuture<?>[loops.size()];
        for (int i = 0; i < ends.length; i++) {
            Future<Void> end = loops.get(i).shutdownGracefully(Duration.ZERO, timeout);
            ends[i] = end.toCompletionStage().toCompletableFuture();
        }
        return CompletableFuture.allOf(ends);
    }

    /// Shuts down and waits for the end. Not to be called on one of its loops, nor by the thread
    /// that drives them.
    ///
    /// @throws IllegalStateException when it is
    @Override
    public void close() {
        for (EventLoop loop : loops) {
            if (loop.inLoop() || (loop.isDriver() && !loop.isTerminated())) {
                throw new IllegalStateException(
                        "close called on " + loop + " (expected: another thread)");
            }
        }
        shutdownGracefully().toCompletableFuture().join();
    }
}
