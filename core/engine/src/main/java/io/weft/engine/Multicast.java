package io.weft.engine;

import io.weft.engine.DatagramHandle.Membership;
import java.io.IOException;
import java.net.InetAddress;
import java.net.NetworkInterface;

/// The multicast groups of a datagram channel. On the channel's loop; a refusal of the kernel is an
/// `IOException`.
public final class Multicast {
    private final DatagramHandle handle;

    /// @param handle whose groups these are
    public Multicast(DatagramHandle handle) {
        this.handle = handle;
    }

    /// From now on datagrams to `group` that come in by the interface are received.
    public void join(InetAddress group, NetworkInterface over) throws IOException {
        handle.membership(Membership.JOIN, group, over, null);
    }

    /// As [#join], from one source only (IGMPv3, MLDv2).
    public void join(InetAddress group, NetworkInterface over, InetAddress source)
            throws IOException {
        handle.membership(Membership.JOIN, group, over, source);
    }

    public void leave(InetAddress group, NetworkInterface over) throws IOException {
        handle.membership(Membership.LEAVE, group, over, null);
    }

    /// Leaves what was joined for one source.
    public void leave(InetAddress group, NetworkInterface over, InetAddress source)
            throws IOException {
        handle.membership(Membership.LEAVE, group, over, source);
    }

    /// Blocks `source`: its datagrams to a group joined for all sources are no longer received.
    public void block(InetAddress group, NetworkInterface over, InetAddress source)
            throws IOException {
        handle.membership(Membership.BLOCK, group, over, source);
    }

    public void unblock(InetAddress group, NetworkInterface over, InetAddress source)
            throws IOException {
        handle.membership(Membership.UNBLOCK, group, over, source);
    }
}
