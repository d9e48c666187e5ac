package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.ffi.call.SystemErrno;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Compares every number and layout of the tables of macOS and FreeBSD with figures of published
/// headers, which `sockets.figures` and `errno.figures` have with their places.
class AbiTest {
    private static Abi abi(String system) {
        return system.equals("macos") ? Abi.MACOS : Abi.FREEBSD;
    }

    @ParameterizedTest
    @ValueSource(strings = {"macos", "freebsd"})
    void numbersAreThoseOfTheHeaders(String system) throws Exception {
        Abi abi = abi(system);
        Map<String, Long> ours = new TreeMap<>();
        abi.options().forEach(row -> ours.put(row.name(), (long) row.here()));
        abi.flags().forEach(row -> ours.put(row.name(), (long) row.here()));
        put(ours, "AF_UNIX", abi.addresses().number(Sockets.AF_UNIX));
        put(ours, "AF_INET", abi.addresses().number(Sockets.AF_INET));
        put(ours, "AF_INET6", abi.addresses().number(Sockets.AF_INET6));
        put(ours, "SOCK_STREAM", Sockets.SOCK_STREAM);
        put(ours, "SOCK_DGRAM", Sockets.SOCK_DGRAM);
        put(ours, "SOL_SOCKET", BsdSockets.SOL_SOCKET);
        put(ours, "SOL_LOCAL", BsdOptions.SOL_LOCAL);
        put(ours, "LOCAL_PEERCRED", BsdOptions.LOCAL_PEERCRED);
        put(ours, "cr_uid", BsdOptions.XUCRED_UID);
        put(ours, "cr_groups", BsdOptions.XUCRED_GROUPS);
        put(ours, "SCM_RIGHTS", Sockets.SCM_RIGHTS);
        put(ours, "O_NONBLOCK", abi.nonBlock());
        put(ours, "O_CLOEXEC", abi.closeOnExec());
        put(ours, "F_SETFD", BsdSockets.F_SETFD);
        put(ours, "F_GETFL", BsdSockets.F_GETFL);
        put(ours, "F_SETFL", BsdSockets.F_SETFL);
        put(ours, "FD_CLOEXEC", BsdSockets.FD_CLOEXEC);
        put(ours, "struct sockaddr_un", abi.addresses().unixSize());
        put(ours, "sun_path", SockAddrUn.SUN_PATH);
        put(ours, "gsr_group", abi.addresses().group());
        if (abi == Abi.MACOS) {
            put(ours, "SO_NOSIGPIPE", BsdSockets.SO_NOSIGPIPE_MACOS);
            put(ours, "LOCAL_PEERPID", BsdOptions.LOCAL_PEERPID);
            put(ours, "struct xucred", BsdOptions.XUCRED_SIZE_MACOS);
            put(ours, "CONNECT_RESUME_ON_READ_WRITE", BsdSockets.CONNECT_RESUME_ON_READ_WRITE);
            put(ours, "CONNECT_DATA_IDEMPOTENT", BsdSockets.CONNECT_DATA_IDEMPOTENT);
            put(ours, "struct sa_endpoints", BsdSockets.ENDPOINTS_SIZE);
            put(ours, "sae_dstaddr", BsdSockets.ENDPOINTS_DESTINATION);
            put(ours, "sae_dstaddrlen", BsdSockets.ENDPOINTS_DESTINATION_LENGTH);
        } else {
            put(ours, "SOCK_CLOEXEC", BsdSockets.SOCK_CLOEXEC);
            put(ours, "SOCK_NONBLOCK", BsdSockets.SOCK_NONBLOCK);
            put(ours, "SO_NOSIGPIPE", BsdSockets.SO_NOSIGPIPE_FREEBSD);
            put(ours, "SO_ACCEPTFILTER", BsdOptions.SO_ACCEPTFILTER);
            put(ours, "struct accept_filter_arg", BsdOptions.ACCEPT_FILTER_SIZE);
            put(ours, "af_arg", BsdOptions.ACCEPT_FILTER_NAME);
            put(ours, "struct xucred", BsdOptions.XUCRED_SIZE);
            put(ours, "cr_pid", BsdOptions.XUCRED_PID);
        }
        layouts(ours, abi);
        assertThat(ours).isEqualTo(Figures.of("sockets.figures", system)).hasSizeGreaterThan(60);
    }

    private static void put(Map<String, Long> ours, String name, int value) {
        ours.put(name, (long) value);
    }

    /// Finds offsets where the code writes: a value is looked for in memory that was filled with
    /// another.
    private static void layouts(Map<String, Long> ours, Abi abi) {
        MessageLayout layout = abi.messages();
        put(ours, "msg_name", Sockets.MSGHDR_NAME);
        put(ours, "msg_namelen", Sockets.MSGHDR_NAMELEN);
        put(ours, "msg_iov", Sockets.MSGHDR_IOV);
        put(ours, "msg_iovlen", Sockets.MSGHDR_IOVLEN);
        put(ours, "msg_control", Sockets.MSGHDR_CONTROL);
        put(ours, "msg_controllen", Sockets.MSGHDR_CONTROLLEN);
        put(ours, "msg_flags", layout.flags());
        put(ours, "CMSG_DATA", layout.data());
        put(ours, "CMSG_SPACE(4)", layout.space(4));
        put(ours, "CMSG_SPACE(5)", layout.space(5));
        long at = Memory.allocate(64, 8);
        try {
            Memory.fill(at, 64, (byte) -1);
            layout.put(at, 0x1111, 0x2222, 0x3333 - layout.data());
            put(ours, "cmsg_len", indexOf(at, 0x3333));
            put(ours, "cmsg_level", indexOf(at, 0x1111));
            put(ours, "cmsg_type", indexOf(at, 0x2222));
            Memory.fill(at, 64, (byte) -1);
            abi.addresses().head(at, Sockets.AF_INET6, 28);
            put(ours, "sa_len", Memory.getByte(at) == 28 ? 0 : -1);
            put(ours, "sa_family", Memory.getByte(at + 1) == abi.addresses().inet6() ? 1 : -1);
        } finally {
            Memory.free(at, 64);
        }
    }

    private static int indexOf(long at, int value) {
        for (int i = 0; i < 60; i += 4) {
            if (Memory.getInt(at + i) == value) {
                return i;
            }
        }
        return -1;
    }

    @ParameterizedTest
    @ValueSource(strings = {"macos", "freebsd"})
    void errnosBecomeThoseOfLinuxOfTheSameName(String system) throws Exception {
        SystemErrno errno = system.equals("macos") ? SystemErrno.MACOS : SystemErrno.FREEBSD;
        Figures.of("errno.figures", system)
                .forEach(
                        (name, number) ->
                                assertThat(Errno.name(errno.toLinux(number.intValue())))
                                        .as("%d", number)
                                        .isEqualTo(name));
    }

    @ParameterizedTest
    @ValueSource(strings = {"macos", "freebsd"})
    void errnosThatLinuxLacksGetNumbersThatAreNone(String system) {
        SystemErrno errno = system.equals("macos") ? SystemErrno.MACOS : SystemErrno.FREEBSD;
        assertThat(Errno.name(errno.toLinux(67))).isEqualTo("errno 1067"); // EPROCLIM
        assertThat(Errno.name(errno.toLinux(4711))).isEqualTo("errno 5711");
    }

    @ParameterizedTest
    @ValueSource(strings = {"macos", "freebsd"})
    void flagsThatASystemLacksAreLeftOut(String system) {
        Abi abi = abi(system);
        int all = Sockets.MSG_DONTWAIT | Sockets.MSG_NOSIGNAL | Sockets.MSG_MORE;
        int here = abi.flagsHere(all);
        assertThat(Integer.bitCount(here)).isEqualTo(2);
        assertThat(abi.flagsOfLinux(here)).isEqualTo(all & ~Sockets.MSG_MORE);
        assertThat(abi.flagsHere(0)).isZero();
    }

    @ParameterizedTest
    @ValueSource(strings = {"macos", "freebsd"})
    void optionsOfTheSystemItselfAreNotTranslated(String system) {
        Abi.Row row = abi(system).option(Sockets.IPPROTO_TCP | Abi.RAW, 4711);
        assertThat(row).isNotNull();
        assertThat(row.hereLevel()).isEqualTo(Sockets.IPPROTO_TCP);
        assertThat(row.here()).isEqualTo(4711);
        assertThat(abi(system).option(Sockets.SOL_SOCKET, Sockets.SO_MARK)).isNull();
    }

    @Test
    void aSystemIsKnownByItsName() {
        assertThat(Abi.of("Mac OS X")).isSameAs(Abi.MACOS);
        assertThat(Abi.of("FreeBSD")).isSameAs(Abi.FREEBSD);
        assertThat(Abi.of("Linux")).isSameAs(Abi.LINUX);
        assertThat(Abi.of("Windows 11".toUpperCase(Locale.ROOT))).isSameAs(Abi.LINUX);
    }
}
