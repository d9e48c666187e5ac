package io.weft.http.server;

import io.weft.channel.Channel;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.Http2StreamHandle;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Streams of one connection that become channels, behind an [Upgrade]. Thread: the loop.
record Http2Tunnels(Http2ServerConnection connection, Channel channel)
        implements Http2StreamHandle.Owner {
    private static final System.Logger LOGGER = System.getLogger("io.weft.http.server");

    /// Makes a channel of a stream, and has a protocol begin there.
    ///
    /// @return the channel; null if there is none, and the stream is over
    @Nullable Channel open(Http2StreamHandle tunnel, Upgrade upgrade) {
        try {
            return Channel.over(tunnel, channel.eventLoop(), channel.options(), upgrade::open);
        } catch (IOException | RuntimeException e) {
            LOGGER.log(System.Logger.Level.WARNING, "a stream could not become a channel", e);
            tunnel.close();
            return null;
        }
    }

    @Override
    public EventExecutor executor() {
        return channel.eventLoop();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    @Override
    public boolean isShared() {
        return connection.isShared();
    }

    @Override
    public void wrote() {
        connection.wrote();
    }

    @Override
    public void flush() {
        connection.flushSoon();
    }

    @Override
    public void closed(Http2Stream stream) {}

    @Override
    public @Nullable SocketAddress localAddress() {
        return channel.localAddress();
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return channel.remoteAddress();
    }
}
