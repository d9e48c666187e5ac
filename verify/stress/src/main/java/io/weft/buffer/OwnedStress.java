package io.weft.buffer;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.atomic.AtomicInteger;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.III_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Memory comes home once, whichever of its owners is the last, and a thread that owns nothing
/// cannot release.
public final class OwnedStress {
    private OwnedStress() {}

    static final int THREW = -1;
    private static final Thread NOBODY = Thread.ofPlatform().unstarted(() -> {});

    /// A buffer biased to whichever actor calls [#here].
    static class Shared {
        private final Bias bias = new Bias();
        private final AtomicInteger reclaimed = new AtomicInteger();
        final Buffer buffer;

        Shared(int owners) {
            this(owners, false);
        }

        Shared(int owners, boolean confined) {
            Block block = new Block(0, 8, _ -> reclaimed.incrementAndGet(), 0, confined);
            bias.thread = Thread.currentThread();
            block.bias = bias;
            buffer = new Buffer(block, 0, 8, 8);
            for (int i = 1; i < owners; i++) {
                buffer.retain();
            }
            // An actor's thread made this: it must not be taken for the one that counts.
            bias.thread = NOBODY;
        }

        final void here() {
            bias.thread = Thread.currentThread();
        }

        final void settle() {
            here();
            bias.settle();
        }

        final int reclaimed() {
            return reclaimed.get();
        }

        final int release() {
            try {
                return buffer.release() ? 1 : 0;
            } catch (IllegalReferenceCountException e) {
                return THREW;
            }
        }
    }

    /// Two owners: the thread of the bias and another one.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "came home once")
    @Outcome(expect = FORBIDDEN, desc = "leaked, or came home twice")
    public static class HereAndThere extends Shared {
        public HereAndThere() {
            super(2);
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

    /// As above, but no thread settles: when both give up their shares at once, neither sees the
    /// other.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE, desc = "came home once")
    @Outcome(expect = FORBIDDEN, desc = "leaked, or came home twice")
    public static class BrokenHereAndThere extends Shared {
        public BrokenHereAndThere() {
            super(2);
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
            super(2);
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
            super(2);
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

    /// One owner, two releases: one of them throws.
    @JCStressTest
    @State
    @Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "the other one threw")
    @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the one here threw")
    @Outcome(expect = FORBIDDEN, desc = "both passed, or neither")
    public static class OneTooMany extends Shared {
        public OneTooMany() {
            super(1);
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
            super(1);
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
    @Outcome(expect = FORBIDDEN, desc = "a part of memory that has come home")
    public static class SliceAndRelease extends Shared {
        public SliceAndRelease() {
            super(1);
        }

        @Actor
        public void cutter(III_Result r) {
            try {
                r.r1 = buffer.slice(0, 8) != null ? 1 : 0;
            } catch (IllegalReferenceCountException e) {
                r.r1 = THREW;
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

    /// Broken variant: a thread that reads that it is the last owner does not subtract atomically,
    /// which is right only while releases are ordered.
    @JCStressTest
    @State
    @Outcome(id = "1, -1, 1", expect = ACCEPTABLE, desc = "the second threw")
    @Outcome(id = "-1, 1, 1", expect = ACCEPTABLE, desc = "the first threw")
    @Outcome(expect = FORBIDDEN, desc = "both passed, or neither")
    public static class BrokenOneTooMany {
        private volatile int owners = 1;
        private final AtomicInteger reclaimed = new AtomicInteger();

        @Actor
        public void one(III_Result r) {
            r.r1 = release();
        }

        @Actor
        public void other(III_Result r) {
            r.r2 = release();
        }

        private int release() {
            if (owners == 1) {
                owners = 0;
                reclaimed.incrementAndGet();
                return 1;
            }
            return THREW;
        }

        @Arbiter
        public void arbiter(III_Result r) {
            r.r3 = reclaimed.get();
        }
    }
}
