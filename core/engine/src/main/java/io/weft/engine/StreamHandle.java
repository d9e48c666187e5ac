package io.weft.engine;

import java.io.IOException;
import org.jspecify.annotations.Nullable;

/// A channel's grip on its connected descriptor.
public interface StreamHandle extends ChannelHandle {
    /// Sends from the front of `buffers`, reading them in place.
    ///
    /// @return the number of bytes sent at once, which may be fewer than there are (call again for
    ///     the rest); or [#PENDING]: then the buffers belong to the kernel until
    ///     [StreamEvents#sent] follows, or [ChannelEvents#closed]. [StreamEvents#failed] may tell of
    ///     something else than this send, and gives none back. Until then another call sends
    ///     nothing, and answers that it is pending
    /// @throws UnsentMessageException if the first buffer cannot be sent, but others might be
    int send(Gather buffers) throws IOException;

    /// Tells if [#sendFile] is to be called. If not, or if a region asks for it, its bytes come
    /// through [#send].
    default boolean sendsFiles() {
        return false;
    }

    /// Sends from the front of `region`, which does not change between calls but by what was sent.
    ///
    /// @return as [#send] does; 0 after [FileRegion#copy], when this file cannot be sent like that
    /// @throws java.io.EOFException when the file is shorter than the region
    default int sendFile(FileRegion region) throws IOException {
        throw new UnsupportedOperationException("sendFile: of " + getClass().getName());
    }

    /// Tells if [Gather#descriptors] can be sent here.
    default boolean passesDescriptors() {
        return false;
    }

    /// Returns the reason for which `message` cannot be sent here; null if it can.
    default @Nullable Exception refusal(EndpointMessage message) {
        return new IllegalArgumentException(
                "message: " + message.getClass().getName() + " (expected: a Buffer)");
    }

    /// Closes the sending direction (FIN) once nothing is pending.
    void shutdownOutput();

    /// Tells if an orderly close waits for the peer's end after everything has been sent. A peer
    /// without an end of its output, as on a serial line, is not waited for.
    default boolean lingers() {
        return true;
    }

    /// Throws away some of what has arrived and was not handed up; only before [#close].
    ///
    /// @return whether there was something
    boolean discardInput();

    /// Closes this descriptor and nothing else, for a connection that another descriptor, perhaps
    /// of another process, goes on with: no FIN, no RST, no change of socket options, no input
    /// discarded. If this was the last descriptor, the system ends the connection as `close(2)`
    /// does.
    ///
    /// Bytes that were received already and not handed up are lost, and so is the rest of a pending
    /// send: pause before the other side takes over, and let go when everything has been sent.
    /// [ChannelEvents#closed] follows, possibly at once.
    ///
    /// @throws UnsupportedOperationException if this engine's descriptors have one holder only
    default void letGo() {
        throw new UnsupportedOperationException("letGo: of " + getClass().getName());
    }
}
