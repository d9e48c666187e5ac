package io.weft.ffi;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Numbers and layouts of a system's calls of sockets, which differ from those of Linux.
///
/// All code above this module has the numbers of Linux, in [Sockets], [Libc] and [Errno]. On
/// another system calls translate them, and structures have that system's layout. On Linux nothing
/// is translated: the JIT sees [#HERE] as a constant.
final class Abi {
    /// One number: an option of sockets, or a flag.
    ///
    /// @param name in the headers of this system
    /// @param level of Linux; of flags 0
    /// @param number of Linux
    /// @param hereLevel of this system
    /// @param here this system's number
    record Row(String name, int level, int number, int hereLevel, int here) {}

    /// Marks a level and a number of an option that are this system's own.
    static final int RAW = 1 << 30;

    private static final int SOCKET = 0xffff;

    static final Abi LINUX =
            new Abi("Linux", AddressLayout.LINUX, MessageLayout.LINUX, false, 0, 0);

    /// macOS on both of its processors.
    static final Abi MACOS =
            bsd(new Abi("macOS", AddressLayout.MACOS, MessageLayout.MACOS, false, 4, 0x100_0000))
                    // In seconds; SO_LINGER is in ticks.
                    .socket("SO_LINGER_SEC", Sockets.SO_LINGER, 0x1080)
                    .tcp("TCP_KEEPALIVE", Sockets.TCP_KEEPIDLE, 0x10)
                    .tcp("TCP_KEEPINTVL", Sockets.TCP_KEEPINTVL, 0x101)
                    .tcp("TCP_KEEPCNT", Sockets.TCP_KEEPCNT, 0x102)
                    .tcp("TCP_FASTOPEN", Sockets.TCP_FASTOPEN, 0x105)
                    .tcp("TCP_NOTSENT_LOWAT", Sockets.TCP_NOTSENT_LOWAT, 0x201)
                    .inet6("IPV6_TCLASS", Sockets.IPV6_TCLASS, 36)
                    .flag("MSG_NOSIGNAL", Sockets.MSG_NOSIGNAL, 0x80000);

    /// FreeBSD 12 and later, on 64-bit processors.
    static final Abi FREEBSD =
            bsd(new Abi(
                            "FreeBSD",
                            AddressLayout.FREEBSD,
                            MessageLayout.FREEBSD,
                            true,
                            4,
                            0x10_0000))
                    .socket("SO_LINGER", Sockets.SO_LINGER, 0x80)
                    .tcp("TCP_KEEPIDLE", Sockets.TCP_KEEPIDLE, 256)
                    .tcp("TCP_KEEPINTVL", Sockets.TCP_KEEPINTVL, 512)
                    .tcp("TCP_KEEPCNT", Sockets.TCP_KEEPCNT, 1024)
                    .tcp("TCP_FASTOPEN", Sockets.TCP_FASTOPEN, 1025)
                    .tcp("TCP_CONGESTION", Sockets.TCP_CONGESTION, 64)
                    .inet6("IPV6_TCLASS", Sockets.IPV6_TCLASS, 61)
                    .flag("MSG_NOSIGNAL", Sockets.MSG_NOSIGNAL, 0x20000)
                    .flag("MSG_CMSG_CLOEXEC", Sockets.MSG_CMSG_CLOEXEC, 0x40000);

    static final Abi HERE = of(System.getProperty("os.name"));

    private final String name;
    private final AddressLayout addresses;
    private final MessageLayout messages;
    private final boolean opensPrepared;
    private final int nonBlock;
    private final int closeOnExec;
    private final List<Row> options = new ArrayList<>();
    private final List<Row> flags = new ArrayList<>();
    private final Map<Long, Row> byNumber = new HashMap<>();

    private Abi(
            String name,
            AddressLayout addresses,
            MessageLayout messages,
            boolean opensPrepared,
            int nonBlock,
            int closeOnExec) {
        this.name = name;
        this.addresses = addresses;
        this.messages = messages;
        this.opensPrepared = opensPrepared;
        this.nonBlock = nonBlock;
        this.closeOnExec = closeOnExec;
    }

    /// Returns that of the system whose name the JVM has in `os.name`; that of Linux for others.
    static Abi of(String os) {
        String lower = os.toLowerCase(Locale.ROOT);
        if (lower.startsWith("mac")) {
            return MACOS;
        }
        return lower.equals("freebsd") ? FREEBSD : LINUX;
    }

    /// Adds what macOS and FreeBSD both have from BSD.
    private static Abi bsd(Abi abi) {
        return abi.socket("SO_ACCEPTCONN", Sockets.SO_ACCEPTCONN, 0x2)
                .socket("SO_REUSEADDR", Sockets.SO_REUSEADDR, 0x4)
                .socket("SO_KEEPALIVE", Sockets.SO_KEEPALIVE, 0x8)
                .socket("SO_BROADCAST", Sockets.SO_BROADCAST, 0x20)
                .socket("SO_REUSEPORT", Sockets.SO_REUSEPORT, 0x200)
                .socket("SO_SNDBUF", Sockets.SO_SNDBUF, 0x1001)
                .socket("SO_RCVBUF", Sockets.SO_RCVBUF, 0x1002)
                .socket("SO_ERROR", Sockets.SO_ERROR, 0x1007)
                .socket("SO_TYPE", Sockets.SO_TYPE, 0x1008)
                .inet("IP_TOS", Sockets.IP_TOS, 3)
                .inet("IP_TTL", Sockets.IP_TTL, 4)
                .inet("IP_MULTICAST_IF", Sockets.IP_MULTICAST_IF, 9)
                .inet("IP_MULTICAST_TTL", Sockets.IP_MULTICAST_TTL, 10)
                .inet("IP_MULTICAST_LOOP", Sockets.IP_MULTICAST_LOOP, 11)
                .groups("MCAST_JOIN_GROUP", Sockets.MCAST_JOIN_GROUP, 80)
                .groups("MCAST_LEAVE_GROUP", Sockets.MCAST_LEAVE_GROUP, 81)
                .groups("MCAST_JOIN_SOURCE_GROUP", Sockets.MCAST_JOIN_SOURCE_GROUP, 82)
                .groups("MCAST_LEAVE_SOURCE_GROUP", Sockets.MCAST_LEAVE_SOURCE_GROUP, 83)
                .groups("MCAST_BLOCK_SOURCE", Sockets.MCAST_BLOCK_SOURCE, 84)
                .groups("MCAST_UNBLOCK_SOURCE", Sockets.MCAST_UNBLOCK_SOURCE, 85)
                .inet6("IPV6_UNICAST_HOPS", Sockets.IPV6_UNICAST_HOPS, 4)
                .inet6("IPV6_MULTICAST_IF", Sockets.IPV6_MULTICAST_IF, 9)
                .inet6("IPV6_MULTICAST_HOPS", Sockets.IPV6_MULTICAST_HOPS, 10)
                .inet6("IPV6_MULTICAST_LOOP", Sockets.IPV6_MULTICAST_LOOP, 11)
                .inet6("IPV6_V6ONLY", Sockets.IPV6_V6ONLY, 27)
                .tcp("TCP_NODELAY", Sockets.TCP_NODELAY, 1)
                .tcp("TCP_NOPUSH", Sockets.TCP_CORK, 4)
                .flag("MSG_PEEK", Sockets.MSG_PEEK, 0x2)
                .flag("MSG_TRUNC", Sockets.MSG_TRUNC, 0x10)
                .flag("MSG_CTRUNC", Sockets.MSG_CTRUNC, 0x20)
                .flag("MSG_WAITALL", Sockets.MSG_WAITALL, 0x40)
                .flag("MSG_DONTWAIT", Sockets.MSG_DONTWAIT, 0x80);
    }

    private Abi option(String option, int level, int number, int hereLevel, int here) {
        Row row = new Row(option, level, number, hereLevel, here);
        options.add(row);
        byNumber.put((long) level << 32 | number, row);
        return this;
    }

    private Abi socket(String option, int number, int here) {
        return option(option, Sockets.SOL_SOCKET, number, SOCKET, here);
    }

    private Abi inet(String option, int number, int here) {
        return option(option, Sockets.IPPROTO_IP, number, Sockets.IPPROTO_IP, here);
    }

    private Abi inet6(String option, int number, int here) {
        return option(option, Sockets.IPPROTO_IPV6, number, Sockets.IPPROTO_IPV6, here);
    }

    private Abi groups(String option, int number, int here) {
        return inet(option, number, here).inet6(option, number, here);
    }

    private Abi tcp(String option, int number, int here) {
        return option(option, Sockets.IPPROTO_TCP, number, Sockets.IPPROTO_TCP, here);
    }

    private Abi flag(String flag, int number, int here) {
        flags.add(new Row(flag, 0, number, 0, here));
        return this;
    }

    boolean isLinux() {
        return this == LINUX;
    }

    AddressLayout addresses() {
        return addresses;
    }

    MessageLayout messages() {
        return messages;
    }

    /// Tells if `socket` and `accept4` take `SOCK_NONBLOCK` and `SOCK_CLOEXEC`.
    boolean opensPrepared() {
        return opensPrepared;
    }

    /// Returns `O_NONBLOCK`.
    int nonBlock() {
        return nonBlock;
    }

    /// Returns `O_CLOEXEC`.
    int closeOnExec() {
        return closeOnExec;
    }

    List<Row> options() {
        return options;
    }

    List<Row> flags() {
        return flags;
    }

    /// Returns the option that is this one on Linux; null if there is none here.
    @Nullable Row option(int level, int number) {
        return (level & RAW) != 0
                ? new Row("", level, number, level & ~RAW, number)
                : byNumber.get((long) level << 32 | number);
    }

    /// Returns this system's flags for those of Linux; one that it lacks is left out.
    int flagsHere(int ofLinux) {
        int here = 0;
        for (int i = 0; i < flags.size(); i++) {
            Row row = flags.get(i);
            here |= (ofLinux & row.number) != 0 ? row.here : 0;
        }
        return here;
    }

    /// Returns Linux's flags for those of this system, as far as Linux has them.
    int flagsOfLinux(int here) {
        int ofLinux = 0;
        for (int i = 0; i < flags.size(); i++) {
            Row row = flags.get(i);
            ofLinux |= (here & row.here) != 0 ? row.number : 0;
        }
        return ofLinux;
    }

    @Override
    public String toString() {
        return name;
    }
}
