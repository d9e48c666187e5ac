package io.weft.loop;

/// Thrown instead of waiting indefinitely: the caller is the thread that would have to complete
/// what it wants to wait for.
public final class BlockingOperationException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    BlockingOperationException(String message) {
        super(message);
    }

    /// @param awaited for the message
    /// @param inLoop whether the caller is in the loop; else it is the thread that steps through
    ///     several
    /// @param instead what a caller in the loop does instead
    static BlockingOperationException waitFor(Object awaited, boolean inLoop, String instead) {
        return new BlockingOperationException(
                "wait for "
                        + awaited
                        + (inLoop
                                ? " by its own loop (expected: another thread, or " + instead + ")"
                                : " by the thread that drives its loop (expected: use"
                                        + " Simulation.await, or go round until it is done)"));
    }
}
