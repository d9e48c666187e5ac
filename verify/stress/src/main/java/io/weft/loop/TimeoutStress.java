package io.weft.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.TimeUnit;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;

/// Another thread cancels a timeout just when the loop runs, or cancels, it.
public final class TimeoutStress {
    private TimeoutStress() {}

    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "cancelled, not run")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "too late, run")
    @Outcome(expect = FORBIDDEN, desc = "cancelled and run, or neither")
    public static class CancelFire {
        private final Timers timers = new Timers(() -> 0, () -> false);
        private int runs;
        private final Timeout timeout = timers.timeout(() -> runs++, 0, 0, TimeUnit.NANOSECONDS);

        @Actor
        public void canceller(II_Result r) {
            r.r1 = timeout.cancel() ? 1 : 0;
        }

        @Actor
        public void loop(II_Result r) {
            timeout.fire();
            r.r2 = runs;
        }
    }

    /// Decides by a look and a store.
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "cancelled, not run")
    @Outcome(id = "0, 1", expect = ACCEPTABLE, desc = "too late, run")
    @Outcome(expect = FORBIDDEN, desc = "cancelled and run, or neither")
    public static class BrokenCancelFire {
        private volatile int state;

        @Actor
        public void canceller(II_Result r) {
            if (state == 0) {
                state = 1;
                r.r1 = 1;
            }
        }

        @Actor
        public void loop(II_Result r) {
            if (state == 0) {
                state = 2;
                r.r2 = 1;
            }
        }
    }

    /// Both may believe that they were first; that it is cancelled is beyond doubt.
    @JCStressTest
    @State
    @Outcome(
            id = {"10, 0", "1, 0", "11, 0"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "nobody cancelled it, or it ran")
    public static class CancelCancel {
        private static final ThreadLocal<Boolean> IN_LOOP = ThreadLocal.withInitial(() -> false);

        private final Timers timers = new Timers(() -> 0, IN_LOOP::get);
        private int runs;
        private final Timeout timeout = timers.timeout(() -> runs++, 0, 0, TimeUnit.NANOSECONDS);
        private volatile int other;

        @Actor
        public void canceller() {
            other = timeout.cancel() ? 10 : 0;
        }

        @Actor
        public void loop(II_Result r) {
            IN_LOOP.set(true);
            r.r1 = timeout.cancel() ? 1 : 0;
            IN_LOOP.set(false);
        }

        @Arbiter
        public void after(II_Result r) {
            r.r1 += other;
            timeout.fire();
            r.r2 = runs;
        }
    }
}
