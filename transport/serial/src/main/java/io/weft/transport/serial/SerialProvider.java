package io.weft.transport.serial;

import io.weft.engine.ChannelOptions;
import io.weft.engine.EndpointProvider;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.NativeAccess;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;

/// Offers streams to [SerialAddress]es, on engines that watch descriptors.
public final class SerialProvider implements EndpointProvider {
    /// For the service loader.
    public SerialProvider() {}

    @Override
    public Class<? extends SocketAddress> addresses() {
        return SerialAddress.class;
    }

    @Override
    public ListenHandle listen(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            ListenEvents events)
            throws IOException {
        throw new IOException("listen at " + address + " (expected: to connect to it)");
    }

    @Override
    public StreamHandle connect(
            EventExecutor loop,
            Engine engine,
            SocketAddress address,
            ChannelOptions options,
            StreamEvents events)
            throws IOException {
        String os = System.getProperty("os.name");
        if (!os.equals("Linux")) {
            throw new IOException(address + ": os: " + os + " (expected: Linux)");
        }
        String refusal = NativeAccess.refusal();
        if (refusal != null) {
            throw new IOException(address + ": " + refusal);
        }
        return SerialStream.open(loop, engine, (SerialAddress) address, options, events);
    }
}
