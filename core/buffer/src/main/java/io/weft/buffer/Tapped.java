package io.weft.buffer;

import org.jspecify.annotations.Nullable;

/// Which tap hears of a thread's allocations.
final class Tapped {
    static final ThreadLocal<@Nullable AllocationTap> TAP = new ThreadLocal<>();

    private Tapped() {}

    static void tell(int capacity) {
        AllocationTap tap = TAP.get();
        if (tap != null) {
            tap.allocating(capacity);
        }
    }
}
