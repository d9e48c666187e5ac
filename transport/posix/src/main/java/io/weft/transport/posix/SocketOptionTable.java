package io.weft.transport.posix;

import static io.weft.transport.posix.SocketOption.flag;
import static io.weft.transport.posix.SocketOption.number;

import io.weft.engine.ChannelOption;
import io.weft.engine.PeerCredentials;
import io.weft.engine.TcpInfo;
import io.weft.ffi.Errno;
import io.weft.ffi.Md5Sig;
import io.weft.ffi.Memory;
import io.weft.ffi.SockAddr;
import io.weft.ffi.Sockets;
import io.weft.ffi.TcpInfoLayout;
import io.weft.ffi.Ucred;
import java.io.IOException;
import java.net.Inet4Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.nio.charset.StandardCharsets;
import java.util.Map;
import java.util.Set;

/// Names of the kernel for the options of channels.
final class SocketOptionTable {
    private static final Set<SocketKind> ANY = SocketKind.ALL;
    private static final Set<SocketKind> IP =
            Set.of(SocketKind.TCP, SocketKind.UDP, SocketKind.SCTP);
    private static final Set<SocketKind> TCP = Set.of(SocketKind.TCP);
    private static final Set<SocketKind> UDP = Set.of(SocketKind.UDP);
    private static final Set<SocketKind> UNIX = Set.of(SocketKind.UNIX);

    /// `TCP_CA_NAME_MAX`.
    private static final int MAX_NAME = 16;

    private final Map<ChannelOption<?>, SocketOption<?>> table;

    private SocketOptionTable(Map<ChannelOption<?>, SocketOption<?>> table) {
        this.table = table;
    }

    static void fill(Map<ChannelOption<?>, SocketOption<?>> table) {
        SocketOptionTable all = new SocketOptionTable(table);
        all.ofSockets();
        all.ofIp();
        all.ofTcp();
        if (Sockets.hasOption(Sockets.IPPROTO_UDP, Sockets.UDP_SEGMENT)) {
            all.put(
                    ChannelOption.UDP_SEGMENT,
                    number(UDP, Sockets.IPPROTO_UDP, Sockets.UDP_SEGMENT));
            all.put(ChannelOption.UDP_GRO, flag(UDP, Sockets.IPPROTO_UDP, Sockets.UDP_GRO));
        }
        all.put(
                ChannelOption.SO_PEERCRED,
                new SocketOption<>(UNIX, null, SocketOptionTable::credentials));
    }

    private <T> void put(ChannelOption<T> option, SocketOption<T> known) {
        table.put(option, known);
    }

    // Options that this system lacks are not in the table.

    private void putFlag(
            ChannelOption<Boolean> option, Set<SocketKind> kinds, int level, int number) {
        if (Sockets.hasOption(level, number)) {
            put(option, flag(kinds, level, number));
        }
    }

    private void putNumber(
            ChannelOption<Integer> option, Set<SocketKind> kinds, int level, int number) {
        if (Sockets.hasOption(level, number)) {
            put(option, number(kinds, level, number));
        }
    }

    private void socketFlag(ChannelOption<Boolean> option, int number) {
        putFlag(option, ANY, Sockets.SOL_SOCKET, number);
    }

    private void socketNumber(ChannelOption<Integer> option, int number) {
        putNumber(option, ANY, Sockets.SOL_SOCKET, number);
    }

    private void ofSockets() {
        put(ChannelOption.SO_REUSEADDR, flag(IP, Sockets.SOL_SOCKET, Sockets.SO_REUSEADDR));
        put(ChannelOption.SO_REUSEPORT, flag(IP, Sockets.SOL_SOCKET, Sockets.SO_REUSEPORT));
        socketFlag(ChannelOption.SO_KEEPALIVE, Sockets.SO_KEEPALIVE);
        put(ChannelOption.SO_BROADCAST, flag(UDP, Sockets.SOL_SOCKET, Sockets.SO_BROADCAST));
        put(ChannelOption.SO_RCVBUF, size(Sockets.SO_RCVBUF));
        put(ChannelOption.SO_SNDBUF, size(Sockets.SO_SNDBUF));
        put(ChannelOption.SO_LINGER, linger());
        socketNumber(ChannelOption.SO_BUSY_POLL, Sockets.SO_BUSY_POLL);
        socketNumber(ChannelOption.SO_INCOMING_CPU, Sockets.SO_INCOMING_CPU);
        socketNumber(ChannelOption.SO_PRIORITY, Sockets.SO_PRIORITY);
        socketNumber(ChannelOption.SO_MARK, Sockets.SO_MARK);
    }

    /// 0 leaves the kernel to tune it.
    private static SocketOption<Integer> size(int number) {
        return new SocketOption<>(
                ANY,
                (fd, value) ->
                        value > 0 ? Sockets.setOption(fd, Sockets.SOL_SOCKET, number, value) : 0,
                (fd, option) -> SocketOption.getInt(fd, Sockets.SOL_SOCKET, number, option));
    }

    private static SocketOption<Integer> linger() {
        return new SocketOption<>(
                ANY,
                Sockets::setLinger,
                (fd, option) -> {
                    byte[] value =
                            SocketOption.getBytes(
                                    fd, Sockets.SOL_SOCKET, Sockets.SO_LINGER, 8, option);
                    var ints = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder());
                    return ints.getInt(0) == 0 ? -1 : ints.getInt(4);
                });
    }

    private void ofIp() {
        put(ChannelOption.IP_TOS, bothNumbers(Sockets.IP_TOS, Sockets.IPV6_TCLASS, IP));
        put(ChannelOption.IP_TTL, bothNumbers(Sockets.IP_TTL, Sockets.IPV6_UNICAST_HOPS, IP));
        ipFlag(ChannelOption.IP_FREEBIND, Sockets.IP_FREEBIND);
        ipFlag(ChannelOption.IP_TRANSPARENT, Sockets.IP_TRANSPARENT);
        ipFlag(ChannelOption.IP_BIND_ADDRESS_NO_PORT, Sockets.IP_BIND_ADDRESS_NO_PORT);
        if (Sockets.hasOption(Sockets.IPPROTO_IP, Sockets.IP_RECVORIGDSTADDR)) {
            put(
                    ChannelOption.IP_RECVORIGDSTADDR,
                    bothFlags(Sockets.IP_RECVORIGDSTADDR, Sockets.IPV6_RECVORIGDSTADDR, IP));
        }
        putFlag(ChannelOption.IP_MULTICAST_ALL, UDP, Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_ALL);
        put(
                ChannelOption.IP_MULTICAST_TTL,
                bothNumbers(Sockets.IP_MULTICAST_TTL, Sockets.IPV6_MULTICAST_HOPS, UDP));
        put(
                ChannelOption.IP_MULTICAST_LOOP,
                bothFlags(Sockets.IP_MULTICAST_LOOP, Sockets.IPV6_MULTICAST_LOOP, UDP));
        put(
                ChannelOption.IP_MULTICAST_IF,
                new SocketOption<>(
                        UDP, SocketOptionTable::setInterface, SocketOptionTable::getInterface));
    }

    private void ipFlag(ChannelOption<Boolean> option, int number) {
        putFlag(option, IP, Sockets.IPPROTO_IP, number);
    }

    /// An IPv6 socket carries IPv4 too, on Linux with options of its own for each.
    private static SocketOption<Integer> bothNumbers(int v4, int v6, Set<SocketKind> kinds) {
        return new SocketOption<>(
                kinds,
                (fd, value) -> {
                    boolean six = isIpv6(fd);
                    int result = six ? Sockets.setOption(fd, Sockets.IPPROTO_IPV6, v6, value) : 0;
                    return result < 0 || (six && !Sockets.HAS_OPTIONS_OF_BOTH)
                            ? result
                            : Sockets.setOption(fd, Sockets.IPPROTO_IP, v4, value);
                },
                (fd, option) -> getOfBoth(fd, v4, v6, option));
    }

    private static int getOfBoth(int fd, int v4, int v6, ChannelOption<?> option)
            throws IOException {
        return Sockets.HAS_OPTIONS_OF_BOTH || !isIpv6(fd)
                ? SocketOption.getInt(fd, Sockets.IPPROTO_IP, v4, option)
                : SocketOption.getInt(fd, Sockets.IPPROTO_IPV6, v6, option);
    }

    private static SocketOption<Boolean> bothFlags(int v4, int v6, Set<SocketKind> kinds) {
        SocketOption<Integer> numbers = bothNumbers(v4, v6, kinds);
        return new SocketOption<>(
                kinds,
                (fd, on) -> numbers.set(fd, on ? 1 : 0),
                (fd, option) -> getOfBoth(fd, v4, v6, option) != 0);
    }

    private static boolean isIpv6(int fd) {
        return Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_DOMAIN) == Sockets.AF_INET6;
    }

    /// For IPv4 a `struct ip_mreqn`: the group, which does not matter here, an address, by which
    /// the kernel tells the interface again, and its index.
    private static int setInterface(int fd, NetworkInterface value) {
        boolean six = isIpv6(fd);
        int result =
                six
                        ? Sockets.setOption(
                                fd,
                                Sockets.IPPROTO_IPV6,
                                Sockets.IPV6_MULTICAST_IF,
                                value.getIndex())
                        : 0;
        if (result < 0 || (six && !Sockets.HAS_OPTIONS_OF_BOTH)) {
            return result;
        }
        byte[] request = new byte[12];
        value.inetAddresses()
                .filter(Inet4Address.class::isInstance)
                .findFirst()
                .ifPresent(v4 -> System.arraycopy(v4.getAddress(), 0, request, 4, 4));
        ByteBuffer.wrap(request).order(ByteOrder.nativeOrder()).putInt(8, value.getIndex());
        return SocketOption.setBytes(fd, Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_IF, request);
    }

    private static NetworkInterface getInterface(int fd, ChannelOption<NetworkInterface> option)
            throws IOException {
        NetworkInterface found;
        if (isIpv6(fd)) {
            found =
                    NetworkInterface.getByIndex(
                            SocketOption.getInt(
                                    fd, Sockets.IPPROTO_IPV6, Sockets.IPV6_MULTICAST_IF, option));
        } else {
            // The kernel tells an address of it only.
            byte[] address =
                    SocketOption.getBytes(
                            fd, Sockets.IPPROTO_IP, Sockets.IP_MULTICAST_IF, 4, option);
            found = NetworkInterface.getByInetAddress(InetAddress.getByAddress(address));
        }
        if (found == null) {
            throw new SocketException(option + ": was not set");
        }
        return found;
    }

    private void tcpFlag(ChannelOption<Boolean> option, int number) {
        putFlag(option, TCP, Sockets.IPPROTO_TCP, number);
    }

    private void tcpNumber(ChannelOption<Integer> option, int number) {
        putNumber(option, TCP, Sockets.IPPROTO_TCP, number);
    }

    private void ofTcp() {
        tcpFlag(ChannelOption.TCP_NODELAY, Sockets.TCP_NODELAY);
        tcpFlag(ChannelOption.TCP_CORK, Sockets.TCP_CORK);
        tcpFlag(ChannelOption.TCP_QUICKACK, Sockets.TCP_QUICKACK);
        tcpFlag(ChannelOption.TCP_FASTOPEN_CONNECT, Sockets.TCP_FASTOPEN_CONNECT);
        tcpNumber(ChannelOption.TCP_FASTOPEN, Sockets.TCP_FASTOPEN);
        tcpNumber(ChannelOption.TCP_NOTSENT_LOWAT, Sockets.TCP_NOTSENT_LOWAT);
        tcpNumber(ChannelOption.TCP_KEEPIDLE, Sockets.TCP_KEEPIDLE);
        tcpNumber(ChannelOption.TCP_KEEPINTVL, Sockets.TCP_KEEPINTVL);
        tcpNumber(ChannelOption.TCP_KEEPCNT, Sockets.TCP_KEEPCNT);
        tcpNumber(ChannelOption.TCP_USER_TIMEOUT, Sockets.TCP_USER_TIMEOUT);
        tcpNumber(ChannelOption.TCP_DEFER_ACCEPT, Sockets.TCP_DEFER_ACCEPT);
        if (Sockets.hasOption(Sockets.IPPROTO_TCP, Sockets.TCP_CONGESTION)) {
            putCongestion();
        }
        if (Sockets.hasOption(Sockets.IPPROTO_TCP, Sockets.TCP_INFO)) {
            put(ChannelOption.TCP_MD5SIG, new SocketOption<>(TCP, SocketOptionTable::sign, null));
            put(ChannelOption.TCP_INFO, new SocketOption<>(TCP, null, SocketOptionTable::info));
        }
    }

    private void putCongestion() {
        SocketOption<byte[]> congestion =
                SocketOption.bytes(TCP, Sockets.IPPROTO_TCP, Sockets.TCP_CONGESTION, MAX_NAME);
        put(
                ChannelOption.TCP_CONGESTION,
                new SocketOption<>(
                        TCP,
                        (fd, name) -> congestion.set(fd, name.getBytes(StandardCharsets.US_ASCII)),
                        (fd, option) -> {
                            byte[] name =
                                    SocketOption.getBytes(
                                            fd,
                                            Sockets.IPPROTO_TCP,
                                            Sockets.TCP_CONGESTION,
                                            MAX_NAME,
                                            option);
                            return new String(name, StandardCharsets.US_ASCII).replace("\0", "");
                        }));
    }

    /// One call a peer; for an IPv6 socket an IPv4 peer's address is mapped.
    private static int sign(int fd, Map<InetAddress, byte[]> keys) {
        int family = isIpv6(fd) ? Sockets.AF_INET6 : Sockets.AF_INET;
        long at = Memory.allocate(Md5Sig.SIZE, 8);
        try {
            for (var entry : keys.entrySet()) {
                byte[] key = entry.getValue();
                if (key.length > Md5Sig.MAX_KEY) {
                    return -Errno.EINVAL;
                }
                Memory.fill(at, Md5Sig.SIZE, (byte) 0);
                SockAddr.write(new InetSocketAddress(entry.getKey(), 0), family, at);
                Memory.putShort(at + Md5Sig.TCPM_KEYLEN, (short) key.length);
                Memory.copy(key, 0, at + Md5Sig.TCPM_KEY, key.length);
                int result =
                        Sockets.setsockopt(
                                fd, Sockets.IPPROTO_TCP, Sockets.TCP_MD5SIG, at, Md5Sig.SIZE);
                if (result < 0) {
                    return result;
                }
            }
            return 0;
        } finally {
            Memory.fill(at, Md5Sig.SIZE, (byte) 0);
            Memory.free(at, Md5Sig.SIZE);
        }
    }

    private static PeerCredentials credentials(int fd, ChannelOption<PeerCredentials> option)
            throws IOException {
        byte[] value =
                SocketOption.getBytes(
                        fd, Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, Ucred.SIZE, option);
        var ints = ByteBuffer.wrap(value).order(ByteOrder.nativeOrder());
        return new PeerCredentials(
                ints.getInt(Ucred.PID), ints.getInt(Ucred.UID), ints.getInt(Ucred.GID));
    }

    private static TcpInfo info(int fd, ChannelOption<TcpInfo> option) throws IOException {
        int size = TcpInfoLayout.LENGTH + 8;
        long at = Memory.allocate(size, 8);
        try {
            Memory.fill(at, size, (byte) 0);
            Memory.putInt(at + TcpInfoLayout.LENGTH, TcpInfoLayout.LENGTH);
            SocketOptions.check(
                    Sockets.getsockopt(
                            fd,
                            Sockets.IPPROTO_TCP,
                            Sockets.TCP_INFO,
                            at,
                            at + TcpInfoLayout.LENGTH),
                    "getsockopt",
                    option);
            return info(at);
        } finally {
            Memory.free(at, size);
        }
    }

    private static long u32(long at) {
        return Integer.toUnsignedLong(Memory.getInt(at));
    }

    private static TcpInfo info(long at) {
        return new TcpInfo(
                Byte.toUnsignedInt(Memory.getByte(at + TcpInfoLayout.TCPI_STATE)),
                Byte.toUnsignedInt(Memory.getByte(at + TcpInfoLayout.TCPI_CA_STATE)),
                Byte.toUnsignedInt(Memory.getByte(at + TcpInfoLayout.TCPI_RETRANSMITS)),
                Byte.toUnsignedInt(Memory.getByte(at + TcpInfoLayout.TCPI_PROBES)),
                Byte.toUnsignedInt(Memory.getByte(at + TcpInfoLayout.TCPI_BACKOFF)),
                Byte.toUnsignedInt(Memory.getByte(at + TcpInfoLayout.TCPI_OPTIONS)),
                u32(at + TcpInfoLayout.TCPI_RTO),
                u32(at + TcpInfoLayout.TCPI_ATO),
                u32(at + TcpInfoLayout.TCPI_SND_MSS),
                u32(at + TcpInfoLayout.TCPI_RCV_MSS),
                u32(at + TcpInfoLayout.TCPI_UNACKED),
                u32(at + TcpInfoLayout.TCPI_SACKED),
                u32(at + TcpInfoLayout.TCPI_LOST),
                u32(at + TcpInfoLayout.TCPI_RETRANS),
                u32(at + TcpInfoLayout.TCPI_FACKETS),
                u32(at + TcpInfoLayout.TCPI_LAST_DATA_SENT),
                u32(at + TcpInfoLayout.TCPI_LAST_ACK_SENT),
                u32(at + TcpInfoLayout.TCPI_LAST_DATA_RECV),
                u32(at + TcpInfoLayout.TCPI_LAST_ACK_RECV),
                u32(at + TcpInfoLayout.TCPI_PMTU),
                u32(at + TcpInfoLayout.TCPI_RCV_SSTHRESH),
                u32(at + TcpInfoLayout.TCPI_RTT),
                u32(at + TcpInfoLayout.TCPI_RTTVAR),
                u32(at + TcpInfoLayout.TCPI_SND_SSTHRESH),
                u32(at + TcpInfoLayout.TCPI_SND_CWND),
                u32(at + TcpInfoLayout.TCPI_ADVMSS),
                u32(at + TcpInfoLayout.TCPI_REORDERING),
                u32(at + TcpInfoLayout.TCPI_RCV_RTT),
                u32(at + TcpInfoLayout.TCPI_RCV_SPACE),
                u32(at + TcpInfoLayout.TCPI_TOTAL_RETRANS),
                Memory.getLong(at + TcpInfoLayout.TCPI_PACING_RATE),
                Memory.getLong(at + TcpInfoLayout.TCPI_MAX_PACING_RATE),
                Memory.getLong(at + TcpInfoLayout.TCPI_BYTES_ACKED),
                Memory.getLong(at + TcpInfoLayout.TCPI_BYTES_RECEIVED),
                u32(at + TcpInfoLayout.TCPI_SEGS_OUT),
                u32(at + TcpInfoLayout.TCPI_SEGS_IN),
                u32(at + TcpInfoLayout.TCPI_NOTSENT_BYTES),
                u32(at + TcpInfoLayout.TCPI_MIN_RTT),
                u32(at + TcpInfoLayout.TCPI_DATA_SEGS_IN),
                u32(at + TcpInfoLayout.TCPI_DATA_SEGS_OUT),
                Memory.getLong(at + TcpInfoLayout.TCPI_DELIVERY_RATE));
    }
}
