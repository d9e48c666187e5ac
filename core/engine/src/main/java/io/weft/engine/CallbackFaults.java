package io.weft.engine;

import org.jspecify.annotations.Nullable;

/// Throwables of callbacks during one poll. An engine notes each, goes on with the rest of its
/// batch and throws it at the end, for the loop to log. Owned by the loop's thread.
public final class CallbackFaults {
    private static final int MAX_SUPPRESSED = 16;

    private @Nullable Throwable first;
    private int suppressed;

    public CallbackFaults() {}

    /// Notes what a callback threw. The first is thrown in the end, with up to 16 further ones
    /// suppressed.
    public void add(Throwable fault) {
        if (first == null) {
            first = fault;
        } else if (first != fault && suppressed++ < MAX_SUPPRESSED) {
            first.addSuppressed(fault);
        }
    }

    /// Calls `action`, and notes what it throws.
    public void guard(Runnable action) {
        try {
            action.run();
        } catch (Throwable t) {
            add(t);
        }
    }

    /// Calls back for one channel. If that throws, `close` is called, and what was thrown goes on:
    /// a callback that throws costs its channel, as [Engine] says, which would else be deaf.
    public static void closeIfThrown(Runnable callback, Runnable close) {
        try {
            callback.run();
        } catch (Throwable t) {
            CallbackFaults faults = new CallbackFaults();
            faults.add(t);
            faults.guard(close);
            faults.rethrow();
        }
    }

    /// Throws what was noted, if anything, and forgets it.
    public void rethrow() {
        Throwable fault = first;
        if (fault != null) {
            first = null;
            suppressed = 0;
            CallbackFaults.<RuntimeException>sneak(fault);
        }
    }

    @SuppressWarnings({"unchecked", "TypeParameterUnusedInFormals"})
    private static <T extends Throwable> void sneak(Throwable fault) throws T {
        throw (T) fault;
    }
}
