package io.weft.channel.spi;

import java.net.SocketAddress;
import org.jspecify.annotations.Nullable;

/// A channel's grip on its connected descriptor.
public interface StreamHandle extends OptionHandle {
    /// What [#send] returns when the bytes were not sent at once.
    int PENDING = -1;

    /// Receives until [#pause]; no effect while receiving.
    void receive();

    /// Stops receiving. What the engine had already taken from the kernel may be handed up by the next [#receive]; nothing
    /// is handed up in between.
    void pause();

    /// Sends from the front of `buffers`, reading them in place.
    ///
    /// @return the number of bytes sent at once, which may be fewer than there are (call again for the rest); or
    ///     [#PENDING]: then [StreamEvents#sent] or [StreamEvents#failed] follows, until which the buffers belong to the
    ///     kernel and `send` must not be called again
    int send(Gather buffers) throws java.io.IOException;

    /// Closes the sending direction (FIN) once nothing is pending.
    void shutdownOutput();

    /// Throws away some of what has arrived and was not handed up; only before [#close].
    ///
    /// @return whether there was something
    boolean discardInput();

    /// Closes with a reset instead of a FIN when `reset`; what the kernel has queued may be lost then. [StreamEvents#closed]
    /// follows, possibly at once, when the kernel uses none of the channel's buffers any more.
    void close(boolean reset);

    /// Null where the connection is gone or was never made.
    @Nullable SocketAddress localAddress();

    /// Null where the connection is gone or was never made.
    @Nullable SocketAddress remoteAddress();
}
