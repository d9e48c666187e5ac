package io.weft.buffer;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;

/// The number of owners of a buffer: biased reference counts, after Choi, Shull and Torrellas,
/// "Biased Reference Counting: Minimizing Atomic Operations in Garbage Collection" (PACT 2018).
///
/// One thread, that of the block's [Bias], counts in `local` with plain writes; all others count in
/// `state` with atomics. The owners are as many as both say together. `state` is, from its low end,
/// the shared count plus [#ZERO] in 32 bits, [#MERGED], [#DEAD], [#QUEUED] and the number of its
/// changes.
///
/// - **The last release is decided by a CAS or an atomic subtraction on `state`**, so exactly one
///   of several that race wins; the others throw. But for the bias thread: where the block is
///   [confined][Block#confined] it ends a buffer that nobody else has touched with plain writes.
///   Another thread that wins at the same moment, which is a mistake of one of them, leaves the
///   block to the bias thread, and that one knows that it has sent it home: `local` is 0 and
///   nothing merged.
/// - While not merged, another thread reads `state`, then `local`, and its CAS on `state` shows
///   that both were true at one moment. A thread that owns the buffer counts at least itself, so
///   when the sum is 1 it is alone and nothing can change under it; when it is 0 it owned nothing.
///   (Its own share is in what it reads: it got the buffer by a happens-before edge.)
/// - While the shared count stays above 0, or at 0 beside a local one, others use one atomic
///   addition. A subtraction that makes it negative takes from the local count, so the buffer is
///   left to be *settled* by the bias thread: that one may be giving up its own last share with
///   plain writes at the same moment, and neither would see the other.
/// - The bias thread merges `local` into `state` when it gives up its last share while others
///   count, or sees a negative count. `local` is at least 1 before and 0 after, for good.
abstract sealed class Owned permits Region {
    private static final VarHandle LOCAL;
    private static final VarHandle STATE;

    static {
        try {
            var lookup = MethodHandles.lookup();
            LOCAL = lookup.findVarHandle(Owned.class, "local", int.class);
            STATE = lookup.findVarHandle(Owned.class, "state", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// One less than the most owners that either count may have: both together fit.
    static final int LIMIT = 1 << 29;

    private static final long ZERO = 1L << 30;
    private static final long MERGED = 1L << 32;
    private static final long DEAD = 1L << 33;
    private static final long QUEUED = 1L << 34;
    private static final long CHANGE = 1L << 35;
    private static final long UNTOUCHED = ZERO;

    /// Null once released.
    @Nullable Block block;

    /// Written by the bias thread only; 0 after merging. What gives up a share is written with
    /// release semantics, because another thread that reads it may hand the memory to a third.
    int local;

    @SuppressWarnings("UnusedVariable") // accessed by STATE
    long state;

    /// Starts with one owner, on this thread.
    Owned(Block block) {
        this.block = block;
        if (block.bias.isHere()) {
            local = 1;
            state = UNTOUCHED;
        } else {
            state = ZERO + MERGED + 1;
        }
    }

    /// Has no owner of its own from the beginning; see [Buffer#asUnreleasable].
    final void becomeView() {
        local = 0;
        state = DEAD;
    }

    /// Tells if owners of another buffer answer for this one.
    abstract boolean isView();

    /// Called once, by the thread that gave up the last share.
    abstract void closed();

    final Block alive() {
        Block b = block;
        if (b == null) {
            throw gone();
        }
        return b;
    }

    private IllegalReferenceCountException gone() {
        var e = new IllegalReferenceCountException(0, "at least 1");
        if (Ledger.isOn() && this instanceof Buffer buffer) {
            Throwable release = Ledger.releaseOf(buffer);
            if (release != null) {
                e.initCause(release);
            }
        }
        return e;
    }

    final void addOwner() {
        Block b = alive();
        int mine = local;
        if (mine > 0 && b.bias.isHere()) {
            if (mine >= LIMIT) {
                throw tooMany(mine);
            }
            local = mine + 1;
        } else {
            addShared();
        }
    }

    private void addShared() {
        long before = (long) STATE.getAndAdd(this, CHANGE + 1);
        int shared = count(before);
        if ((before & DEAD) != 0 || (shared <= 0 && (before & MERGED) != 0)) {
            STATE.getAndAdd(this, -1L);
            if (isView()) {
                return;
            }
            throw gone();
        }
        if (shared >= LIMIT) {
            STATE.getAndAdd(this, -1L);
            throw tooMany(shared);
        }
    }

    /// @return whether that was the last owner
    final boolean removeOwner() {
        Block b = alive();
        int mine = local;
        if (mine > 0 && b.bias.isHere()) {
            long now = (long) STATE.getAcquire(this);
            if (mine > 1 && count(now) >= 0) {
                LOCAL.setRelease(this, mine - 1);
                return false;
            }
            if (now == UNTOUCHED && endUntouched(b)) {
                local = 0;
                // Not looked at again: another thread that ends it too may have cleared it.
                finish(b);
                return true;
            }
            if (merge()) {
                throw gone();
            }
        }
        return removeShared(b);
    }

    private boolean endUntouched(Block b) {
        if (b.confined) {
            STATE.setRelease(this, DEAD);
            return true;
        }
        return STATE.compareAndSet(this, UNTOUCHED, DEAD);
    }

    private boolean removeShared(Block b) {
        while (true) {
            long now = (long) STATE.getAcquire(this);
            boolean merged = (now & MERGED) != 0;
            if (count(now) > (merged ? 1 : 0)) {
                return subtract(b);
            }
            int owners = count(now) + (merged ? 0 : (int) LOCAL.getAcquire(this));
            if (owners <= 0 || (now & DEAD) != 0) {
                if ((long) STATE.getVolatile(this) == now) {
                    if (isView()) {
                        return false;
                    }
                    throw gone();
                }
            } else if (owners == 1) {
                // Not by subtraction: between 1 and 0 a faulty retain could come and go.
                if (STATE.compareAndSet(this, now, now | DEAD)) {
                    finish();
                    return true;
                }
            } else if (STATE.compareAndSet(this, now, now + CHANGE - 1)) {
                leaveToSettle(b);
                return false;
            }
        }
    }

    /// Subtracts one owner from the shared count. Another owner was counted beside the caller a
    /// moment ago.
    private boolean subtract(Block b) {
        long before = (long) STATE.getAndAdd(this, CHANGE - 1);
        int shared = count(before);
        boolean merged = (before & MERGED) != 0;
        if ((before & DEAD) != 0 || (merged && shared < 1)) {
            STATE.getAndAdd(this, 1L);
            throw gone();
        }
        if (merged && shared == 1) {
            if (((long) STATE.getAndBitwiseOr(this, DEAD) & DEAD) != 0) {
                return false;
            }
            finish();
            return true;
        }
        if (shared <= 0) {
            leaveToSettle(b);
        }
        return false;
    }

    /// The shared count is negative now, and only the bias thread knows for certain whether its own
    /// makes up for that.
    private void leaveToSettle(Block b) {
        if (((long) STATE.getAndBitwiseOr(this, QUEUED) & QUEUED) == 0) {
            b.bias.push(this);
        }
    }

    /// Adds the local count to the shared one, for good. Bias thread only, while `local` > 0.
    ///
    /// @return true if the buffer has no owner
    private boolean merge() {
        int mine = local;
        long before = (long) STATE.getAndAdd(this, MERGED + CHANGE + mine);
        // Not earlier: who still reads the state from before has to find the count that belongs to
        // it.
        local = 0;
        if ((before & DEAD) != 0) {
            return true;
        }
        if (count(before) + mine > 0) {
            return false;
        }
        finish();
        return true;
    }

    /// Finishes what other threads' releases began. Bias thread only.
    final void settle() {
        if (local > 0) {
            merge();
        }
    }

    private void finish() {
        finish(alive());
    }

    private void finish(Block last) {
        block = null;
        closed();
        last.release(this);
    }

    /// Tells if the block's handle of a buffer that another thread has ended is still there. Bias
    /// thread only.
    final boolean mayEnd() {
        if (local == 0 && ((long) STATE.getAcquire(this) & MERGED) == 0) {
            return false; // this thread ended it at the same moment, by mistake of one of them
        }
        local = 0;
        return true;
    }

    final int owners() {
        long now = (long) STATE.getAcquire(this);
        if ((now & DEAD) != 0) {
            return 0;
        }
        return Math.max(0, count(now) + ((now & MERGED) != 0 ? 0 : local));
    }

    private static int count(long state) {
        return (int) state - (int) ZERO;
    }

    private static IllegalReferenceCountException tooMany(int owners) {
        return new IllegalReferenceCountException(owners, "at least 1 and below " + LIMIT);
    }
}
