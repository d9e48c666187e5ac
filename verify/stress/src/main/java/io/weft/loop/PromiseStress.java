package io.weft.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Completing a promise while others add listeners or complete it too.
public final class PromiseStress {
    private PromiseStress() {}

    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the listener is called once")
    @Outcome(expect = FORBIDDEN, desc = "never, or more than once")
    public static class CompleteListen {
        private final AtomicInteger calls = new AtomicInteger();
        private final Promise<String> promise = new Promise<>(new CallerExecutor());

        @Actor
        public void completes() {
            promise.trySuccess("x");
        }

        @Actor
        public void listens() {
            promise.addListener(_ -> calls.incrementAndGet());
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = calls.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "each listener is called once")
    @Outcome(expect = FORBIDDEN, desc = "never, or more than once")
    public static class ListenListen {
        private final AtomicInteger calls = new AtomicInteger();
        private final Promise<String> promise = new Promise<>(new CallerExecutor());

        @Actor
        public void one() {
            promise.addListener(_ -> calls.addAndGet(1));
        }

        @Actor
        public void other() {
            promise.addListener(_ -> calls.addAndGet(10));
        }

        @Arbiter
        public void count(I_Result r) {
            promise.trySuccess("x");
            r.r1 = calls.get();
        }
    }

    /// Looks whether it is done, then adds the listener.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "the listener is called once")
    @Outcome(expect = FORBIDDEN, desc = "never, or more than once")
    public static class BrokenCompleteListen {
        private final AtomicInteger calls = new AtomicInteger();
        private volatile boolean done;
        private volatile Runnable listener;

        @Actor
        public void completes() {
            done = true;
            Runnable added = listener;
            if (added != null) {
                added.run();
            }
        }

        @Actor
        public void listens() {
            if (done) {
                calls.incrementAndGet();
            } else {
                listener = calls::incrementAndGet;
            }
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = calls.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "completed, and the value is that")
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "cancelled, and it stays so")
    @Outcome(expect = FORBIDDEN, desc = "both or neither won")
    public static class CompleteCancel {
        private final Promise<String> promise = new Promise<>(new CallerExecutor());
        private final AtomicInteger winners = new AtomicInteger();

        @Actor
        public void completes() {
            if (promise.trySuccess("x")) {
                winners.addAndGet(1);
            }
        }

        @Actor
        public void cancels() {
            if (promise.cancel()) {
                winners.addAndGet(2);
            }
        }

        @Arbiter
        public void who(II_Result r) {
            r.r1 = winners.get();
            r.r2 = promise.isSuccess() ? 1 : promise.isCancelled() ? 2 : 0;
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "completed, and the value is that")
    @Outcome(id = "2, 2", expect = ACCEPTABLE, desc = "cancelled, and it stays so")
    @Outcome(expect = FORBIDDEN, desc = "both or neither won")
    public static class BrokenCompleteCancel {
        private volatile int state;
        private final AtomicInteger winners = new AtomicInteger();

        @Actor
        public void completes() {
            end(1);
        }

        @Actor
        public void cancels() {
            end(2);
        }

        private void end(int result) {
            if (state == 0) {
                state = result;
                winners.addAndGet(result);
            }
        }

        @Arbiter
        public void who(II_Result r) {
            r.r1 = winners.get();
            r.r2 = state;
        }
    }
}
