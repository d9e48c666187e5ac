package io.weft.buffer.leak;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Finds resources that were dropped without being closed, by following a sample of them: cheap
/// enough for production, and sure to find a leak that goes on. What was dropped is reported after
/// the garbage collector has seen it: when the next resource is tracked, and buffers also by loops
/// between their rounds, by allocations that would fail at the cap, and by engines that have no
/// memory left to receive into.
///
/// As long as nothing has leaked, few stacks are recorded. The first leak puts the detector on
/// **alert**: from then on each sample has all of its stacks, so that the next leak at that place
/// is reported in full.
///
/// | level | resources followed | stacks | on alert |
/// | --- | --- | --- | --- |
/// | disabled | none | | |
/// | simple | a sample | none | of the allocation |
/// | advanced | a sample | of the allocation and of accesses 1, 4, 16, 64, ... without a hint | of all accesses |
/// | paranoid | all | of the allocation and of all accesses | |
///
/// Leaks are logged at WARNING to the logger `io.weft.leak`, once or twice a place, and are JFR
/// events of the name `io.weft.Leak`.
///
/// **Threads.** All methods may be called from any thread; none throws because of what was leaked
/// or recorded.
public final class LeakDetector {
    /// The extent to which resources are followed and recorded.
    public enum Level {
        DISABLED,
        SIMPLE,
        ADVANCED,
        PARANOID;

        /// The level that `io.weft.leakDetection.level` names, in any case; [#SIMPLE] unless it
        /// does.
        static Level named(@Nullable String name) {
            for (Level level : values()) {
                if (level.name().equals(name == null ? "" : name.toUpperCase(Locale.ROOT))) {
                    return level;
                }
            }
            return SIMPLE;
        }

        /// Tells if as much is done as at `other`.
        public boolean atLeast(Level other) {
            return compareTo(other) >= 0;
        }
    }

    /// The level that the properties set.
    static final Level LEVEL = Level.named(System.getProperty("io.weft.leakDetection.level"));

    static final int SAMPLING_INTERVAL =
            Math.max(1, Integer.getInteger("io.weft.leakDetection.samplingInterval", 128));
    static final int TARGET_RECORDS =
            Math.clamp(Integer.getInteger("io.weft.leakDetection.targetRecords", 4), 2, 1024);

    /// Is told that its resource was dropped while open. Kept in `open`: a reference that is
    /// garbage itself is never enqueued.
    static final class Dropped extends PhantomReference<Object> {
        final LeakTracker tracker;

        Dropped(Object resource, ReferenceQueue<Object> queue, LeakTracker tracker) {
            super(resource, queue);
            this.tracker = tracker;
        }
    }

    private static final LeakDetector BUFFERS = new LeakDetector("buffer");

    final Level level;
    final int targetRecords;
    private final int samplingInterval;
    final Leaks leaks;
    private final Set<Dropped> open = ConcurrentHashMap.newKeySet();
    private final ReferenceQueue<Object> queue = new ReferenceQueue<>();

    /// As the properties `io.weft.leakDetection.*` say.
    ///
    /// @param resource what reports call one of those that are tracked: "buffer"
    public LeakDetector(String resource) {
        this(resource, LEVEL, SAMPLING_INTERVAL, TARGET_RECORDS);
    }

    /// @param samplingInterval of how many resources one is followed, at random
    /// @param targetRecords how many accesses a report shows: the first and the last ones
    public LeakDetector(String resource, Level level, int samplingInterval, int targetRecords) {
        if (samplingInterval < 1) {
            throw new IllegalArgumentException(
                    "samplingInterval: " + samplingInterval + " (expected: at least 1)");
        }
        if (targetRecords < 2) {
            throw new IllegalArgumentException(
                    "targetRecords: " + targetRecords + " (expected: at least 2)");
        }
        this.level = level;
        this.samplingInterval = samplingInterval;
        this.targetRecords = targetRecords;
        this.leaks = new Leaks(resource);
    }

    /// The one that follows buffers, as the properties say.
    public static LeakDetector ofBuffers() {
        return BUFFERS;
    }

    /// Returns the extent to which resources are followed and recorded.
    public Level level() {
        return level;
    }

    /// Returns the number of resources of which one is followed, on average.
    public int samplingInterval() {
        return samplingInterval;
    }

    /// Follows `resource` if it falls to the sample; then its owner calls [LeakTracker#close] when
    /// it closes the resource.
    ///
    /// @return null when it is not followed
    public @Nullable LeakTracker track(Object resource) {
        if (level == Level.DISABLED
                || (level != Level.PARANOID
                        && samplingInterval > 1
                        && ThreadLocalRandom.current().nextInt(samplingInterval) != 0)) {
            return null;
        }
        return follow(resource);
    }

    /// As [#track], for one that has fallen to the sample.
    public LeakTracker follow(Object resource) {
        check();
        LeakTracker tracker = new LeakTracker(this, onAlert());
        Dropped dropped = new Dropped(resource, queue, tracker);
        tracker.watch(dropped);
        open.add(dropped);
        return tracker;
    }

    /// Reports what the garbage collector has found since the last time. Tracking does this too.
    /// Costs a read where nothing was found; to be called where a leak would hurt, as when memory
    /// runs short.
    public void check() {
        for (Reference<?> found = queue.poll(); found != null; found = queue.poll()) {
            Dropped dropped = (Dropped) found;
            if (open.remove(dropped)) {
                leaks.found(dropped.tracker);
            }
        }
    }

    /// Sets the listener that hears of every leak, on the thread that finds it; null for none.
    public void listener(@Nullable Consumer<LeakReport> listener) {
        leaks.listener = listener;
    }

    /// Returns the number of leaks that were found. With a sample there have been about
    /// `samplingInterval` times as many.
    public long leaks() {
        return leaks.found();
    }

    /// Resources that are followed now.
    public int open() {
        return open.size();
    }

    boolean onAlert() {
        return leaks.found() > 0;
    }

    boolean forget(Dropped dropped) {
        dropped.clear();
        return open.remove(dropped);
    }
}
