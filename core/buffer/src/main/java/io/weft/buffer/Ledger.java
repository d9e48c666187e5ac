package io.weft.buffer;

import java.lang.ref.WeakReference;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// The exact list of open buffers, each with the place that opened it. Off unless `io.weft.leakLedger=true`: then every
/// buffer costs a stack trace, which is for tests.
public final class Ledger {
    private static final boolean ON = Boolean.getBoolean("io.weft.leakLedger");
    private static final Map<Key, Throwable> OPEN = new ConcurrentHashMap<>();

    /// Buffers are told apart by identity, whatever they contain, and may be collected: then their entry stays, and the leak
    /// detector finds them too.
    private static final class Key extends WeakReference<Buffer> {
        private final int hash;

        Key(Buffer buffer) {
            super(buffer);
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

    /// Where each buffer that is open now was opened. They are forgotten, so that one leak is reported once.
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
            OPEN.remove(new Key(buffer));
        }
    }
}
