package io.weft.conformance.rig;

import io.weft.engine.LocalAddress;
import io.weft.eventloop.EventLoopGroup;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketAddress;

/// Channels within this process, between loops of two groups.
record LocalNetwork(EventLoopGroup group, EventLoopGroup peers) implements Network {
    LocalNetwork(int loops) {
        this(EventLoopGroup.create("nio", loops), EventLoopGroup.create("nio", 1));
    }

    @Override
    public SocketAddress anyAddress() {
        return LocalAddress.unique();
    }

    @Override
    public Socket connect(SocketAddress address, int receiveBuffer) throws IOException {
        return ChannelSocket.connect(peers, address, receiveBuffer);
    }

    @Override
    public void close() {
        peers.close();
    }
}
