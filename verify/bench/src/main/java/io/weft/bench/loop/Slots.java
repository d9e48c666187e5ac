package io.weft.bench.loop;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.infra.Control;

/// Hands objects from one thread to one other, both of which spin: so cheap that what they do
/// besides shows. They yield now and then, or one that lost its processor would be waited for as
/// long as the scheduler likes.
final class Slots<T> {
    private static final VarHandle SLOT = MethodHandles.arrayElementVarHandle(Object[].class);
    private static final int SIZE = 1024;
    private static final int SPINS = 64;

    private final @Nullable Object[] slots = new Object[SIZE];
    private int in;

    /// Apart from `in`, which the other thread writes.
    private final int[] out = new int[64];

    /// Waits for room, but not beyond the end of the measurement.
    ///
    /// @return false when that came first
    boolean put(T object, Control control) {
        int slot = in++ & (SIZE - 1);
        for (int spins = 1; SLOT.getAcquire(slots, slot) != null; spins++) {
            if (control.stopMeasurement) {
                in--;
                return false;
            }
            pause(spins);
        }
        SLOT.setRelease(slots, slot, object);
        return true;
    }

    /// Waits for an object; null when the end of the measurement came first.
    @SuppressWarnings("unchecked") // only T is put
    @Nullable T take(Control control) {
        int slot = out[32]++ & (SIZE - 1);
        Object object;
        for (int spins = 1; (object = SLOT.getAcquire(slots, slot)) == null; spins++) {
            if (control.stopMeasurement) {
                out[32]--;
                return null;
            }
            pause(spins);
        }
        SLOT.setRelease(slots, slot, null);
        return (T) object;
    }

    @SuppressWarnings(
            "ThreadPriorityCheck") // more threads than processors may be waiting for one of them
    private static void pause(int spins) {
        if (spins % SPINS == 0) {
            Thread.yield();
        } else {
            Thread.onSpinWait();
        }
    }
}
