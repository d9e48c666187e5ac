package io.weft.loop;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
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

    /// Two waits are given up at once, above a listener.
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "only the listener is left, and is called")
    @Outcome(expect = FORBIDDEN, desc = "an entry is left behind, or one too many is gone")
    public static class AwaitAwait {
        private final AtomicInteger calls = new AtomicInteger();
        private final Promise<String> promise = new Promise<>(new CallerExecutor());

        public AwaitAwait() {
            promise.addListener(_ -> calls.incrementAndGet());
        }

        @Actor
        public void one() {
            giveUp(promise);
        }

        @Actor
        public void other() {
            giveUp(promise);
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = promise.waiting();
            promise.trySuccess("x");
            r.r2 = calls.get();
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "11", expect = ACCEPTABLE, desc = "each listener is called once")
    @Outcome(expect = FORBIDDEN, desc = "never, or more than once")
    public static class CompleteAwait {
        private final AtomicInteger calls = new AtomicInteger();
        private final Promise<String> promise = new Promise<>(new CallerExecutor());

        public CompleteAwait() {
            promise.addListener(_ -> calls.addAndGet(1));
        }

        @Actor
        public void completes() {
            promise.addListener(_ -> calls.addAndGet(10));
            promise.trySuccess("x");
        }

        @Actor
        public void givesUp() {
            giveUp(promise);
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = calls.get();
        }
    }

    private static void giveUp(Promise<?> promise) {
        try {
            promise.await(0, TimeUnit.NANOSECONDS);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    /// Copies the entries above the one that leaves, whose owners then look for theirs in vain.
    @JCStressTest
    @State
    @Outcome(id = "0", expect = ACCEPTABLE, desc = "none is left")
    @Outcome(expect = FORBIDDEN, desc = "an entry is left behind")
    public static class BrokenAwaitAwait {
        private record Entry(Entry next) {}

        private final AtomicReference<Entry> top = new AtomicReference<>();

        @Actor
        public void one() {
            giveUp();
        }

        @Actor
        public void other() {
            giveUp();
        }

        private void giveUp() {
            Entry pushed;
            Entry seen;
            do {
                seen = top.get();
                pushed = new Entry(seen);
            } while (!top.compareAndSet(seen, pushed));
            Entry gone = pushed;
            top.updateAndGet(entry -> without(entry, gone));
        }

        private static Entry without(Entry entry, Entry gone) {
            if (entry == null) {
                return null;
            }
            return entry == gone ? entry.next : new Entry(without(entry.next, gone));
        }

        @Arbiter
        public void count(I_Result r) {
            for (Entry entry = top.get(); entry != null; entry = entry.next) {
                r.r1++;
            }
        }
    }
}
