package io.weft.buffer;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE_INTERESTING;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import io.weft.buffer.OwnedStress.Shared;
import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Memory of a confined block comes home once, although its last release by the bias thread is no
/// atomic instruction.
///
/// The cases of [OwnedStress] again where both have them: jcstress looks for actors in the class of
/// a test only.
public final class ConfinedStress {
    private ConfinedStress() {}

    /// Two owners: the thread of the bias and another one.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "came home once")
    @Outcome(expect = FORBIDDEN, desc = "leaked, or came home twice")
    public static class HereAndThere extends Shared {
        public HereAndThere() {
            super(2, true);
        }

        @Actor
        public void biased() {
            here();
            release();
        }

        @Actor
        public void other() {
            release();
        }

        @Arbiter
        public void arbiter(I_Result r) {
            settle();
            r.r1 = reclaimed();
        }
    }

    /// Both shares were handed over to other threads.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "came home once")
    @Outcome(expect = FORBIDDEN, desc = "leaked, or came home twice")
    public static class ThereAndThere extends Shared {
        public ThereAndThere() {
            super(2, true);
        }

        @Actor
        public void one() {
            release();
        }

        @Actor
        public void other() {
            release();
        }

        @Arbiter
        public void arbiter(I_Result r) {
            settle();
            r.r1 = reclaimed();
        }
    }

    /// The thread of the bias gives up its share while another one takes a second share and gives
    /// up both.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "came home once")
    @Outcome(expect = FORBIDDEN, desc = "leaked, or came home twice")
    public static class RetainThere extends Shared {
        public RetainThere() {
            super(2, true);
        }

        @Actor
        public void biased() {
            here();
            buffer.retain();
            release();
            release();
        }

        @Actor
        public void other() {
            buffer.retain();
            release();
            release();
        }

        @Arbiter
        public void arbiter(I_Result r) {
            settle();
            r.r1 = reclaimed();
        }
    }

    /// One owner, two releases, one of them a mistake: it throws, or passes and changes nothing.
    @JCStressTest
    @State
    @Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "the other one threw")
    @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the one here threw")
    @Outcome(
            id = "1, 1, 1",
            expect = ACCEPTABLE,
            desc = "both passed, and the memory came home once")
    @Outcome(expect = FORBIDDEN, desc = "leaked, or came home twice")
    public static class OneTooMany extends Shared {
        public OneTooMany() {
            super(1, true);
        }

        @Actor
        public void biased(III_Result r) {
            here();
            r.r1 = release();
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = release();
        }

        @Arbiter
        public void arbiter(III_Result r) {
            settle();
            r.r3 = reclaimed();
        }
    }

    /// The same without a bias thread in sight.
    @JCStressTest
    @State
    @Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "the second threw")
    @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the first threw")
    @Outcome(expect = FORBIDDEN, desc = "both passed, or neither")
    public static class OneTooManyThere extends Shared {
        public OneTooManyThere() {
            super(1, true);
        }

        @Actor
        public void one(III_Result r) {
            r.r1 = release();
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = release();
        }

        @Arbiter
        public void arbiter(III_Result r) {
            settle();
            r.r3 = reclaimed();
        }
    }

    /// A thread that cuts a part off while the last owner releases gets the part or an exception,
    /// not memory of another owner.
    @JCStressTest
    @State
    @Outcome(id = "1, 1, 0", expect = ACCEPTABLE, desc = "the part keeps the memory")
    @Outcome(
            id = "1, 0, 0",
            expect = ACCEPTABLE,
            desc = "the cutter was the last, the part keeps the memory")
    @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "too late for a part")
    @Outcome(
            id = "1, 1, 1",
            expect = ACCEPTABLE_INTERESTING,
            desc = "the cutter, who owned nothing, did not see the release yet")
    @Outcome(expect = FORBIDDEN, desc = "leaked, or came home twice")
    public static class SliceAndRelease extends Shared {
        public SliceAndRelease() {
            super(1, true);
        }

        @Actor
        public void cutter(III_Result r) {
            try {
                r.r1 = buffer.slice(0, 8) != null ? 1 : 0;
            } catch (IllegalReferenceCountException e) {
                r.r1 = OwnedStress.THREW;
            }
        }

        @Actor
        public void owner(III_Result r) {
            here();
            r.r2 = release();
        }

        @Arbiter
        public void arbiter(III_Result r) {
            settle();
            r.r3 = reclaimed();
        }
    }

    /// Another thread cuts a part off its share and gives up both while the bias thread gives up
    /// its own.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "came home once")
    @Outcome(expect = FORBIDDEN, desc = "leaked, or came home twice")
    public static class SliceThere extends Shared {
        public SliceThere() {
            super(2, true);
        }

        @Actor
        public void biased() {
            here();
            buffer.slice(0, 4).release();
            release();
        }

        @Actor
        public void other() {
            Buffer part = buffer.slice(0, 4);
            release();
            part.release();
        }

        @Arbiter
        public void arbiter(I_Result r) {
            settle();
            r.r1 = reclaimed();
        }
    }

    /// Broken variant: the thread that ends a buffer which no other has touched looks first, and a
    /// thread that wins the other way sends the memory home as well.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "came home once")
    @Outcome(expect = FORBIDDEN, desc = "came home twice")
    public static class BrokenOneTooMany {
        private final AtomicInteger state = new AtomicInteger();
        private final AtomicInteger reclaimed = new AtomicInteger();

        @Actor
        public void biased() {
            if (state.getPlain() == 0) {
                state.setRelease(1);
                reclaimed.incrementAndGet();
            }
        }

        @Actor
        public void other() {
            if (state.compareAndSet(0, 1)) {
                reclaimed.incrementAndGet();
            }
        }

        @Arbiter
        public void arbiter(I_Result r) {
            r.r1 = reclaimed.get();
        }
    }
}
