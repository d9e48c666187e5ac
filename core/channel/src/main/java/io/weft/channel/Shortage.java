package io.weft.channel;

import java.util.concurrent.CopyOnWriteArrayList;

/// Listeners of this process that stopped accepting because no descriptor was left, and want to
/// hear of each that is closed; and the loops that have some to give, of channels that linger.
///
/// Descriptors are short in the process, not on a loop, so this is for all loops. While nothing
/// waits, a close costs one read.
final class Shortage {
    private static final CopyOnWriteArrayList<Runnable> WAITING = new CopyOnWriteArrayList<>();
    private static final CopyOnWriteArrayList<Lingering> OFFERED = new CopyOnWriteArrayList<>();
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
    static void prepare() {}

    /// @param retry called on whatever thread closes a descriptor, until forgotten; must not throw
    static synchronized void await(Runnable retry) {
        WAITING.addIfAbsent(retry);
        some = true;
    }

    static synchronized void forget(Runnable retry) {
        WAITING.remove(retry);
        some = !WAITING.isEmpty();
    }

    /// @param lingering asked for one descriptor each time that one is needed, until withdrawn
    static void offer(Lingering lingering) {
        OFFERED.add(lingering);
    }

    static void withdraw(Lingering lingering) {
        OFFERED.remove(lingering);
    }

    /// Has each loop give up the descriptor that lingers longest.
    static void descriptorNeeded() {
        OFFERED.forEach(Lingering::giveOne);
    }

    static void descriptorClosed() {
        if (some) {
            WAITING.forEach(Runnable::run);
        }
    }
}
