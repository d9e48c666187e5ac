package io.weft.channel;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import java.io.IOException;
import java.net.SocketAddress;

/// An engine without a kernel: its connections are moved by hand.
final class EmbeddedEngine implements Engine {
    @Override
    public void poll(long timeoutNanos) {}

    @Override
    public void wakeup() {}

    @Override
    public void close() {}

    @Override
    public ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events)
            throws IOException {
        throw new IOException("an embedded channel has no network to listen on");
    }

    @Override
    public StreamHandle connect(SocketAddress address, ChannelOptions options, StreamEvents events)
            throws IOException {
        throw new IOException("an embedded channel has no network to connect to");
    }

    @Override
    public StreamHandle adopt(Accepted accepted, StreamEvents events) {
        return ((EmbeddedPeer) accepted).handle(events);
    }
}
