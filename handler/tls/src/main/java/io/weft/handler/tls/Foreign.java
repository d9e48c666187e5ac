package io.weft.handler.tls;

import io.weft.tls.machine.TlsException.Unprotected;

/// Input that is no bytes. TLS protects bytes only, so that anything else came in the clear: it
/// does not pass.
final class Foreign {
    private Foreign() {}

    /// Gives up `message`, closing descriptors that came with it.
    ///
    /// @return the reason for which the connection ends
    static Unprotected refuse(Object message) {
        var why =
                new Unprotected(
                        "message: " + message.getClass().getName() + " (expected: a Buffer)");
        if (message instanceof AutoCloseable closeable) {
            try {
                closeable.close();
            } catch (Exception e) {
                why.addSuppressed(e);
            }
        }
        return why;
    }
}
