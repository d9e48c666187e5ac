package io.weft.transport.nio;

/// A receiver of a registered channel's events: a stream or a listener; the attachment of its key.
interface Target {
    /// Its key has been selected.
    void ready();

    /// Closes the channel with a reset, for reasons that are not the peer's.
    void abandon();

    /// One of its callbacks threw. The channel is in no known state then, and would throw again
    /// with each event, so it goes.
    default void faulted() {
        abandon();
    }
}
