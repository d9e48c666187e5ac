package io.weft.engine;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A channel's grip on its descriptor, whatever travels there.
public interface ChannelHandle extends OptionHandle {
    /// Result of a send when nothing was sent at once.
    int PENDING = -1;

    /// Receives until [#pause]; no effect while receiving. Input that is there already is handed up
    /// in a later poll, not within this call: a handler that writes one message in several pieces,
    /// and so asks for input, would be told of some between two of them.
    void receive();

    /// Stops receiving. What the engine had already taken from the kernel may be handed up by the
    /// next [#receive]; nothing is handed up in between.
    void pause();

    /// Closes. If `reset`, a connection ends with a reset instead of a FIN, and what the kernel has
    /// queued may be lost. [ChannelEvents#closed] follows, possibly at once, when the kernel no
    /// longer uses the channel's buffers.
    void close(boolean reset);

    /// The number of the descriptor; -1 where there is none, or none that is told.
    default int descriptor() {
        return -1;
    }

    /// Null where the connection is gone or was never made.
    @Nullable SocketAddress localAddress();

    /// Null where the connection is gone or was never made, or the peer's Unix path is not in the
    /// locale's encoding.
    @Nullable SocketAddress remoteAddress();
}
