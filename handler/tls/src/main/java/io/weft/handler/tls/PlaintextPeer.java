package io.weft.handler.tls;

import io.weft.channel.Channel;
import io.weft.tls.machine.TlsException.NotTls;
import java.net.SocketAddress;

/// A peer that speaks another protocol on a port of TLS: an old client, a scanner, a mistake in an
/// address.
final class PlaintextPeer {
    private static final System.Logger LOG = System.getLogger(TlsHandler.class.getName());

    private PlaintextPeer() {}

    /// Says so in the log, at FINE.
    ///
    /// @return the failure, with the peer's address in its message
    static NotTls of(Channel channel, NotTls cause) {
        SocketAddress address = channel.remoteAddress();
        String peer = address == null ? "the peer" : address.toString();
        String message = peer + " does not speak TLS: " + cause.getMessage();
        log(message);
        return new NotTls(message);
    }

    @SuppressWarnings("EmptyCatch") // a logger that fails must not keep the connection open
    private static void log(String message) {
        try {
            LOG.log(System.Logger.Level.DEBUG, message);
        } catch (Throwable loggerFailed) {
        }
    }
}
