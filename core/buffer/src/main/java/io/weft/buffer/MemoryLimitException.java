package io.weft.buffer;

/// A finite memory limit was reached; what asked for memory is as it was, and may go on when some
/// has been released.
public final class MemoryLimitException extends RuntimeException {
    private static final long serialVersionUID = 1L;

    public MemoryLimitException(String what, long wanted, long limit) {
        super(what + ": " + wanted + " (expected: at most " + limit + ")");
    }
}
