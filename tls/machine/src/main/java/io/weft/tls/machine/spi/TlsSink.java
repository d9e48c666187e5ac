package io.weft.tls.machine.spi;

import io.weft.buffer.Buffer;
import io.weft.tls.machine.TlsSession;

/// A receiver of the output of an engine, in order. Each call to the engine emits its output before
/// it returns. A sink does not call the engine.
public interface TlsSink {
    /// Records to be sent; they become the sink's. They are not flushed one by one.
    void records(Buffer ciphertext);

    /// Data from the peer; the buffer becomes the sink's.
    void plaintext(Buffer data);

    /// Once. From here on plaintext may be written; the last records of the handshake were emitted
    /// before.
    void handshakeComplete(TlsSession session);

    /// The peer's close_notify: it says nothing more. Once.
    void closed();
}
