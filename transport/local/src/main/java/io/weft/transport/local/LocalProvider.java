package io.weft.transport.local;

import io.weft.engine.ChannelOptions;
import io.weft.engine.EndpointProvider;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.LocalAddress;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;

/// Offers channels at [LocalAddress]es, which move no bytes through any engine.
public final class LocalProvider implements EndpointProvider {
    @Override
    public Class<? extends SocketAddress> addresses() {
        return LocalAddress.class;
    }

    @Override
    public ListenHandle listen(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            ListenEvents events)
            throws IOException {
        return LocalListener.listen(loop, (LocalAddress) address, options, events);
    }

    @Override
    public StreamHandle connect(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            StreamEvents events) {
        return LocalListener.connect(loop, (LocalAddress) address, options, events);
    }
}
