package io.weft.transport.uring;

import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// The targets of submissions under way. A slot's generation changes each time it is freed, so that a completion that is
/// late can never reach whoever has the slot next.
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
                if (used == Operation.MAX_SLOTS) {
                    throw new IllegalStateException("channels: " + used + " (expected: fewer)");
                }
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

    long userData(int slot, int operation) {
        return Operation.userData(generations[slot], slot, operation);
    }

    /// Null when the target is gone.
    @Nullable Target get(long userData) {
        int slot = Operation.slot(userData);
        return generations[slot] == Operation.generation(userData) ? targets[slot] : null;
    }

    boolean isEmpty() {
        return freeCount == used;
    }
}
