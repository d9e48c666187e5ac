package io.weft.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.util.Arrays;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Objects that are used again instead of being made anew. Worth it only where making one is dear: a plain object of a few
/// fields is cheaper new.
///
/// Each platform thread, a loop or not, has a store of its own, a bounded stack from which it takes and to which it gives
/// back without an atomic instruction. An object that another thread gives back goes home: onto a list, bounded as well,
/// that the thread it came from takes over once its stack is empty. What finds no room is left to the garbage collector.
///
/// Virtual threads come and go, so they have no store: what they take is made anew and never pooled; what they give back
/// goes home as from any other thread.
///
/// **Promises about order and visibility:** what a thread did before it gave an object back, the next to get that object
/// sees. Nothing else: which of several pooled objects comes next is not said.
///
/// **Giving back twice** is a [DoubleRecycleException] as long as the object has not been taken again. When two threads
/// give back the same object at the same time one of them may go unnoticed; the object is nevertheless not pooled twice.
public final class ObjectPool<T> {
    private static final VarHandle STATE = handle(Handle.class, "state", int.class);
    private static final VarHandle RETURNED = handle(Store.class, "returned", Handle.class);

    private static final int TAKEN = 0;
    private static final int RETURNING = 1; // by another thread than its own
    private static final int HOME = 2; // also when it found no room

    private final Function<? super Handle<T>, ? extends T> maker;
    private final LoopLocal<Store<T>> stores;

    /// A pool of at most twice `capacity` objects a thread.
    ///
    /// @param maker makes an object that remembers its handle
    /// @throws IllegalArgumentException unless `capacity` is in 1..2^20
    public ObjectPool(int capacity, Function<? super Handle<T>, ? extends T> maker) {
        if (capacity < 1 || capacity > 1 << 20) {
            throw new IllegalArgumentException("capacity: " + capacity + " (expected: 1..2^20)");
        }
        this.maker = maker;
        stores = new LoopLocal<>(() -> new Store<>(capacity), Store::close);
    }

    private static VarHandle handle(Class<?> owner, String field, Class<?> type) {
        try {
            return MethodHandles.lookup().findVarHandle(owner, field, type);
        } catch (ReflectiveOperationException e) {
            throw new ExceptionInInitializerError(e);
        }
    }

    /// A pooled object, or a new one. The caller owns it until it gives it back.
    public T get() {
        Thread thread = Thread.currentThread();
        if (!(thread instanceof LoopThread) && thread.isVirtual()) {
            return make(null);
        }
        Store<T> store = stores.get();
        Handle<T> handle = store.take();
        return handle != null ? handle.value : make(store);
    }

    private T make(@Nullable Store<T> home) {
        Handle<T> handle = new Handle<>(home);
        handle.value = maker.apply(handle);
        return handle.value;
    }

    /// How many objects of the calling thread are pooled; those that other threads gave back not counted.
    int pooled() {
        Store<T> store = stores.peek();
        return store == null ? 0 : store.size;
    }

    /// The way home of one object, which keeps it in a field.
    public static final class Handle<T> {
        private final @Nullable Store<T> home;

        @SuppressWarnings("NullAway.Init") // set before anybody sees the object
        T value;

        // Plain by the thread that the object came from, by compare-and-set from TAKEN by others.
        private int state;

        // Of the list of returned objects.
        private @Nullable Handle<T> next;
        private int depth;

        Handle(@Nullable Store<T> home) {
            this.home = home;
        }

        /// Gives the object back. Who does must not touch it any more. Any thread.
        ///
        /// @throws DoubleRecycleException when it is not taken
        public void recycle() {
            Store<T> store = home;
            if (store == null || store.owner != Thread.currentThread()) {
                if (!STATE.compareAndSet(this, TAKEN, store == null ? HOME : RETURNING)) {
                    throw twice();
                }
                if (store != null) {
                    store.giveBack(this);
                }
            } else {
                if (state != TAKEN) {
                    throw twice();
                }
                state = HOME;
                store.put(this);
            }
        }

        private DoubleRecycleException twice() {
            return new DoubleRecycleException(
                    value.getClass().getName() + ": given back already (expected: taken)");
        }
    }

    /// What one thread has. All but [#giveBack] is for that thread only. Above `size` the stack still refers to what was
    /// taken from there, so that a taken object that nobody gives back is garbage only when its place is needed.
    static final class Store<T> {
        private static final int FIRST_CAPACITY = 16;

        private final Thread owner = Thread.currentThread();
        private int capacity; // 0 once closed
        private @Nullable Handle<T>[] stack;
        private int size;

        /// A stack of objects that other threads gave back: pushed by compare-and-set, taken as a whole. So a node never
        /// leaves from the middle, and no ABA can arise.
        private volatile @Nullable Handle<T> returned;

        Store(int capacity) {
            this.capacity = capacity;
            stack = newStack(Math.min(capacity, FIRST_CAPACITY));
        }

        @SuppressWarnings({"unchecked", "rawtypes"}) // arrays have no type parameters
        private static <T> @Nullable Handle<T>[] newStack(int length) {
            return new Handle[length];
        }

        @Nullable Handle<T> take() {
            if (size == 0 && !takeOver()) {
                return null;
            }
            // It stays in the array: it mostly comes back to the same place, and a reference that
            // is
            // not written costs the collector nothing.
            Handle<T> handle = stack[--size];
            if (handle != null) {
                handle.state = TAKEN;
            }
            return handle;
        }

        void put(Handle<T> handle) {
            int top = size;
            if (top == stack.length) {
                if (top >= capacity) {
                    return;
                }
                stack = Arrays.copyOf(stack, Math.min(top << 1, capacity));
            }
            if (stack[top] != handle) {
                stack[top] = handle;
            }
            size = top + 1;
        }

        /// False when there is nothing to take over.
        @SuppressWarnings("unchecked") // of handles of T only
        private boolean takeOver() {
            if (returned == null) {
                return false;
            }
            Handle<T> handle = (Handle<T>) RETURNED.getAndSet(this, null);
            while (handle != null && handle.state == RETURNING) {
                // Anything but RETURNING comes of giving back twice at a time, and then the rest of
                // the list may be anything: it is left to the collector.
                handle.state = HOME;
                put(handle);
                Handle<T> next = handle.next;
                handle.next = null;
                handle = next;
            }
            return size > 0;
        }

        /// Any thread.
        void giveBack(Handle<T> handle) {
            for (; ; ) {
                Handle<T> top = returned;
                int depth = top == null ? 1 : top.depth + 1;
                if (depth > capacity) {
                    return;
                }
                handle.next = top;
                handle.depth = depth;
                if (RETURNED.compareAndSet(this, top, handle)) {
                    return;
                }
            }
        }

        /// Drops what is pooled. What comes home later finds no room.
        void close() {
            capacity = 0;
            size = 0;
            stack = newStack(0);
            returned = null;
        }
    }
}
