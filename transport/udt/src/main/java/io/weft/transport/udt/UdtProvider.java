package io.weft.transport.udt;

import io.weft.engine.ChannelOptions;
import io.weft.engine.EndpointProvider;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;

/// Offers channels at [UdtAddress]es, over the datagrams of the loop's engine.
public final class UdtProvider implements EndpointProvider {
    /// For the service loader.
    public UdtProvider() {}

    @Override
    public Class<? extends SocketAddress> addresses() {
        return UdtAddress.class;
    }

    @Override
    public ListenHandle listen(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            ListenEvents events)
            throws IOException {
        return UdtPort.listen(loop, engine, (UdtAddress) address, options, events);
    }

    @Override
    public StreamHandle connect(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            StreamEvents events)
            throws IOException {
        return UdtPort.connect(loop, engine, (UdtAddress) address, options, events);
    }
}
