package io.weft.handler.tls;

import io.weft.tls.machine.TlsSession;

/// Events that a [TlsHandler] sends to the handlers behind it, by `userEventTriggered`.
public sealed interface TlsEvent {
    /// From now on what is read and written is protected. Comes before the first data.
    record HandshakeComplete(TlsSession session) implements TlsEvent {}

    /// There was no agreement; `exceptionCaught` gets the same cause, then the channel closes.
    record HandshakeFailed(Throwable cause) implements TlsEvent {}

    /// The peer's close_notify: all that it had to say has arrived. Without it, what arrived may be
    /// cut short, and `exceptionCaught` gets a
    /// [TlsException.Truncated][io.weft.tls.machine.TlsException.Truncated].
    record CloseNotify() implements TlsEvent {}
}
