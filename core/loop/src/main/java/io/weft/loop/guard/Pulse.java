package io.weft.loop.guard;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;

/// The sign of life that a loop shows to the watchdog: a number that is odd while the loop may be
/// waiting and changes with each round. The loop alone writes, without a fence; other threads read
/// a value that is at most a moment old.
public final class Pulse {
    private static final VarHandle BEAT = beatHandle();

    @SuppressWarnings("UnusedVariable") // accessed by BEAT
    private long beat;

    private long mine; // the loop's own copy

    private static VarHandle beatHandle() {
        try {
            return MethodHandles.lookup().findVarHandle(Pulse.class, "beat", long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    public void waits() {
        show(mine | 1);
    }

    public void works() {
        boolean waited = (mine & 1) != 0;
        show((mine | 1) + 1);
        if (waited) {
            Rest.OF_WATCHDOG.end();
        }
    }

    private void show(long now) {
        mine = now;
        BEAT.setOpaque(this, now);
    }

    public long read() {
        return (long) BEAT.getOpaque(this);
    }
}
