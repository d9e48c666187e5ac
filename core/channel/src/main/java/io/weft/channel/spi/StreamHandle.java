package io.weft.channel.spi;

import java.io.IOException;

/// A channel's grip on its connected descriptor.
public interface StreamHandle extends ChannelHandle {
    /// Sends from the front of `buffers`, reading them in place.
    ///
    /// @return the number of bytes sent at once, which may be fewer than there are (call again for the rest); or
    ///     [#PENDING]: then [StreamEvents#sent] or [StreamEvents#failed] follows, until which the buffers belong to the
    ///     kernel and `send` must not be called again
    int send(Gather buffers) throws IOException;

    /// Whether [Gather#descriptors] can be sent here.
    default boolean passesDescriptors() {
        return false;
    }

    /// Closes the sending direction (FIN) once nothing is pending.
    void shutdownOutput();

    /// Throws away some of what has arrived and was not handed up; only before [#close].
    ///
    /// @return whether there was something
    boolean discardInput();
}
