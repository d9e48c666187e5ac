package io.weft.transport.sctp;

import io.weft.ffi.Errno;
import io.weft.ffi.Memory;
import io.weft.ffi.Sctp;
import io.weft.ffi.SctpLayout.GetAddrs;
import io.weft.ffi.SockAddr;
import io.weft.ffi.Sockets;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.List;

/// Lists of addresses one behind the other, each as long as its family says: the values of
/// `SCTP_SOCKOPT_BINDX_ADD`, `SCTP_SOCKOPT_CONNECTX` and `SCTP_GET_PEER_ADDRS`.
final class AddressList {
    /// Room for more addresses than a kernel gives an endpoint.
    private static final int ROOM = GetAddrs.ADDRS + 512 * SockAddr.SIZE_INET6;

    private AddressList() {}

    /// Writes the addresses at `at`, where there are [SockAddr#SIZE_INET6] bytes for each.
    ///
    /// @return the bytes written
    static int write(List<InetSocketAddress> addresses, long at) {
        int length = 0;
        for (InetSocketAddress address : addresses) {
            int family = SockAddr.familyFor(address.getAddress());
            length += SockAddr.write(address, family, at + length);
        }
        return length;
    }

    /// Reads `count` addresses of the `length` bytes at `at`, as far as they are whole.
    static List<InetSocketAddress> read(long at, int length, int count) {
        List<InetSocketAddress> addresses = new ArrayList<>();
        int from = 0;
        while (addresses.size() < count && from + 2 <= length) {
            int family = Short.toUnsignedInt(Memory.getShort(at + from));
            int size =
                    family == Sockets.AF_INET
                            ? SockAddr.SIZE_INET
                            : family == Sockets.AF_INET6 ? SockAddr.SIZE_INET6 : Integer.MAX_VALUE;
            if (size > length - from) {
                break;
            }
            addresses.add(SockAddr.read(at + from));
            from += size;
        }
        return addresses;
    }

    /// Passes the addresses to the kernel.
    ///
    /// @return the result of `setsockopt`
    static int set(int fd, int option, List<InetSocketAddress> addresses) {
        int room = addresses.size() * SockAddr.SIZE_INET6;
        long at = Memory.allocate(room, 8);
        try {
            int length = write(addresses, at);
            return Sockets.setsockopt(fd, Sctp.IPPROTO_SCTP, option, at, length);
        } finally {
            Memory.free(at, room);
        }
    }

    /// Asks the kernel for addresses.
    static List<InetSocketAddress> get(int fd, int option) throws IOException {
        long at = Memory.allocate(ROOM + 8, 8);
        try {
            Memory.fill(at, ROOM, (byte) 0);
            Memory.putInt(at + ROOM, ROOM);
            int result = Sockets.getsockopt(fd, Sctp.IPPROTO_SCTP, option, at, at + ROOM);
            if (result < 0) {
                throw new SocketException("getsockopt addresses: " + Errno.describe(-result));
            }
            // The length that it returns counts the beginning for the peer's addresses only.
            return read(
                    at + GetAddrs.ADDRS,
                    ROOM - GetAddrs.ADDRS,
                    Memory.getInt(at + GetAddrs.ADDR_NUM));
        } finally {
            Memory.free(at, ROOM + 8);
        }
    }
}
