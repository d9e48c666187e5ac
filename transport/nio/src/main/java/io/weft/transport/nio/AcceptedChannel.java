package io.weft.transport.nio;

import io.weft.engine.Accepted;
import java.nio.channels.SocketChannel;

/// A connection that no loop has yet.
record AcceptedChannel(SocketChannel channel) implements Accepted {
    @Override
    public void close() {
        NioEngine.close(channel);
    }
}
