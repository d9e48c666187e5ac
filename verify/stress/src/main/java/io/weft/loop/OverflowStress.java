package io.weft.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weft.loop.queue.MpscQueue;
import java.util.ArrayDeque;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// One producer adds to the overflow and then to the queue, while the owner polls both: its tasks
/// stay in order.
public final class OverflowStress {
    private OverflowStress() {}

    private static final class Task implements Runnable {
        private final int value;

        Task(int value) {
            this.value = value;
        }

        @Override
        public void run() {}

        static int value(Runnable task) {
            return task instanceof Task t ? t.value : 0;
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "12", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "out of order, lost or doubled")
    public static class AddOfferPoll {
        private final MpscQueue<Runnable> queue = new MpscQueue<>(2);
        private final Overflow overflow = new Overflow(queue);
        private int polled;

        @Actor
        public void producer() {
            overflow.add(new Task(1));
            queue.offer(new Task(2));
        }

        @Actor
        public void owner() {
            polled = Task.value(overflow.poll());
        }

        @Arbiter
        public void rest(I_Result r) {
            r.r1 = polled;
            for (Runnable task; (task = overflow.poll()) != null; ) {
                r.r1 = 10 * r.r1 + Task.value(task);
            }
        }
    }

    /// Looks for late tasks before it polls the queue, and not again.
    @JCStressTest
    @State
    @Outcome(id = "12", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "out of order, lost or doubled")
    public static class BrokenAddOfferPoll {
        private final MpscQueue<Runnable> queue = new MpscQueue<>(2);
        private final ArrayDeque<Runnable> late = new ArrayDeque<>();
        private volatile int size;
        private int polled;

        @Actor
        public void producer() {
            synchronized (late) {
                late.add(new Task(1));
                size = late.size();
            }
            queue.offer(new Task(2));
        }

        @Actor
        public void owner() {
            polled = Task.value(poll());
        }

        private Runnable poll() {
            if (size > 0) {
                synchronized (late) {
                    Runnable task = late.poll();
                    size = late.size();
                    return task;
                }
            }
            return queue.poll();
        }

        @Arbiter
        public void rest(I_Result r) {
            r.r1 = polled;
            for (Runnable task; (task = poll()) != null; ) {
                r.r1 = 10 * r.r1 + Task.value(task);
            }
        }
    }
}
