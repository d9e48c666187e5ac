package io.weft.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The handshake that tells if a loop sleeps, and decides which thread wakes it.
///
/// A task whose producer thought the loop awake must not lie there while the loop sleeps. So each
/// side writes first, then reads what the other wrote, all of it volatile, so that there is one
/// order in which all of it happened:
///
/// - a producer publishes its task, or announces that it is about to, by a volatile write, then
///   calls [#claim], which looks for `ASLEEP`;
/// - the loop calls [#fallAsleep], which sets `ASLEEP`, and looks for a task; only if there is none
///   it waits.
///
/// In every interleaving, at least one of the two sees the other. The producer that clears
/// `ASLEEP` is the one that wakes the loop, once a sleep. It counts itself meanwhile, so that the
/// loop can tell when no wake-up is under way and what they write to, perhaps a descriptor that is
/// about to be reused, may be closed.
///
/// `word` is only changed by read-modify-write: by the loop (`ASLEEP` on and off, `NOT_STARTED`
/// off) and by wakers (`ASLEEP` off, and their count).
final class Wake {
    private static final VarHandle WORD = wordHandle();
    private static final int ASLEEP = 1;
    private static final int NOT_STARTED = 2;
    private static final int WAKER = 4; // the unit in which wakers are counted

    private volatile int word = NOT_STARTED;

    private static VarHandle wordHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Wake.class, "word", int.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    // ---- any thread ----

    /// False once the loop's thread runs.
    boolean isNotStarted() {
        return (word & NOT_STARTED) != 0;
    }

    /// To be called after a volatile write of what the loop has to look at: true when the caller
    /// has to wake the loop, and then call [#claimed].
    boolean claim() {
        int seen = word;
        while ((seen & ASLEEP) != 0) {
            int found = (int) WORD.compareAndExchange(this, seen, (seen & ~ASLEEP) + WAKER);
            if (found == seen) {
                return true;
            }
            seen = found;
        }
        return false;
    }

    /// Ends what a successful [#claim] began.
    void claimed() {
        WORD.getAndAdd(this, -WAKER);
    }

    // ---- the loop ----

    void started() {
        WORD.getAndBitwiseAnd(this, ~NOT_STARTED);
    }

    /// Announces that the loop is about to wait; it must look for tasks once more before it does.
    void fallAsleep() {
        WORD.getAndBitwiseOr(this, ASLEEP);
    }

    void wokenUp() {
        WORD.getAndBitwiseAnd(this, ~ASLEEP);
    }

    /// True while a wake-up is under way.
    boolean hasClaims() {
        return (word & -WAKER) != 0;
    }
}
