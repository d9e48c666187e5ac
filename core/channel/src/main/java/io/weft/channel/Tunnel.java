package io.weft.channel;

import io.weft.loop.Promise;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A way of outbound connections to their destinations through others, such as proxies; see
/// [Bootstrap#tunnel]. Its methods are called on the connection's loop, of any group at once, and
/// must not block.
public interface Tunnel {
    /// Returns the address to connect to on the way to `destination`; null for a direct connection.
    /// An exception fails the connection.
    ///
    /// @param destination as it was asked for; unresolved if it is a name
    @Nullable SocketAddress entrance(SocketAddress destination);

    /// Opens the way, as the initializer of a connection to the entrance. When it is open,
    /// `handler` fills the pipeline behind the tunnel's handlers, these hear that the channel is
    /// active, and `opened` succeeds with it. Otherwise `opened` fails and the channel is aborted;
    /// so it is when `opened` was cancelled meanwhile.
    ///
    /// @throws Exception fails the connection
    void open(
            Channel channel,
            SocketAddress destination,
            ChannelInitializer handler,
            Promise<Channel> opened)
            throws Exception;

    /// Returns the failure of a connection to `destination` whose entrance could not be reached, or
    /// whose [#open] threw `cause`.
    default Throwable unreachable(SocketAddress destination, Throwable cause) {
        return cause;
    }
}
