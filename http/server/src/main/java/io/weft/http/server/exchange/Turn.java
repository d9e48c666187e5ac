package io.weft.http.server.exchange;

import io.weft.eventloop.EventLoop;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// The work that a loop does for one connection before it looks after the others.
///
/// Clients that pipeline without end would otherwise hold the loop for as long as their input
/// lasts. A turn that is spent ends: the rest of the work waits for the next round, behind the I/O
/// of other connections.
public final class Turn {
    /// Of a part of a request: a head, a piece of a body, an end.
    public static final int PART = 1;

    /// Of a piece of a streamed answer, and of answers that were written because they had become
    /// many.
    public static final int PIECE = 8;

    /// The cost that one turn may reach: 64 requests without bodies, or 256 KiB of a streamed
    /// answer.
    static final int BUDGET = 128;

    private final EventLoop loop;
    private final Runnable rest;
    private int spent;
    private boolean over;

    /// @param rest does the work that was left, in the next turn
    public Turn(EventLoop loop, Runnable rest) {
        this.loop = loop;
        this.rest = rest;
    }

    /// Counts work that was done.
    ///
    /// @return whether there is some of the turn left
    public boolean spend(int cost) {
        spent += cost;
        return spent < BUDGET;
    }

    boolean isSpent() {
        return spent >= BUDGET;
    }

    /// Tells whether this turn is over, and work waits for the next one.
    public boolean isOver() {
        return over;
    }

    /// Begins a new turn, unless one is awaited: the loop came to this connection by itself.
    public void begin() {
        if (!over) {
            spent = 0;
        }
    }

    /// Leaves the rest of the work to the next turn.
    public void end() {
        if (over) {
            return;
        }
        over = true;
        try {
            // A timer, because tasks that bring about others run on for 16 ms before there is I/O
            // again.
            loop.schedule(this::next, 0, TimeUnit.NANOSECONDS);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and the connection with it.
        }
    }

    private void next() {
        over = false;
        spent = 0;
        rest.run();
    }
}
