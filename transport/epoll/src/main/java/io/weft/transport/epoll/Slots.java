package io.weft.transport.epoll;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The registered targets. What the kernel gives back with an event is a slot and its generation, never a descriptor:
/// the generation changes each time the slot is freed, so that an event already fetched for a closed descriptor cannot
/// reach whoever has its number next.
final class Slots {
    private @Nullable Target[] targets = new @Nullable Target[64];
    private int[] generations = new int[64];
    private int[] free = new int[64];
    private int freeCount;
    private int used;

    int add(Target target) {
        int slot;
        if (freeCount > 0) {
            slot = free[--freeCount];
        } else {
            if (used == targets.length) {
                targets = Arrays.copyOf(targets, used * 2);
                generations = Arrays.copyOf(generations, used * 2);
                free = Arrays.copyOf(free, used * 2);
            }
            slot = used++;
        }
        targets[slot] = target;
        return slot;
    }

    void remove(int slot) {
        targets[slot] = null;
        generations[slot]++;
        free[freeCount++] = slot;
    }

    /// What to register with the descriptor of the target in `slot`; not negative, as slots are not.
    long key(int slot) {
        return (long) slot << 32 | Integer.toUnsignedLong(generations[slot]);
    }

    /// Null when the target is gone.
    @Nullable Target get(long key) {
        int slot = (int) (key >>> 32);
        return generations[slot] == (int) key ? targets[slot] : null;
    }

    boolean isEmpty() {
        return freeCount == used;
    }

    /// Abandons whoever is left.
    void abandonAll() {
        for (int slot = 0; slot < used; slot++) {
            Target target = targets[slot];
            if (target != null) {
                target.abandon();
            }
        }
    }
}
