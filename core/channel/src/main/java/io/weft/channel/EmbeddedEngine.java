package io.weft.channel;

import io.weft.channel.spi.Accepted;
import io.weft.channel.spi.Engine;
import io.weft.channel.spi.ListenEvents;
import io.weft.channel.spi.ListenHandle;
import io.weft.channel.spi.StreamEvents;
import io.weft.channel.spi.StreamHandle;
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
