package io.weft.buffer;

import org.jspecify.annotations.Nullable;

/// Hears of every allocation of a thread before it is made, and may refuse it. So tests count
/// memory, and find out what happens when it runs out. It works only with the leak ledger on,
/// `-Dio.weft.leakLedger=true`, and costs nothing else.
@FunctionalInterface
public interface AllocationTap {
    /// Called before `capacity` bytes are allocated, for a new buffer or for one that grows.
    ///
    /// @throws MemoryLimitException to refuse it
    void allocating(int capacity);

    /// Makes `tap` hear of the current thread's allocations from now on; if null, none hears of
    /// them.
    ///
    /// @throws IllegalStateException when the ledger is off
    static void set(@Nullable AllocationTap tap) {
        if (!Ledger.isOn()) {
            throw new IllegalStateException(
                    "io.weft.leakLedger: false (expected: true, on the command line)");
        }
        Tapped.TAP.set(tap);
    }

    /// A refusal to throw.
    static MemoryLimitException refusal(int capacity) {
        return new MemoryLimitException("capacity", capacity, 0);
    }
}
