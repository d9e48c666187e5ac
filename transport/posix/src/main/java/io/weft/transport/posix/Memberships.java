package io.weft.transport.posix;

import io.weft.engine.DatagramHandle.Membership;
import io.weft.ffi.Errno;
import io.weft.ffi.Memory;
import io.weft.ffi.SockAddr;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;

/// Multicast groups of sockets, by the options that are alike for IPv4 and IPv6 (RFC 3678).
final class Memberships {
    private static final int GROUP = SockAddr.groupOffset();
    private static final int SOURCE = GROUP + SockAddr.SIZE;
    private static final int SIZE = SOURCE + SockAddr.SIZE;

    private Memberships() {}

    static void change(
            int fd,
            Membership change,
            InetAddress group,
            NetworkInterface over,
            @Nullable InetAddress source)
            throws IOException {
        int family = SockAddr.familyFor(group);
        long at = Memory.allocate(SIZE, 8);
        try {
            Memory.fill(at, SIZE, (byte) 0);
            Memory.putInt(at, over.getIndex());
            put(group, family, at + GROUP);
            if (source != null) {
                put(source, family, at + SOURCE);
            }
            int level = family == Sockets.AF_INET ? Sockets.IPPROTO_IP : Sockets.IPPROTO_IPV6;
            int length = source == null ? SOURCE : SIZE;
            int result = Sockets.setsockopt(fd, level, option(change, source != null), at, length);
            if (result < 0) {
                throw new SocketException(change + " " + group + ": " + Errno.describe(-result));
            }
        } finally {
            Memory.free(at, SIZE);
        }
    }

    private static void put(InetAddress address, int family, long at) {
        SockAddr.write(new InetSocketAddress(address, 0), family, at);
    }

    private static int option(Membership change, boolean ofSource) {
        return switch (change) {
            case JOIN -> ofSource ? Sockets.MCAST_JOIN_SOURCE_GROUP : Sockets.MCAST_JOIN_GROUP;
            case LEAVE -> ofSource ? Sockets.MCAST_LEAVE_SOURCE_GROUP : Sockets.MCAST_LEAVE_GROUP;
            case BLOCK -> Sockets.MCAST_BLOCK_SOURCE;
            case UNBLOCK -> Sockets.MCAST_UNBLOCK_SOURCE;
        };
    }
}
