package io.weft.transport.nio;

/// Whose channel is registered: a stream or a listener; the attachment of its key.
interface Target {
    /// Its key has been selected.
    void ready();

    /// Closes the channel with a reset, for reasons that are not the peer's.
    void abandon();
}
