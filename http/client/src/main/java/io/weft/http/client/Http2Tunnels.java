package io.weft.http.client;

import io.weft.channel.Channel;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.Http2StreamHandle;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;

/// Streams of one connection that become channels: the server has agreed to a tunnel. Thread: the
/// loop.
record Http2Tunnels(Http2ClientConnection connection, Channel channel)
        implements Http2StreamHandle.Owner {
    /// Makes a channel of a stream.
    ///
    /// @param begin adds the protocol's handlers; false when the channel is of no use
    void open(Http2StreamHandle tunnel, Predicate<Channel> begin) throws IOException {
        var _ =
                Channel.over(
                        tunnel,
                        channel.eventLoop(),
                        channel.options(),
                        opened -> {
                            if (!begin.test(opened)) {
                                channel.eventLoop().executeUnbounded(opened::abort);
                            }
                        });
    }

    @Override
    public EventExecutor executor() {
        return channel.eventLoop();
    }

    @Override
    public boolean isWritable() {
        return channel.isWritable();
    }

    /// A client's streams send in the order in which they are asked to.
    @Override
    public boolean isShared() {
        return false;
    }

    /// Frames are gathered until the flush.
    @Override
    public void wrote() {}

    @Override
    public void flush() {
        connection.flush();
    }

    @Override
    public void closed(Http2Stream stream) {
        if (stream.attachment() instanceof Http2Wire wire) {
            connection.finished(wire);
        }
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return channel.localAddress();
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return channel.remoteAddress();
    }
}
