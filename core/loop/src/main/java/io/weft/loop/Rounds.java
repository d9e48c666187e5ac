package io.weft.loop;

import io.weft.loop.guard.Faults;
import io.weft.loop.guard.Pulse;
import java.util.concurrent.locks.LockSupport;

/// The body of a loop: the rounds that it makes, on whichever thread.
///
/// Each round polls the driver, which may wait, runs timers that are due, then tasks. What other
/// threads hand over goes through [#agenda]; they call [#wakeIfAsleep] then.
///
/// All but `agenda`, `shutdown`'s request, [#wakeIfAsleep] and [#wakeUp] is for the thread that
/// goes round.
final class Rounds {
    /// Rounds in vain, over a task that was announced and not published, after which its producer
    /// is let run.
    private static final int SPINS = 16;

    final Agenda agenda;
    final Shutdown shutdown;
    final Wake wake = new Wake();
    final Pulse pulse = new Pulse();

    private final EventExecutor owner;
    private final LoopDriver driver;
    private final Clock clock;

    /// True if the thread belongs to the loop, so that an interrupt of it means nothing.
    private final boolean ownThread;

    private final boolean yields;
    private boolean mayYield;
    private int stalls;
    private boolean ran; // something, since it was last noted

    /// Number of tasks left to run of those that were handed over before the shutdown was asked
    /// for; negative before it was seen.
    private long dueBeforeShutdown = -1;

    private volatile boolean woken; // by wakeUp, since the last poll

    Rounds(EventExecutor owner, LoopDriver driver, Clock clock, Agenda agenda, boolean ownThread) {
        this.owner = owner;
        this.driver = driver;
        this.clock = clock;
        this.agenda = agenda;
        this.ownThread = ownThread;
        shutdown = new Shutdown(owner);
        yields = ownThread && driver.yields();
    }

    // ---- any thread ----

    /// To be called by another thread than the loop's after it has handed something over.
    void wakeIfAsleep() {
        if (wake.claim()) {
            driver.wakeup();
            wake.claimed();
        }
    }

    /// Makes the poll that waits now, or else the next one that would, return.
    void wakeUp() {
        woken = true;
        wakeIfAsleep();
    }

    // ---- who goes round ----

    /// One round.
    ///
    /// @param mostNanos how long the driver may wait at most, when there is nothing to do
    /// @return how many timers and tasks ran
    int round(long mostNanos) {
        poll(Math.min(mostNanos, pollTimeout()));
        int timers = agenda.runTimers();
        int tasks = agenda.runTasks();
        mayYield = tasks > 0 && yields;
        int count = timers + tasks;
        ran |= count > 0;
        if (dueBeforeShutdown > 0) {
            dueBeforeShutdown -= Math.min(tasks, dueBeforeShutdown);
        }
        if (count == 0) {
            awaitPublication();
        }
        return count;
    }

    /// The next task's producer is between announcing and publishing it: a few instructions, unless
    /// it was preempted there.
    @SuppressWarnings("ThreadPriorityCheck") // nothing but the producer can end this
    private void awaitPublication() {
        if (!agenda.hasTasks()) {
            stalls = 0;
        } else if (++stalls % SPINS != 0) {
            Thread.onSpinWait();
        } else {
            Thread.yield();
        }
    }

    /// True when the loop may [end][#end]. To be asked after each round: a shutdown begins here,
    /// behind the tasks that were handed over before it, so that the driver closes nothing that
    /// these still use.
    boolean isOver() {
        if (!shutdown.isRequested()) {
            return false;
        }
        noteRan();
        if (shutdown.isNew()) {
            if (dueBeforeShutdown < 0) {
                dueBeforeShutdown = agenda.size();
            }
            if (dueBeforeShutdown > 0 && agenda.hasTasks()) {
                return false;
            }
            shutdown.begin(clock.nanoTime());
            driver.shuttingDown();
        }
        return shutdown.untilEnd(clock.nanoTime(), isIdle()) <= 0;
    }

    /// Before each sleep rather than after each round, so that a busy loop does not read the clock
    /// for it. A loop in virtual time, which may move between rounds, does it after each.
    void noteRan() {
        if (ran) {
            ran = false;
            shutdown.ran(clock.nanoTime());
        }
    }

    private boolean isIdle() {
        return !agenda.hasTasks() && driver.isIdle();
    }

    private long pollTimeout() {
        if (agenda.hasTasks() || shutdown.isNew()) {
            return 0;
        }
        noteRan();
        return Math.max(untilNext(), 0);
    }

    /// Nanoseconds until the first timer is due, or a shutdown may end, at most 0 if one is;
    /// `Long.MAX_VALUE` if there is neither.
    long untilNext() {
        long timeout = agenda.untilFirstTimer();
        if (shutdown.isRequested()) {
            timeout = Math.min(timeout, shutdown.untilEnd(clock.nanoTime(), driver.isIdle()));
        }
        return timeout;
    }

    private void poll(long timeoutNanos) {
        long timeout = interrupted() ? 0 : timeoutNanos;
        if (timeout > 0 && mayYield && comeMeanwhile()) {
            timeout = 0;
        }
        boolean sleeps = timeout > 0;
        if (sleeps) {
            wake.fallAsleep();
            if (agenda.hasTasks() || shutdown.isNew() || woken) {
                timeout = 0;
            }
        }
        if (timeout > 0) {
            pulse.waits();
        }
        driver.poll(timeout);
        pulse.works();
        if (sleeps) {
            wake.wokenUp();
            if (woken) {
                woken = false;
            }
        }
    }

    @SuppressWarnings("ThreadPriorityCheck") // whether anybody runs meanwhile or not, all is well
    private boolean comeMeanwhile() {
        Thread.yield();
        return agenda.hasTasks();
    }

    /// A set flag would keep a loop from ever waiting, and blocking channels of the JDK's close by
    /// it. It was meant for a task of a loop with a thread of its own, and is cleared; to a caller
    /// that lends its thread it is what it waits for.
    private boolean interrupted() {
        if (ownThread) {
            boolean _ = Thread.interrupted();
            return false;
        }
        return Thread.currentThread().isInterrupted();
    }

    /// Runs what was accepted, closes the driver on this thread, and takes no more.
    void end() {
        guard(agenda::runDueTimers);
        guard(agenda::closeTasks);
        while (wake.hasClaims()) {
            LockSupport.parkNanos(owner, 1_000); // a waker is about to return from wakeup
        }
        driver.close();
        guard(agenda::closeUnbounded);
    }

    private static void guard(Runnable callback) {
        try {
            callback.run();
        } catch (Throwable t) {
            Faults.report("running what was left at the end failed", t);
        }
    }
}
