package io.weft.loop;

import io.weft.loop.guard.Faults;
import java.util.Arrays;
import java.util.Objects;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A value for each thread that asks. On a [LoopThread] it lies in an array at an index of this
/// local's own, elsewhere in such an array behind a `ThreadLocal`.
///
/// When an executor ends, the values of its thread are removed. Those of other threads live as long
/// as these.
///
/// Locals are meant to be static: each takes an index that is never reused, and there are 4,096 of
/// them.
public final class LoopLocal<T> {
    static final @Nullable Object[] NONE = {};
    private static final int MAX = 4096;

    // Of every index that was given away; replaced, never changed.
    private static final AtomicReference<LoopLocal<?>[]> ALL =
            new AtomicReference<>(new LoopLocal<?>[0]);
    private static final ThreadLocal<Elsewhere> ELSEWHERE = ThreadLocal.withInitial(Elsewhere::new);

    private final int index;
    private final Supplier<? extends T> initial;
    private final Consumer<? super T> removed;

    /// The locals of a thread that is not a [LoopThread].
    private static final class Elsewhere {
        @Nullable Object[] locals = NONE;
    }

    /// A local whose values are made by `initial` when a thread first asks; never null.
    ///
    /// @throws IllegalStateException when there are too many
    public LoopLocal(Supplier<? extends T> initial) {
        this(initial, _ -> {});
    }

    /// Like [#LoopLocal(Supplier)]; `removed` is told of each value that is [removed][#remove] or
    /// whose executor ends, on the thread whose value it was. It is not told of values of other
    /// threads that end.
    public LoopLocal(Supplier<? extends T> initial, Consumer<? super T> removed) {
        this.initial = initial;
        this.removed = removed;
        index =
                ALL.updateAndGet(
                                        all -> {
                                            if (all.length == MAX) {
                                                throw new IllegalStateException(
                                                        "locals: " + MAX + " (expected: static)");
                                            }
                                            LoopLocal<?>[] more =
                                                    Arrays.copyOf(all, all.length + 1);
                                            more[all.length] = this;
                                            return more;
                                        })
                                .length
                        - 1;
    }

    /// The calling thread's value.
    @SuppressWarnings("unchecked") // only a T is put at this index
    public T get() {
        @Nullable Object[] locals = locals();
        if (index < locals.length) {
            Object value = locals[index];
            if (value != null) {
                return (T) value;
            }
        }
        T made = Objects.requireNonNull(initial.get(), "initial");
        set(made);
        return made;
    }

    /// The calling thread's value, or null when it has none yet.
    @SuppressWarnings("unchecked") // only a T is put at this index
    public @Nullable T peek() {
        @Nullable Object[] locals = locals();
        return index < locals.length ? (T) locals[index] : null;
    }

    /// Replaces the calling thread's value; `removed` is not told of the one before.
    public void set(T value) {
        Objects.requireNonNull(value, "value");
        @Nullable Object[] locals = locals();
        if (index >= locals.length) {
            locals = Arrays.copyOf(locals, Math.max(8, Integer.highestOneBit(index) << 1));
            if (Thread.currentThread() instanceof LoopThread thread) {
                thread.locals = locals;
            } else {
                ELSEWHERE.get().locals = locals;
            }
        }
        locals[index] = value;
    }

    /// Forgets the calling thread's value and tells `removed`; the next [#get] makes a new one.
    public void remove() {
        T value = peek();
        if (value != null) {
            locals()[index] = null;
            removed.accept(value);
        }
    }

    private static @Nullable Object[] locals() {
        return Thread.currentThread() instanceof LoopThread thread
                ? thread.locals
                : ELSEWHERE.get().locals;
    }

    /// Removes every value of the calling thread, those that are made meanwhile too, unless that
    /// never ends.
    static void removeAll() {
        for (int round = 0, left = 1; round < 4 && left > 0; round++) {
            left = 0;
            for (LoopLocal<?> local : ALL.get()) {
                if (local.peek() != null) {
                    left++;
                    try {
                        local.remove();
                    } catch (Throwable t) {
                        Faults.report("what is told of a removed local threw", t);
                    }
                }
            }
        }
        if (Thread.currentThread() instanceof LoopThread thread) {
            thread.locals = NONE;
        } else {
            ELSEWHERE.remove();
        }
    }
}
