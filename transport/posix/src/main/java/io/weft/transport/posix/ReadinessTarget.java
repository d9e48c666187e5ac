package io.weft.transport.posix;

/// A receiver of a registered descriptor's events: a stream or a listener.
interface ReadinessTarget {
    /// @param events as [ReadinessQueue#events] tells them
    void ready(int events);

    /// Closes the descriptor with a reset, for reasons that are not the peer's.
    void abandon();

    /// One of its callbacks threw. The channel is in no known state then, and would throw again
    /// with each event, so it goes.
    default void faulted() {
        abandon();
    }
}
