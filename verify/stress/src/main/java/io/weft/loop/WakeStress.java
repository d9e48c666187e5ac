package io.weft.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weft.loop.queue.MpscQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.ZZ_Result;

/// A producer posts a task while the loop falls asleep: the producer wakes it, or the loop sees the
/// task.
public final class WakeStress {
    private WakeStress() {}

    @JCStressTest
    @State
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the producer wakes the loop")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the loop sees the task")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "a lost wake-up")
    public static class PostSleep {
        private final MpscQueue<Object> queue = new MpscQueue<>(2);
        private final Wake wake = new Wake();

        @Actor
        public void producer(ZZ_Result r) {
            queue.offer(this);
            r.r1 = wake.claim();
        }

        @Actor
        public void loop(ZZ_Result r) {
            wake.fallAsleep();
            r.r2 = !queue.isEmpty();
        }
    }

    /// The loop looks for a task, then says that it sleeps.
    @JCStressTest
    @State
    @Outcome(id = "true, false", expect = ACCEPTABLE, desc = "the producer wakes the loop")
    @Outcome(id = "false, true", expect = ACCEPTABLE, desc = "the loop sees the task")
    @Outcome(id = "true, true", expect = ACCEPTABLE, desc = "both")
    @Outcome(id = "false, false", expect = FORBIDDEN, desc = "a lost wake-up")
    public static class BrokenPostSleep {
        private final MpscQueue<Object> queue = new MpscQueue<>(2);
        private volatile boolean asleep;

        @Actor
        public void producer(ZZ_Result r) {
            queue.offer(this);
            r.r1 = asleep;
        }

        @Actor
        public void loop(ZZ_Result r) {
            r.r2 = !queue.isEmpty();
            asleep = true;
        }
    }

    /// Two producers find the loop asleep: one of them wakes it.
    @JCStressTest
    @State
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "no wake-up, or one too many")
    public static class PostPost {
        private final Wake wake = new Wake();

        public PostPost() {
            wake.fallAsleep();
        }

        @Actor
        public void first(II_Result r) {
            r.r1 = claim();
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = claim();
        }

        private int claim() {
            if (!wake.claim()) {
                return 0;
            }
            wake.claimed();
            return 1;
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"1, 0", "0, 1"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "no wake-up, or one too many")
    public static class BrokenPostPost {
        private volatile boolean asleep = true;

        @Actor
        public void first(II_Result r) {
            r.r1 = claim();
        }

        @Actor
        public void second(II_Result r) {
            r.r2 = claim();
        }

        private int claim() {
            if (!asleep) {
                return 0;
            }
            asleep = false;
            return 1;
        }
    }
}
