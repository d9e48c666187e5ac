package io.weft.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Objects that are used again instead of being made anew. Worth it only where making one is dear:
/// a plain object of a few fields is cheaper new.
///
/// Each platform thread, a loop or not, has a store of its own with a place for each of its
/// objects. It takes and gives back by setting a bit, without an atomic instruction. Another thread
/// that gives an object back sets a bit of the same place by one compare-and-set; the owner looks
/// for these once it has nothing else. What finds no place when it is made is left to the garbage
/// collector.
///
/// Virtual threads come and go, so they have no store: what they take is made anew and never
/// pooled; what they give back goes home as from any other thread.
///
/// **Objects that never come back** keep their place, and are not garbage until all places are
/// taken. From then on, for every 512 objects that find no place, up to 64 places are given to new
/// objects, one after the other; their previous objects are forgotten.
///
/// **Promises about order and visibility:** what a thread did before it gave an object back, the
/// next to get that object sees. Nothing else: which of several pooled objects comes next is not
/// said.
///
/// **Giving back twice** is a [DoubleRecycleException] as long as the object has not been taken
/// again. When two threads give back the same object at the same time, or another than its own does
/// so while this looks for what came home, one of them may go unnoticed; the object is nevertheless
/// not pooled twice.
public final class ObjectPool<T> {
    private static final int MAX_CAPACITY = 4096;

    private final Function<? super Handle<T>, ? extends T> maker;
    private final LoopLocal<Store<T>> stores;

    /// A pool of at most `capacity` objects a thread. Meant to be static, as it takes a
    /// [LoopLocal], of which there are 4,096.
    ///
    /// @param maker makes an object that remembers its handle
    /// @throws IllegalArgumentException unless `capacity` is in 1..4,096
    public ObjectPool(int capacity, Function<? super Handle<T>, ? extends T> maker) {
        if (capacity < 1 || capacity > MAX_CAPACITY) {
            throw new IllegalArgumentException(
                    "capacity: " + capacity + " (expected: 1.." + MAX_CAPACITY + ")");
        }
        this.maker = maker;
        stores = new LoopLocal<>(() -> new Store<>(capacity), Store::close);
    }

    private static VarHandle handle(Class<?> owner, String field) {
        try {
            return MethodHandles.lookup().findVarHandle(owner, field, long.class);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// A pooled object, or a new one. The caller owns it until it gives it back.
    public T get() {
        Thread thread = Thread.currentThread();
        if (!(thread instanceof LoopThread) && thread.isVirtual()) {
            return make(Store.outside());
        }
        Store<T> store = stores.get();
        T object = store.take();
        return object != null ? object : make(store.newHandle());
    }

    private T make(Handle<T> handle) {
        return handle.hold(Objects.requireNonNull(maker.apply(handle), "made"));
    }

    /// Returns the number of pooled objects of the calling thread, without those that other threads
    /// gave back.
    int pooled() {
        Store<T> store = stores.peek();
        return store == null ? 0 : store.pooled();
    }

    /// The way home of one object, which keeps it in a field. Nothing in it changes, so that a
    /// processor need not fetch it from another.
    public static final class Handle<T> {
        private final Places<T> places;
        private final long bit;

        @SuppressWarnings("NullAway.Init") // set before anybody sees the object
        private T object;

        private Handle(Places<T> places, long bit) {
            this.places = places;
            this.bit = bit;
        }

        /// Makes it the handle of `object`, once.
        T hold(T object) {
            this.object = object;
            places.occupy(bit, object);
            return object;
        }

        /// Gives the object back. The caller must not touch it from then on. Any thread.
        ///
        /// @throws DoubleRecycleException when it is not taken
        public void recycle() {
            Places<T> home = places;
            if (!(home.owner == Thread.currentThread() ? home.put(bit) : home.giveBack(bit))) {
                throw new DoubleRecycleException(
                        object.getClass().getName() + ": given back already (expected: taken)");
            }
        }
    }

    /// Places of up to 64 objects of one thread, each with a bit. An object is in the pool when its
    /// bit is set in one of the two words; the thread that takes it clears it.
    private static final class Places<T> {
        private static final VarHandle RETURNED = handle(Places.class, "returned");

        private final @Nullable Thread
                owner; // null: no thread's, only what is given back twice matters
        private final @Nullable Store<T> store; // that is to be told of what comes home
        private final int index; // there
        private final @Nullable Object[] objects;
        private @Nullable T only; // of a place that stands alone: one step nearer

        /// Objects that the owner gave back or took over; written by the owner only. Others look at
        /// it to find a double recycle.
        private long home;

        /// Objects that other threads gave back: set by them, taken over as a whole by the owner. A
        /// bit says all that there is to say, so there is no order, no list that could be torn, and
        /// a bound. The owner looks at it plainly when it takes and gives back: what it ought to
        /// have seen happened before, and else the two were at it at the same time.
        private long returned;

        private Places(@Nullable Thread owner, @Nullable Store<T> store, int index, int size) {
            this.owner = owner;
            this.store = store;
            this.index = index;
            objects = size == 0 ? LoopLocal.NONE : new Object[size];
        }

        private void occupy(long bit, T object) {
            if (owner != null) {
                objects[Long.numberOfTrailingZeros(bit)] = object;
                only = objects.length == 1 ? object : null;
            }
        }

        /// An object that is at home, or null. The owner only.
        @SuppressWarnings("unchecked") // only T are put
        private @Nullable T take() {
            long bit = Long.lowestOneBit(home);
            if (bit == 0) {
                return null;
            }
            home ^= bit;
            if ((returned & bit) != 0) {
                // Two gave it back at a time. It is taken once, and then nobody has given it back.
                RETURNED.getAndBitwiseAnd(this, ~bit);
            }
            return (T) objects[Long.numberOfTrailingZeros(bit)];
        }

        /// [#take] of the only place: `home` is not computed from what it was, so that taking and
        /// giving back the same object again and again does not wait for the write before.
        private @Nullable T takeOnly() {
            if (home == 0 || returned != 0) {
                return null;
            }
            home = 0;
            return only;
        }

        /// False when it is there already. The owner only.
        private boolean put(long bit) {
            long before = home;
            if (((before | returned) & bit) != 0) {
                return false;
            }
            home = before | bit;
            if (before == 0 && store != null) {
                store.open |= 1L << index;
            }
            return true;
        }

        /// False when it is there already. Any other thread.
        private boolean giveBack(long bit) {
            if ((home & bit) != 0) {
                return false;
            }
            long before = (long) RETURNED.getAndBitwiseOr(this, bit);
            if (before == 0 && store != null) {
                Store.TOLD.getAndBitwiseOr(store, 1L << index);
            }
            return (before & bit) == 0;
        }

        /// Takes over the objects that other threads gave back: from now on they are at home. The
        /// owner only. First an object is at home, then it is no longer returned, so that a thread
        /// that gives it back again finds it in one of the two.
        private void takeOver() {
            long back = (long) RETURNED.getAcquire(this);
            while (back != 0) {
                home |= back;
                long found = (long) RETURNED.compareAndExchange(this, back, 0L);
                if (found == back) {
                    return;
                }
                back = found;
            }
        }

        /// Forgets all objects: those that are there are garbage, those that come home later will
        /// be. The owner only.
        private void forget() {
            Arrays.fill(objects, null);
            only = null;
            home = 0;
        }
    }

    /// The objects of one thread. For that thread only.
    static final class Store<T> {
        private static final VarHandle TOLD = handle(Store.class, "told");
        private static final int PATIENCE = 8 * Long.SIZE;
        private static final int FIRST = -1; // in place of an index of the rest

        private final Thread owner = Thread.currentThread();
        private final int capacity;

        /// One place apart from the others: a thread that has one object at a time uses this only.
        private Places<T> first;

        private final @Nullable Places<T>[] rest;

        /// The place to take from: the first or one of the rest.
        private Places<T> current;

        /// Which of the rest may have objects at home.
        private long open;

        /// Those of the rest to which other threads gave back since the owner looked; set by the
        /// first thread that gives back to a place.
        private volatile long told;

        // Where the next objects that are made get their places.
        private Places<T> newest;
        private int left = 1;
        private int next;
        private boolean again; // all places have been given away once
        private int missed;

        Store(int capacity) {
            this.capacity = capacity;
            first = new Places<>(owner, null, 0, 1);
            rest = newRest((capacity + Long.SIZE - 2) / Long.SIZE);
            current = first;
            newest = first;
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
        private static <T> @Nullable Places<T>[] newRest(int length) {
            return new Places[length];
        }

        @Nullable T take() {
            T object = first.takeOnly();
            if (object == null) {
                object = current.take();
            }
            return object != null ? object : takeElsewhere();
        }

        private @Nullable T takeElsewhere() {
            if (current != first) {
                open &= ~(1L << current.index);
            }
            if (open == 0 && told != 0) {
                open = (long) TOLD.getAndSet(this, 0L);
            }
            while (open != 0) {
                // The next in turn, so that those who give back are where the owner is not.
                long ahead = open & (-1L << current.index);
                int index = Long.numberOfTrailingZeros(ahead != 0 ? ahead : open);
                Places<T> places = rest[index];
                if (places != null) {
                    places.takeOver();
                    T object = places.take();
                    if (object != null) {
                        current = places;
                        return object;
                    }
                }
                open &= ~(1L << index);
            }
            first.takeOver();
            return first.take();
        }

        /// Of an object yet to be made.
        Handle<T> newHandle() {
            if (left == 0 && !begin()) {
                return outside();
            }
            return new Handle<>(newest, 1L << --left);
        }

        /// Of an object that has no place in any store.
        static <T> Handle<T> outside() {
            return new Handle<>(new Places<>(null, null, 0, 0), 1);
        }

        /// Begins places anew, the oldest first once all are given away. What has a place there
        /// loses it.
        private boolean begin() {
            if (next == rest.length) {
                next = FIRST;
                again = true;
            }
            if (again && ++missed < PATIENCE) {
                return false;
            }
            missed = 0;
            Places<T> old = next == FIRST ? first : rest[next];
            if (old != null) {
                old.forget();
            }
            if (next == FIRST) {
                left = 1;
                newest = new Places<>(owner, null, 0, left);
                first = newest;
            } else {
                left = Math.min(Long.SIZE, capacity - 1 - next * Long.SIZE);
                newest = new Places<>(owner, this, next, left);
                rest[next] = newest;
            }
            if (current == old) {
                current = newest;
            }
            next++;
            return true;
        }

        int pooled() {
            int pooled = Long.bitCount(first.home);
            for (Places<T> places : rest) {
                pooled += places == null ? 0 : Long.bitCount(places.home);
            }
            return pooled;
        }

        void close() {
            first.forget();
            for (Places<T> places : rest) {
                if (places != null) {
                    places.forget();
                }
            }
        }
    }
}
