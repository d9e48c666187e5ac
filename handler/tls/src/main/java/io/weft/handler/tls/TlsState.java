package io.weft.handler.tls;

/// The states of a [TlsHandler]'s connection, in their order; any may be followed by the last.
enum TlsState {
    NEW,
    HANDSHAKE,
    OPEN,
    /// Our close_notify is on its way, or out.
    CLOSING,
    /// Closed or failed: nothing more is said, and what comes is dropped.
    OVER
}
