package io.weft.buffer.leak;

import io.weft.buffer.leak.LeakDetector.Dropped;
import io.weft.buffer.leak.LeakDetector.Level;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Follows one resource from [LeakDetector#track] to [#close].
///
/// **Threads.** Several may record at the same time; then some records may get lost, and no more.
public final class LeakTracker {
    /// The place and the caller of an access, as a stack trace. The stack is taken by the virtual
    /// machine's own walk, which is quicker than a `StackWalker` of any depth, and is put into
    /// words only by a report.
    private static final class Position extends Throwable {
        @java.io.Serial private static final long serialVersionUID = 1;

        Position() {
            super(null, null, false, true);
        }
    }

    /// One access. The hint is a text: a reference to an object that knows the resource would keep
    /// it from being found.
    private record Access(
            int number, String thread, @Nullable String hint, @Nullable Position position) {}

    private final LeakDetector detector;
    private final boolean everyStack;
    private final boolean records;
    private final @Nullable Position allocation;
    private @Nullable Dropped dropped;

    /// The first access, the newest with a stack, then a ring of the newest.
    private final @Nullable Access[] kept;

    private int accesses;

    LeakTracker(LeakDetector detector, boolean onAlert) {
        Level level = detector.level;
        this.detector = detector;
        this.everyStack = level == Level.PARANOID || onAlert;
        this.records = level.atLeast(Level.ADVANCED);
        this.allocation = records || onAlert ? new Position() : null;
        this.kept = new @Nullable Access[records ? detector.targetRecords + 1 : 0];
    }

    void watch(Dropped reference) {
        dropped = reference;
    }

    /// Remembers that the resource was accessed here; at level simple, nothing.
    public void record() {
        record(null);
    }

    /// Remembers that the resource was accessed here.
    ///
    /// @param hint says what for: its text is taken at once. With a hint, the stack is recorded on
    ///     alert only
    public void record(@Nullable Object hint) {
        if (!records) {
            return;
        }
        int number = ++accesses;
        boolean stack = everyStack || (hint == null && isPowerOfFour(number));
        Access access =
                new Access(
                        number,
                        Thread.currentThread().getName(),
                        text(hint),
                        stack ? new Position() : null);
        if (number == 1) {
            kept[0] = access;
            return;
        }
        if (stack) {
            kept[1] = access;
        }
        // Two numbers at once in case of a race, so not trusted to be positive or new.
        kept[2 + Math.floorMod(number, kept.length - 2)] = access;
    }

    private static boolean isPowerOfFour(int number) {
        return (number & (number - 1)) == 0 && (number & 0x5555_5555) != 0;
    }

    private static @Nullable String text(@Nullable Object hint) {
        if (hint == null || hint instanceof String) {
            return (String) hint;
        }
        try {
            return hint.toString();
        } catch (Throwable t) {
            return hint.getClass().getName() + " (its toString failed: " + t.getClass() + ")";
        }
    }

    /// The resource is being closed; to be called while it can be reached.
    ///
    /// @return false when it had been closed before
    public boolean close() {
        Dropped reference = dropped;
        return reference != null && detector.forget(reference);
    }

    /// Tells if another leak at the same place would not say more.
    boolean isFull() {
        return allocation != null && (everyStack || !records);
    }

    LeakReport report(String resource) {
        List<LeakReport.Access> shown = new ArrayList<>();
        java.util.Arrays.stream(kept)
                .filter(Objects::nonNull)
                .distinct()
                .sorted(Comparator.comparingInt(Access::number))
                .forEach(
                        access ->
                                shown.add(
                                        new LeakReport.Access(
                                                access.number,
                                                access.thread,
                                                access.hint,
                                                frames(access.position))));
        return new LeakReport(resource, frames(allocation), accesses, List.copyOf(shown));
    }

    private static List<StackTraceElement> frames(@Nullable Position position) {
        return position == null ? List.of() : LeakReport.withoutTracking(position.getStackTrace());
    }
}
