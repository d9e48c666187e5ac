package io.weft.transport.posix;

import java.util.Arrays;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The targets of what an engine has asked the kernel for. What the kernel gives back is a slot and
/// its generation, never a descriptor. The generation changes each time the slot is freed: a late
/// event of a closed descriptor cannot reach the next owner of its number or its slot.
///
/// @param <T> of targets
public final class Slots<T> {
    private static final int INITIAL = 64;

    private final int max;
    private @Nullable Object[] targets = new @Nullable Object[INITIAL];
    private int[] generations = new int[INITIAL];
    private int[] free = new int[INITIAL];
    private int freeCount;
    private int used;

    /// @param max how many targets there may be at a time
    public Slots(int max) {
        this.max = max;
    }

    /// The slot of `target` from now on; 0 is the first.
    ///
    /// @throws IllegalStateException when there are as many targets as there may be
    public int add(T target) {
        int slot;
        if (freeCount > 0) {
            slot = free[--freeCount];
        } else {
            if (used == targets.length) {
                grow();
            }
            slot = used++;
        }
        targets[slot] = target;
        return slot;
    }

    private void grow() {
        if (used == max) {
            throw new IllegalStateException("channels: " + used + " (expected: fewer)");
        }
        int length = (int) Math.min(used * 2L, max);
        // All or none of them, where there is no memory.
        var moreTargets = Arrays.copyOf(targets, length);
        int[] moreGenerations = Arrays.copyOf(generations, length);
        free = Arrays.copyOf(free, length);
        generations = moreGenerations;
        targets = moreTargets;
    }

    public void remove(int slot) {
        targets[slot] = null;
        generations[slot]++;
        free[freeCount++] = slot;
    }

    /// Returns the number of times that the slot has been freed.
    public int generation(int slot) {
        return generations[slot];
    }

    /// Null when the target that had this slot in that generation is gone.
    @SuppressWarnings("unchecked") // only targets come in by add
    public @Nullable T get(int slot, int generation) {
        return generations[slot] == generation ? (T) targets[slot] : null;
    }

    public boolean isEmpty() {
        return freeCount == used;
    }

    /// Calls `action` with each target, which it may remove.
    @SuppressWarnings("unchecked") // only targets come in by add
    public void forEach(Consumer<? super T> action) {
        for (int slot = 0; slot < used; slot++) {
            T target = (T) targets[slot];
            if (target != null) {
                action.accept(target);
            }
        }
    }
}
