package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import java.util.ArrayDeque;
import java.util.LinkedHashSet;
import java.util.concurrent.TimeUnit;
import java.util.function.LongSupplier;

/// Streams of a loop that wait to receive, because the ring had no buffer for them, or because it
/// has few and there was no memory to copy what came.
///
/// Each round feeds as many streams as the ring has buffers, longest wait first. A stream without
/// memory waits until it holds no buffer of the ring, the ring is no longer scarce, or there is
/// memory again. If that takes a second, the log says so, at most once a minute.
final class Starvation {
    /// Time without a buffer after which the log says so.
    static final long WARN_NANOS = TimeUnit.SECONDS.toNanos(1);

    /// Time between two such lines.
    static final long WARN_AGAIN_NANOS = TimeUnit.MINUTES.toNanos(1);

    /// Time between two looks for memory.
    static final long RETRY_NANOS = TimeUnit.MILLISECONDS.toNanos(100);

    private static final System.Logger LOGGER = System.getLogger("io.weft.transport.uring");

    private final ReceiveBuffers buffers;
    private final LongSupplier clock;
    private final ArrayDeque<UringInput> withoutBuffer = new ArrayDeque<>();
    private final LinkedHashSet<UringInput> withoutMemory = new LinkedHashSet<>();

    /// True if a stream waits. Read by threads that release buffers.
    private volatile boolean some;

    private boolean stuck;
    private long stuckSince;
    private long looked;
    private int warnings;
    private long lastWarning;

    Starvation(ReceiveBuffers buffers, LongSupplier clock) {
        this.buffers = buffers;
        this.clock = clock;
    }

    /// The ring had no buffer for `stream`.
    void addWithoutBuffer(UringInput stream) {
        withoutBuffer.add(stream);
        some = true;
    }

    /// The ring is scarce, and there is no memory to copy what `stream` receives.
    void addWithoutMemory(UringInput stream) {
        if (withoutMemory.isEmpty()) {
            looked = clock.getAsLong();
        }
        withoutMemory.add(stream);
        some = true;
    }

    /// Every buffer of the ring that `stream` had has come back.
    void holdsNothing(UringInput stream) {
        if (!withoutMemory.isEmpty() && withoutMemory.remove(stream)) {
            withoutBuffer.add(stream);
        }
    }

    /// Tells if a stream waits. Any thread.
    boolean isSome() {
        return some;
    }

    /// Lets streams receive that can.
    ///
    /// @return how long the loop may sleep, at most `timeoutNanos`
    long feed(long timeoutNanos) {
        return some ? feedSome(timeoutNanos) : timeoutNanos;
    }

    private long feedSome(long timeoutNanos) {
        if (!withoutMemory.isEmpty() && (!buffers.isScarce() || isMemoryBack())) {
            withoutBuffer.addAll(withoutMemory);
            withoutMemory.clear();
        }
        for (int n = buffers.home(); n > 0 && !withoutBuffer.isEmpty(); n--) {
            withoutBuffer.remove().feed();
        }
        some = !withoutBuffer.isEmpty() || !withoutMemory.isEmpty();
        if (!withoutBuffer.isEmpty() && !buffers.isEmpty()) {
            return 0; // the rest is for the next round
        }
        if (!some) {
            stuck = false;
            return timeoutNanos;
        }
        watch();
        return Math.min(timeoutNanos, withoutMemory.isEmpty() ? WARN_NANOS : RETRY_NANOS);
    }

    private boolean isMemoryBack() {
        long now = clock.getAsLong();
        if (now - looked < RETRY_NANOS) {
            return false;
        }
        looked = now;
        Buffer memory = SpareMemory.allocate(ReceiveBuffers.SIZE);
        if (memory != null) {
            memory.release();
        }
        return memory != null;
    }

    /// Says so where streams have waited for long.
    private void watch() {
        long now = clock.getAsLong();
        if (!stuck) {
            stuck = true;
            stuckSince = now;
        } else if (now - stuckSince >= WARN_NANOS
                && (warnings == 0 || now - lastWarning >= WARN_AGAIN_NANOS)) {
            warnings++;
            lastWarning = now;
            warn();
        }
    }

    /// Returns the number of lines that the log got.
    int warnings() {
        return warnings;
    }

    @SuppressWarnings("EmptyCatch") // there is nowhere left to report to
    private void warn() {
        int waiting = withoutBuffer.size() + withoutMemory.size();
        try {
            LOGGER.log(
                    System.Logger.Level.WARNING,
                    "receive buffers of this io_uring loop: "
                            + buffers.home()
                            + " of "
                            + ReceiveBuffers.COUNT
                            + " left for over a second, and "
                            + waiting
                            + " connections wait to receive (expected: handlers release what they"
                            + " received, and memory below io.weft.memory.max to copy what they"
                            + " keep)");
        } catch (Throwable loggerFailed) {
        }
    }
}
