package io.weft.ffi;

import java.util.function.IntSupplier;

/// Waits in the kernel.
public final class Waits {
    private Waits() {}

    /// A wait is cut short when the process was stopped and goes on, also without a handler:
    /// signal(7).
    public static int uninterrupted(IntSupplier wait) {
        int result;
        do {
            result = wait.getAsInt();
        } while (result == -Errno.EINTR);
        return result;
    }
}
