package io.weft.eventloop.process;

import java.util.concurrent.CopyOnWriteArrayList;

/// Listeners of this process that stopped accepting because no descriptor was left, and want to
/// hear of each that is closed; and the loops that have some to give, of channels that linger.
///
/// Descriptors are short in the process, not on a loop, so this is for all loops. While nothing
/// waits, a close costs one read.
public final class Shortage {
    private static final CopyOnWriteArrayList<Runnable> WAITING = new CopyOnWriteArrayList<>();
    private static final CopyOnWriteArrayList<Runnable> OFFERED = new CopyOnWriteArrayList<>();
    private static volatile boolean some;

    static {
        // Everything that is needed when descriptors have run out is loaded and linked now.
        Runnable nobody = () -> {};
        await(nobody);
        descriptorClosed();
        forget(nobody);
        descriptorNeeded();
    }

    private Shortage() {}

    /// Loads the class.
    public static void prepare() {}

    /// @param retry called on whatever thread closes a descriptor, until forgotten; must not throw
    public static synchronized void await(Runnable retry) {
        WAITING.addIfAbsent(retry);
        some = true;
    }

    public static synchronized void forget(Runnable retry) {
        WAITING.remove(retry);
        some = !WAITING.isEmpty();
    }

    /// @param giveOne asks for one descriptor; called on any thread each time that one is needed,
    ///     until withdrawn
    public static void offer(Runnable giveOne) {
        OFFERED.add(giveOne);
    }

    public static void withdraw(Runnable giveOne) {
        OFFERED.remove(giveOne);
    }

    /// Has each loop give up the descriptor that lingers longest.
    public static void descriptorNeeded() {
        OFFERED.forEach(Runnable::run);
    }

    public static void descriptorClosed() {
        if (some) {
            WAITING.forEach(Runnable::run);
        }
    }
}
