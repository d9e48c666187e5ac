package io.weft.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weft.loop.queue.MpscQueue;
import java.util.List;
import java.util.concurrent.AbstractExecutorService;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.I_Result;

/// Two threads hand over a task each: both are run, one at a time, without an atomic instruction in
/// the tasks.
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

    /// A pool that has been shut down drops what it is given: the next caller takes the turn, but
    /// one of them only.
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "a task was lost, or did not see the other")
    public static class DroppedTurn {
        private final SerialExecutor executor = new SerialExecutor(new Dropping(), 2);
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
            var _ = executor.shutdownGracefully().join();
            r.r1 = ran;
        }
    }

    /// Looks whether the turn is to be had, then takes it.
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "a task was lost, or did not see the other")
    public static class BrokenDroppedTurn {
        private final ConcurrentLinkedQueue<Runnable> queue = new ConcurrentLinkedQueue<>();
        private volatile boolean asked = true;
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
            queue.add(task);
            if (asked) {
                asked = false;
                run();
                asked = true;
            }
        }

        private void run() {
            for (Runnable next; (next = queue.poll()) != null; ) {
                next.run();
            }
        }

        @Arbiter
        public void count(I_Result r) {
            run();
            r.r1 = ran;
        }
    }

    private static final class Dropping extends AbstractExecutorService {
        @Override
        public void execute(Runnable turn) {}

        @Override
        public boolean isShutdown() {
            return true;
        }

        @Override
        public boolean isTerminated() {
            return true;
        }

        @Override
        public void shutdown() {}

        @Override
        public List<Runnable> shutdownNow() {
            return List.of();
        }

        @Override
        public boolean awaitTermination(long timeout, TimeUnit unit) {
            return true;
        }
    }
}
