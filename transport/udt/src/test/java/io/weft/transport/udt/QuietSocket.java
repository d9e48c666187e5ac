package io.weft.transport.udt;

import io.weft.engine.ChannelOption;
import io.weft.engine.DatagramHandle;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A socket of tests without a network. They say how it sends, and bring what it receives.
abstract class QuietSocket implements DatagramHandle {
    @Override
    public void membership(
            Membership change,
            InetAddress group,
            NetworkInterface over,
            @Nullable InetAddress source) {
        throw new UnsupportedOperationException();
    }

    @Override
    public void receive() {}

    @Override
    public void pause() {}

    @Override
    public void close(boolean reset) {}

    @Override
    public <T> T option(ChannelOption<T> option) {
        throw new UnsupportedOperationException(option.name());
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        throw new UnsupportedOperationException(option.name());
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return null;
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return null;
    }
}
