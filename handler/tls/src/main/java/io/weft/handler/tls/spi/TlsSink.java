package io.weft.handler.tls.spi;

import io.weft.buffer.Buffer;
import io.weft.handler.tls.TlsSession;

/// Where an engine puts what it makes, in order, before the call that made it returns. A sink does not call the engine.
public interface TlsSink {
    /// Records to be sent; they become the sink's. They are not flushed one by one.
    void records(Buffer ciphertext);

    /// What the peer said; it becomes the sink's.
    void plaintext(Buffer data);

    /// Once. From here on plaintext may be written; the last records of the handshake were emitted before.
    void handshakeComplete(TlsSession session);

    /// The peer's close_notify: it says nothing more. Once.
    void closed();
}
