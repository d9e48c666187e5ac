package io.weft.loop.queue;

import static org.openjdk.jcstress.annotations.Expect.ACCEPTABLE;
import static org.openjdk.jcstress.annotations.Expect.FORBIDDEN;

import java.util.concurrent.ConcurrentLinkedQueue;
import org.openjdk.jcstress.annotations.Actor;
import org.openjdk.jcstress.annotations.Arbiter;
import org.openjdk.jcstress.annotations.JCStressTest;
import org.openjdk.jcstress.annotations.Outcome;
import org.openjdk.jcstress.annotations.State;
import org.openjdk.jcstress.infra.results.II_Result;
import org.openjdk.jcstress.infra.results.I_Result;

/// Two producers and the owner: each element comes out once, and complete.
public final class QueueStress {
    private QueueStress() {}

    static final class Element {
        int value;

        Element(int value) {
            this.value = value;
        }

        static int value(Element element) {
            return element == null ? 0 : element.value;
        }
    }

    /// Each element is in a chunk of its own, as in the queues below. Two producers and the owner
    /// on two processors: one of the producers is the owner, which offers to itself.
    @JCStressTest
    @State
    @Outcome(id = "1, 2", expect = ACCEPTABLE)
    @Outcome(id = "2, 1", expect = ACCEPTABLE)
    @Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "the first place is claimed, not published")
    @Outcome(expect = FORBIDDEN, desc = "lost, doubled or incomplete")
    public static class OfferOfferPoll {
        private final MpscQueue<Element> queue = new MpscQueue<>(2, 1);

        @Actor
        public void producer() {
            queue.offer(new Element(1));
        }

        @Actor
        public void owner(II_Result r) {
            queue.offer(new Element(2));
            r.r1 = Element.value(queue.poll());
        }

        @Arbiter
        public void rest(II_Result r) {
            for (Element e; (e = queue.poll()) != null; ) {
                r.r2 = 10 * r.r2 + Element.value(e);
            }
        }
    }

    @JCStressTest
    @State
    @Outcome(id = "1, 2", expect = ACCEPTABLE)
    @Outcome(id = "2, 1", expect = ACCEPTABLE)
    @Outcome(id = "0, 12", expect = ACCEPTABLE, desc = "the first place is claimed, not published")
    @Outcome(expect = FORBIDDEN, desc = "lost, doubled or incomplete")
    public static class BrokenOfferOfferPoll {
        private final BrokenQueue queue = new BrokenQueue();

        @Actor
        public void producer() {
            queue.offer(new Element(1));
        }

        @Actor
        public void owner(II_Result r) {
            queue.offer(new Element(2));
            r.r1 = Element.value(queue.poll());
        }

        @Arbiter
        public void rest(II_Result r) {
            for (Element e; (e = queue.poll()) != null; ) {
                r.r2 = 10 * r.r2 + Element.value(e);
            }
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"12", "21"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "lost, doubled or incomplete")
    public static class OfferOffer {
        private final MpscQueue<Element> queue = new MpscQueue<>(2, 1);

        @Actor
        public void first() {
            queue.offer(new Element(1));
        }

        @Actor
        public void second() {
            queue.offer(new Element(2));
        }

        @Arbiter
        public void all(I_Result r) {
            for (Element e; (e = queue.poll()) != null; ) {
                r.r1 = 10 * r.r1 + Element.value(e);
            }
        }
    }

    @JCStressTest
    @State
    @Outcome(
            id = {"12", "21"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "lost, doubled or incomplete")
    public static class BrokenOfferOffer {
        private final BrokenQueue queue = new BrokenQueue();

        @Actor
        public void first() {
            queue.offer(new Element(1));
        }

        @Actor
        public void second() {
            queue.offer(new Element(2));
        }

        @Arbiter
        public void all(I_Result r) {
            for (Element e; (e = queue.poll()) != null; ) {
                r.r1 = 10 * r.r1 + Element.value(e);
            }
        }
    }

    /// The only slot is claimed anew as soon as it is free: the second offer must not overwrite the
    /// first.
    @JCStressTest
    @State
    @Outcome(
            id = {"0, 1", "1, 0", "1, 2"},
            expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "out of order, lost or incomplete")
    public static class OfferTwicePoll {
        private final MpscQueue<Element> queue = new MpscQueue<>(1);

        @Actor
        public void producer() {
            queue.offer(new Element(1));
            queue.offer(new Element(2));
        }

        @Actor
        public void owner(II_Result r) {
            r.r1 = Element.value(queue.poll());
        }

        @Arbiter
        public void rest(II_Result r) {
            r.r2 = Element.value(queue.poll());
        }
    }

    /// An offer is accepted exactly if it is polled by the owner that closes.
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "accepted and run")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refused")
    @Outcome(expect = FORBIDDEN, desc = "accepted and lost, or refused and run")
    public static class OfferClose {
        private final MpscQueue<Element> queue = new MpscQueue<>(2, 1);

        @Actor
        public void producer(II_Result r) {
            r.r1 = queue.offer(new Element(1)) ? 1 : 0;
        }

        @Actor
        public void owner(II_Result r) {
            queue.close();
            while (!queue.isEmpty()) {
                r.r2 += Element.value(queue.poll());
            }
        }
    }

    /// The same of a queue that knows nothing of closing.
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "accepted and run")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refused")
    @Outcome(expect = FORBIDDEN, desc = "accepted and lost, or refused and run")
    public static class ForeignOfferClose {
        private final TaskQueue<Element> queue = TaskQueue.of(new ConcurrentLinkedQueue<>());

        @Actor
        public void producer(II_Result r) {
            r.r1 = queue.offer(new Element(1)) ? 1 : 0;
        }

        @Actor
        public void owner(II_Result r) {
            queue.close();
            while (!queue.isEmpty()) {
                r.r2 += Element.value(queue.poll());
            }
        }
    }

    /// Looks whether it is closed before it offers, and not again.
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "accepted and run")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refused")
    @Outcome(expect = FORBIDDEN, desc = "accepted and lost, or refused and run")
    public static class BrokenForeignOfferClose {
        private final ConcurrentLinkedQueue<Element> queue = new ConcurrentLinkedQueue<>();
        private volatile boolean closed;

        @Actor
        public void producer(II_Result r) {
            r.r1 = !closed && queue.offer(new Element(1)) ? 1 : 0;
        }

        @Actor
        public void owner(II_Result r) {
            closed = true;
            for (Element e; (e = queue.poll()) != null; ) {
                r.r2 += Element.value(e);
            }
        }
    }

    /// Drains, then closes.
    @JCStressTest
    @State
    @Outcome(id = "1, 1", expect = ACCEPTABLE, desc = "accepted and run")
    @Outcome(id = "0, 0", expect = ACCEPTABLE, desc = "refused")
    @Outcome(expect = FORBIDDEN, desc = "accepted and lost, or refused and run")
    public static class BrokenOfferClose {
        private final BrokenQueue queue = new BrokenQueue();

        @Actor
        public void producer(II_Result r) {
            r.r1 = queue.offer(new Element(1)) ? 1 : 0;
        }

        @Actor
        public void owner(II_Result r) {
            for (Element e; (e = queue.poll()) != null; ) {
                r.r2 += Element.value(e);
            }
            queue.closed = true;
        }
    }

    /// Counts a position without a compare-and-set, and is closed by a flag of its own.
    private static final class BrokenQueue {
        private final Element[] slots = new Element[2];
        private volatile int tail;
        private int head;
        volatile boolean closed;

        @SuppressWarnings("NonAtomicVolatileUpdate") // what is wrong with it
        boolean offer(Element element) {
            if (closed) {
                return false;
            }
            int claimed = tail++;
            slots[claimed] = element;
            return true;
        }

        Element poll() {
            if (head == tail || slots[head] == null) {
                return null;
            }
            return slots[head++];
        }
    }
}
