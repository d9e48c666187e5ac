package io.weft.channel;

import io.weft.engine.ChannelOption;
import io.weft.engine.StreamHandle;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A stream of tests that has no peer, no addresses and no options. They say how it sends.
abstract class QuietStream implements StreamHandle {
    @Override
    public void receive() {}

    @Override
    public void pause() {}

    @Override
    public void shutdownOutput() {}

    @Override
    public boolean discardInput() {
        return false;
    }

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
