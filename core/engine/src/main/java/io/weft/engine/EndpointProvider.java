package io.weft.engine;

import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;

/// Makes listeners at, and streams to, addresses of one class; found by `ServiceLoader`.
///
/// A loop's engine serves the addresses of sockets. Addresses of a class that a provider names go
/// to that provider, on loops of every engine: channels within the process, serial ports, or a
/// protocol over datagrams each bring a class of addresses and a provider, and channels need no
/// branch for them.
///
/// A provider is made once a process and called by all loops, each on its own thread.
public interface EndpointProvider {
    /// Returns the class of the addresses; subclasses are not meant.
    Class<? extends SocketAddress> addresses();

    /// Starts to listen on `address`, as [Engine#listen] does.
    ///
    /// @param loop runs the callbacks, and any task of the listener's
    /// @param engine the loop's, for a provider that watches descriptors or uses its sockets
    /// @throws IOException when the address cannot be bound; nothing is left open then
    ListenHandle listen(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            ListenEvents events)
            throws IOException;

    /// Starts to connect to `address`, as [Engine#connect] does. What the peer accepts may belong
    /// to another loop; see [Accepted#adopt].
    ///
    /// @param loop runs the callbacks, and any task of the stream's
    /// @param engine the loop's
    /// @throws IOException when the attempt cannot even start; nothing is left open then
    StreamHandle connect(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            StreamEvents events)
            throws IOException;
}
