package io.weft.engine;

import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import org.jspecify.annotations.Nullable;

/// A channel's grip on a descriptor for datagrams.
public interface DatagramHandle extends ChannelHandle {
    /// Sends from the front of `datagrams`, reading them in place.
    ///
    /// @return how many were sent, which may be fewer than there are (call again for the rest); or
    ///     [#PENDING]: then [DatagramEvents#sent] follows, until which `send` must not be called
    ///     again
    /// @throws IOException when the first could not be sent and never will be; the others are not
    ///     affected
    int send(DatagramBatch datagrams) throws IOException;

    /// Changes to the multicast groups that come in.
    enum Membership {
        JOIN,
        LEAVE,
        BLOCK,
        UNBLOCK
    }

    /// @param source whose datagrams are meant; null for all sources, which cannot be blocked
    /// @throws IOException when the kernel refuses
    /// @throws UnsupportedOperationException when this engine or this kind of socket has no groups
    void membership(
            Membership change,
            InetAddress group,
            NetworkInterface over,
            @Nullable InetAddress source)
            throws IOException;
}
