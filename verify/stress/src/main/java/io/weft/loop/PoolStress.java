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

/// An object goes home while its thread takes objects: the next thread to get it sees what was
/// written before.
public final class PoolStress {
    private PoolStress() {}

    private static final class Item {
        private final ObjectPool.Handle<Item> handle;
        private int value;

        private Item(ObjectPool.Handle<Item> handle) {
            this.handle = handle;
        }

        private static Item taken(ObjectPool.Store<Item> home) {
            Item item = home.take();
            if (item != null) {
                return item;
            }
            ObjectPool.Handle<Item> handle = home.newHandle();
            return handle.hold(new Item(handle));
        }
    }

    /// The store is the second actor's, which hands an item over, then takes two.
    @JCStressTest
    @State
    @Outcome(
            id = "0, 0",
            expect = ACCEPTABLE,
            desc = "new ones: not yet handed over, or not yet home")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one given back, and a new one")
    @Outcome(expect = FORBIDDEN, desc = "one twice, or without what was written before")
    public static class ReturnTake {
        private volatile Item handedOver;

        @Actor
        public void returns() {
            Item item = handedOver;
            if (item != null) {
                item.value = 1;
                item.handle.recycle();
            }
        }

        @Actor
        public void takes(II_Result r) {
            var store = new ObjectPool.Store<Item>(2);
            handedOver = Item.taken(store);
            Item one = Item.taken(store);
            Item other = Item.taken(store);
            r.r1 = one.value + other.value;
            r.r2 = one == other ? 1 : 0;
        }
    }

    /// The same with an object that has its place among others.
    @JCStressTest
    @State
    @Outcome(
            id = "0, 0",
            expect = ACCEPTABLE,
            desc = "new ones: not yet handed over, or not yet home")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one given back, and a new one")
    @Outcome(expect = FORBIDDEN, desc = "one twice, or without what was written before")
    public static class ReturnTakeAmongOthers {
        private volatile Item handedOver;

        @Actor
        public void returns() {
            Item item = handedOver;
            if (item != null) {
                item.value = 1;
                item.handle.recycle();
            }
        }

        @Actor
        public void takes(II_Result r) {
            var store = new ObjectPool.Store<Item>(3);
            Item.taken(store);
            handedOver = Item.taken(store);
            Item one = Item.taken(store);
            Item other = Item.taken(store);
            r.r1 = one.value + other.value;
            r.r2 = one == other ? 1 : 0;
        }
    }

    /// Two threads give back two objects whose bits are in one word: both come home.
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "one was lost, or came twice")
    public static class ReturnBoth {
        private final ObjectPool.Store<Item> store = new ObjectPool.Store<>(3);
        private final Item first = Item.taken(store);
        private final Item one = Item.taken(store);
        private final Item other = Item.taken(store);

        @Actor
        public void one() {
            one.handle.recycle();
        }

        @Actor
        public void other() {
            other.handle.recycle();
        }

        @Arbiter
        public void count(I_Result r) {
            for (Item item; (item = store.take()) != null && item != first; ) {
                r.r1++;
            }
        }
    }

    /// Sets its bit without an atomic instruction.
    @JCStressTest
    @State
    @Outcome(id = "2", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "one was lost")
    public static class BrokenReturnBoth {
        private volatile long returned;

        @Actor
        @SuppressWarnings("NonAtomicVolatileUpdate") // the defect
        public void one() {
            returned |= 1;
        }

        @Actor
        @SuppressWarnings("NonAtomicVolatileUpdate") // the defect
        public void other() {
            returned |= 2;
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = Long.bitCount(returned);
        }
    }

    /// Marks the object as given back before it has written it.
    @JCStressTest
    @State
    @Outcome(
            id = "0, 0",
            expect = ACCEPTABLE,
            desc = "new ones: not yet handed over, or not yet home")
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "the one given back, and a new one")
    @Outcome(expect = FORBIDDEN, desc = "one twice, or without what was written before")
    public static class BrokenReturnTake {
        private Item returned;
        private final Item handedOver = new Item(ObjectPool.Store.outside());

        @Actor
        public void returns() {
            Item item = handedOver;
            returned = item;
            item.value = 1;
        }

        @Actor
        public void takes(II_Result r) {
            Item one = returned;
            r.r1 = one == null ? 0 : one.value;
            r.r2 = one != null && r.r1 == 0 ? 1 : 0;
        }
    }

    /// Two threads give back the same object: it is not pooled twice.
    @JCStressTest
    @State
    @Outcome(id = "1, 0", expect = ACCEPTABLE, desc = "one was refused")
    @Outcome(
            id = "0, 0",
            expect = ACCEPTABLE,
            desc = "it went unnoticed: the thread it came from was one of them")
    @Outcome(expect = FORBIDDEN, desc = "pooled twice, or both were refused")
    public static class ReturnReturn {
        private final ObjectPool.Store<Item> store = new ObjectPool.Store<>(4);
        private final Item item = Item.taken(store);
        private volatile int refused1;
        private volatile int refused2;

        @Actor
        public void first() {
            refused1 = give() ? 0 : 1;
        }

        @Actor
        public void second() {
            refused2 = give() ? 0 : 1;
        }

        private boolean give() {
            try {
                item.handle.recycle();
                return true;
            } catch (DoubleRecycleException e) {
                return false;
            }
        }

        @Arbiter
        public void count(II_Result r) {
            r.r1 = refused1 + refused2;
            Item one = Item.taken(store);
            Item other = Item.taken(store);
            r.r2 = one == other ? 1 : 0;
        }
    }

    /// Gives back without a compare-and-set.
    @JCStressTest
    @State
    @Outcome(id = "1", expect = ACCEPTABLE)
    @Outcome(expect = FORBIDDEN, desc = "pooled twice")
    public static class BrokenReturnReturn {
        private volatile boolean home;
        private final AtomicInteger pooled = new AtomicInteger();

        @Actor
        public void first() {
            give();
        }

        @Actor
        public void second() {
            give();
        }

        private void give() {
            if (!home) {
                home = true;
                pooled.incrementAndGet();
            }
        }

        @Arbiter
        public void count(I_Result r) {
            r.r1 = pooled.get();
        }
    }
}
