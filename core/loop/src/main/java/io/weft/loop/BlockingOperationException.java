package io.weft.loop;

/// Thrown instead of waiting indefinitely: the caller is the thread that would have to complete
/// what it wants to wait for.
public final class BlockingOperationException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    BlockingOperationException(String message) {
        super(message);
    }
}
