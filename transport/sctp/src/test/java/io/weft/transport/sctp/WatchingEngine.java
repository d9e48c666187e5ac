package io.weft.transport.sctp;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import java.net.SocketAddress;

/// An engine of tests that only watches descriptors, in the way that they say.
abstract class WatchingEngine implements Engine {
    @Override
    public ListenHandle listen(SocketAddress address, ChannelOptions options, ListenEvents events) {
        throw new UnsupportedOperationException();
    }

    @Override
    public StreamHandle connect(
            SocketAddress address, ChannelOptions options, StreamEvents events) {
        throw new UnsupportedOperationException();
    }

    @Override
    public StreamHandle adopt(Accepted accepted, StreamEvents events) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void poll(long timeoutNanos) {}

    @Override
    public void wakeup() {}

    @Override
    public void close() {}
}
