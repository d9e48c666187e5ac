package io.weft.channel;

import io.weft.engine.ChannelOption;
import io.weft.engine.DatagramBatch;
import io.weft.engine.DatagramHandle;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A socket for datagrams of tests that has no peer, no addresses and no options.
final class QuietSocket implements DatagramHandle {
    boolean receiving;

    @Override
    public void receive() {
        receiving = true;
    }

    @Override
    public void pause() {
        receiving = false;
    }

    @Override
    public int send(DatagramBatch datagrams) {
        return datagrams.count();
    }

    @Override
    public void membership(
            Membership change,
            InetAddress group,
            NetworkInterface over,
            @Nullable InetAddress source) {}

    @Override
    public void close(boolean reset) {}

    @Override
    public @Nullable SocketAddress localAddress() {
        return null;
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return null;
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        throw new UnsupportedOperationException(option.name());
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        throw new UnsupportedOperationException(option.name());
    }
}
