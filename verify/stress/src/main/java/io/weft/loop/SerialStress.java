package io.weft.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Two threads hand over a task each: both are run, one at a time, without an atomic instruction in the tasks.
public final class SerialStress {
    private SerialStress() {}

    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "a task was lost, or did not see the other")
    public static class ExecuteExecute {
        private final SerialExecutor executor = new SerialExecutor(Runnable::run, 2);
        private int ran;

        @Actor
        public void first() {
            executor.execute(() -> ran++);
        }

        @Actor
        public void second() {
            executor.execute(() -> ran++);
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = ran;
        }
    }

    /// Gives up the turn without another look at the queue.
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "a task was lost, or did not see the other")
    public static class BrokenExecuteExecute {
        private final MpscQueue<Runnable> queue = new MpscQueue<>(2);
        private final AtomicBoolean turn = new AtomicBoolean();
        private int ran;

        @Actor
        public void first() {
            execute(() -> ran++);
        }

        @Actor
        public void second() {
            execute(() -> ran++);
        }

        private void execute(Runnable task) {
            queue.offer(task);
            if (turn.compareAndSet(false, true)) {
                for (Runnable next; (next = queue.poll()) != null; ) {
                    next.run();
                }
                turn.set(false);
            }
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = ran;
        }
    }
}
