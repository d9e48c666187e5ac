package io.weft.buffer;

import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/// The exact list of open buffers, each with the place that opened it. Off unless
/// `io.weft.leakLedger=true`: then every buffer costs two stack traces, which is for tests. Where a
/// buffer is used after its last release, that release is the cause of the exception.
public final class Ledger {
    private static final boolean ON = Boolean.getBoolean("io.weft.leakLedger");
    private static final Map<Key, Throwable> OPEN = new ConcurrentHashMap<>();

    /// The last release of buffers that are released and not yet collected.
    private static final Map<Key, Release> RELEASED = new ConcurrentHashMap<>();

    private static final ReferenceQueue<Buffer> COLLECTED = new ReferenceQueue<>();

    /// Buffers are told apart by identity, whatever they contain, and may be collected: then their
    /// entry stays, and the leak detector finds them too.
    private static final class Key extends WeakReference<Buffer> {
        private final int hash;

        Key(Buffer buffer) {
            super(buffer, COLLECTED);
            hash = System.identityHashCode(buffer);
        }

        @Override
        public boolean equals(Object other) {
            if (this == other) {
                return true;
            }
            Buffer buffer = get();
            return buffer != null && other instanceof Key key && key.refersTo(buffer);
        }

        @Override
        public int hashCode() {
            return hash;
        }
    }

    private Ledger() {}

    public static boolean isOn() {
        return ON;
    }

    /// Returns, and forgets, the place where each open buffer was opened, so that one leak is
    /// reported once.
    public static List<Throwable> takeOpen() {
        List<Throwable> open = List.copyOf(OPEN.values());
        OPEN.clear();
        return open;
    }

    static void opened(Buffer buffer) {
        if (ON) {
            OPEN.put(
                    new Key(buffer),
                    new Throwable("opened by " + Thread.currentThread().getName()));
        }
    }

    static void closed(Buffer buffer) {
        if (ON) {
            Key key = new Key(buffer);
            OPEN.remove(key);
            RELEASED.put(key, Release.here());
            for (Reference<?> gone; (gone = COLLECTED.poll()) != null; ) {
                RELEASED.remove(gone);
            }
        }
    }

    /// The place of the release that ended `buffer`; null when it is open, or the ledger is off.
    static @Nullable Throwable releaseOf(Buffer buffer) {
        Release release = ON ? RELEASED.get(new Key(buffer)) : null;
        return release == null ? null : release.asThrowable();
    }

    /// The place of a release: the innermost frames, as a whole trace for each would double what
    /// the ledger costs.
    private record Release(String thread, List<StackWalker.StackFrame> frames) {
        private static final int FRAMES = 12;
        private static final StackWalker WALKER = StackWalker.getInstance();

        static Release here() {
            return new Release(
                    Thread.currentThread().getName(),
                    WALKER.walk(frames -> frames.skip(2).limit(FRAMES).toList()));
        }

        Throwable asThrowable() {
            Throwable place = new Throwable("released by " + thread);
            place.setStackTrace(
                    frames.stream()
                            .map(StackWalker.StackFrame::toStackTraceElement)
                            .toArray(StackTraceElement[]::new));
            return place;
        }
    }
}
