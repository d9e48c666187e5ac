package io.weft.loop;

/// Thrown when an object is recycled that is in its [ObjectPool] already: two owners would have got
/// it next.
public final class DoubleRecycleException extends IllegalStateException {
    private static final long serialVersionUID = 1;

    DoubleRecycleException(String message) {
        super(message);
    }
}
