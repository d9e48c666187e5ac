package io.weft.transport.sctp;

import io.weft.engine.ChannelOptions;
import io.weft.engine.EndpointProvider;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// Offers channels at [SctpAddress]es, on engines that watch descriptors: io_uring and epoll.
public final class SctpProvider implements EndpointProvider {
    /// For the service loader.
    public SctpProvider() {}

    /// Returns the reason why there is no SCTP here, such as a kernel without it; null if there is.
    public static @Nullable String refusal() {
        return SctpSocket.refusal();
    }

    @Override
    public Class<? extends SocketAddress> addresses() {
        return SctpAddress.class;
    }

    @Override
    public ListenHandle listen(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            ListenEvents events)
            throws IOException {
        SctpAddress at = (SctpAddress) address;
        if (at.mode() == SctpMode.ASSOCIATIONS) {
            throw new IOException("listen at " + at + " (expected: to connect to it)");
        }
        return SctpListener.open(loop, engine, at, options, events);
    }

    @Override
    public StreamHandle connect(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            StreamEvents events)
            throws IOException {
        return SctpStream.open(loop, engine, (SctpAddress) address, options, events);
    }
}
