package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Runs what differs on macOS and FreeBSD over scripted calls, which note the numbers they get.
class BsdSocketsTest {
    private static final int BOTH = Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC;
    private static final int ROOM = 512;

    private final ScriptedBsdCalls calls = new ScriptedBsdCalls();
    private final BsdSockets mac = new BsdSockets(Abi.MACOS, calls);
    private final BsdSockets free = new BsdSockets(Abi.FREEBSD, calls);
    private final long at = Memory.allocate(ROOM, 8);

    @AfterEach
    void free() {
        Memory.free(at, ROOM);
    }

    private void results(Integer... results) {
        calls.results.addAll(List.of(results));
    }

    private List<String> made() {
        List<String> made = new ArrayList<>(calls.made);
        calls.made.clear();
        return made;
    }

    // ---- descriptors ----

    @Test
    void aSocketOfMacOsIsPreparedByCallsOfItsOwn() {
        results(7, 0, 2, 0);
        assertThat(mac.socket(Sockets.AF_INET6, Sockets.SOCK_DGRAM | BOTH, 0)).isEqualTo(7);
        assertThat(made())
                .containsExactly(
                        "socket 30 0x2 0",
                        "fcntl 7 2 1", // FD_CLOEXEC
                        "fcntl 7 3 0",
                        "fcntl 7 4 6", // O_RDWR | O_NONBLOCK
                        "setsockopt 7 0xffff 0x1022 4"); // SO_NOSIGPIPE
    }

    @Test
    void aSocketOfFreeBsdIsPreparedByItsType() {
        results(7);
        assertThat(free.socket(Sockets.AF_INET6, Sockets.SOCK_STREAM | BOTH, 0)).isEqualTo(7);
        assertThat(made()).containsExactly("socket 28 0x30000001 0", "setsockopt 7 0xffff 0x800 4");
    }

    @Test
    void aSocketThatCannotBePreparedIsClosed() {
        results(7, -Errno.EBADF);
        assertThat(mac.socket(Sockets.AF_INET, Sockets.SOCK_STREAM | BOTH, 0))
                .isEqualTo(-Errno.EBADF);
        assertThat(made()).endsWith("close 7");
    }

    @Test
    void aSocketThatIsRefusedIsAnError() {
        results(-Errno.EMFILE);
        assertThat(free.socket(Sockets.AF_INET, Sockets.SOCK_STREAM, 0)).isEqualTo(-Errno.EMFILE);
        assertThat(made()).containsExactly("socket 2 0x1 0");
    }

    @Test
    void connectionsOfMacOsAreAcceptedAndPrepared() {
        results(9, 0, 0, 6);
        assertThat(mac.accept4(7, 0, 0, BOTH)).isEqualTo(9);
        assertThat(made())
                .containsExactly(
                        "accept 7", "setsockopt 9 0xffff 0x1022 4", "fcntl 9 2 1", "fcntl 9 3 0");
        results(-Errno.EAGAIN);
        assertThat(mac.accept4(7, 0, 0, BOTH)).isEqualTo(-Errno.EAGAIN);
    }

    @Test
    void connectionsOfFreeBsdAreAcceptedInOneCall() {
        results(9);
        assertThat(free.accept4(7, 0, 0, BOTH)).isEqualTo(9);
        assertThat(made()).containsExactly("accept4 7 0x30000000");
    }

    @Test
    void aFastConnectNamesItsDestination() {
        long[] told = new long[3];
        calls.fill =
                endpoints -> {
                    told[0] = Memory.getLong(endpoints + 8); // no source
                    told[1] = Memory.getLong(endpoints + 24);
                    told[2] = Memory.getInt(endpoints + 32);
                };
        assertThat(mac.connectFast(7, at, 16)).isZero();
        assertThat(told).containsExactly(0, at, 16);
        assertThat(made()).containsExactly("connectx 7 3");
        assertThat(mac.connectsFast()).isTrue();
        assertThat(free.connectsFast()).isFalse();
    }

    @Test
    void blockingChangesOnlyWhatDiffers() {
        results(4);
        assertThat(mac.blocking(7, false)).isZero();
        assertThat(made()).containsExactly("fcntl 7 3 0");
        results(6);
        assertThat(mac.blocking(7, true)).isZero();
        assertThat(made()).containsExactly("fcntl 7 3 0", "fcntl 7 4 2");
        results(-Errno.EBADF);
        assertThat(mac.blocking(7, true)).isEqualTo(-Errno.EBADF);
    }

    @Test
    void filesAreOpenedWithTheSystemsFlags() {
        int flags = Libc.O_RDWR | Libc.O_CLOEXEC | Libc.O_NONBLOCK;
        assertThat(mac.openFlags(flags)).isEqualTo(0x100_0006);
        assertThat(free.openFlags(flags)).isEqualTo(0x10_0006);
    }

    // ---- options ----

    @Test
    void optionsHaveTheSystemsNumbers() {
        mac.options().setsockopt(7, Sockets.SOL_SOCKET, Sockets.SO_LINGER, at, 8);
        mac.options().setsockopt(7, Sockets.IPPROTO_TCP, Sockets.TCP_CORK, at, 4);
        free.options().setsockopt(7, Sockets.IPPROTO_TCP, Sockets.TCP_KEEPIDLE, at, 4);
        free.options().setsockopt(7, Sockets.IPPROTO_IPV6, Sockets.MCAST_JOIN_GROUP, at, 136);
        free.options().setsockopt(7, Sockets.IPPROTO_TCP | Abi.RAW, 32, at, 4);
        assertThat(made())
                .containsExactly(
                        "setsockopt 7 0xffff 0x1080 8",
                        "setsockopt 7 0x6 0x4 4",
                        "setsockopt 7 0x6 0x100 4",
                        "setsockopt 7 0x29 0x50 136",
                        "setsockopt 7 0x6 0x20 4");
    }

    @Test
    void anOptionThatTheSystemLacksIsRefusedWithoutACall() {
        assertThat(mac.options().setsockopt(7, Sockets.SOL_SOCKET, Sockets.SO_MARK, at, 4))
                .isEqualTo(-Errno.ENOPROTOOPT);
        assertThat(
                        mac.options()
                                .getsockopt(
                                        7, Sockets.IPPROTO_TCP, Sockets.TCP_CONGESTION, at, at + 8))
                .isEqualTo(-Errno.ENOPROTOOPT);
        assertThat(mac.options().hasOption(Sockets.IPPROTO_TCP, Sockets.TCP_CONGESTION)).isFalse();
        assertThat(free.options().hasOption(Sockets.IPPROTO_TCP, Sockets.TCP_CONGESTION)).isTrue();
        assertThat(made()).isEmpty();
    }

    @Test
    void theErrorOfASocketBecomesThatOfLinux() {
        calls.fill = value -> Memory.putInt(value, 61);
        assertThat(mac.options().getsockopt(7, Sockets.SOL_SOCKET, Sockets.SO_ERROR, at, at + 8))
                .isZero();
        assertThat(Memory.getInt(at)).isEqualTo(Errno.ECONNREFUSED);
    }

    @Test
    void whetherASocketListensIsOneOrZero() {
        calls.fill = value -> Memory.putInt(value, 2); // so_options & SO_ACCEPTCONN
        free.options().getsockopt(7, Sockets.SOL_SOCKET, Sockets.SO_ACCEPTCONN, at, at + 8);
        assertThat(Memory.getInt(at)).isEqualTo(1);
    }

    @Test
    void theFamilyAndProtocolOfASocketAreThoseOfItsAddressAndType() {
        calls.fill =
                value -> {
                    if (calls.made.isEmpty()) {
                        AddressLayout.MACOS.head(value, Sockets.AF_INET6, 28);
                    } else {
                        Memory.putInt(value, Sockets.SOCK_DGRAM);
                    }
                };
        assertThat(mac.options().getsockopt(7, Sockets.SOL_SOCKET, Sockets.SO_DOMAIN, at, at + 8))
                .isZero();
        assertThat(Memory.getInt(at)).isEqualTo(Sockets.AF_INET6);
        assertThat(made()).containsExactly("getsockname 7");
        assertThat(mac.options().getsockopt(7, Sockets.SOL_SOCKET, Sockets.SO_PROTOCOL, at, at + 8))
                .isZero();
        assertThat(Memory.getInt(at)).isEqualTo(Sockets.IPPROTO_UDP);
        assertThat(made()).containsExactly("getsockname 7", "getsockopt 7 0xffff 0x1008 4");
    }

    private void credentialsOfPeer(long xucred) {
        if (calls.made.isEmpty()) {
            Memory.putInt(xucred + 4, 501);
            Memory.putShort(xucred + 8, (short) 1);
            Memory.putInt(xucred + 12, 20);
        } else {
            Memory.putInt(xucred, 4711); // LOCAL_PEERPID
        }
    }

    @Test
    void credentialsOfAPeerAreThoseOfLinux() {
        calls.fill = this::credentialsOfPeer;
        assertThat(
                        mac.options()
                                .getsockopt(
                                        7, Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, at, at + 16))
                .isZero();
        assertThat(made()).containsExactly("getsockopt 7 0x0 0x1 76", "getsockopt 7 0x0 0x2 4");
        assertThat(Memory.getInt(at + Ucred.PID)).isEqualTo(4711);
        assertThat(Memory.getInt(at + Ucred.UID)).isEqualTo(501);
        assertThat(Memory.getInt(at + Ucred.GID)).isEqualTo(20);
        assertThat(Memory.getInt(at + 16)).isEqualTo(Ucred.SIZE);

        calls.fill =
                xucred -> {
                    credentialsOfPeer(xucred);
                    Memory.putInt(xucred + 80, 42);
                };
        assertThat(
                        free.options()
                                .getsockopt(
                                        7, Sockets.SOL_SOCKET, Sockets.SO_PEERCRED, at, at + 16))
                .isZero();
        assertThat(made()).containsExactly("getsockopt 7 0x0 0x1 88");
        assertThat(Memory.getInt(at + Ucred.PID)).isEqualTo(42);
    }

    @Test
    void acceptFiltersAreNamed() {
        byte[] name = "dataready".getBytes(StandardCharsets.US_ASCII);
        byte[] told = new byte[17];
        calls.fill = argument -> Memory.copy(argument, told, 0, told.length);
        assertThat(free.options().acceptFilter(7, name)).isZero();
        assertThat(made()).containsExactly("setsockopt 7 0xffff 0x1000 256");
        assertThat(new String(told, StandardCharsets.US_ASCII).trim()).isEqualTo("dataready");
        assertThat(free.options().acceptFilter(7, new byte[16])).isEqualTo(-Errno.EINVAL);
        assertThat(mac.options().acceptFilter(7, name)).isEqualTo(-Errno.ENOPROTOOPT);
    }

    // ---- bytes ----

    private void header(int index, long base, int length) {
        long header = at + (long) index * Sockets.MMSGHDR_SIZE;
        long vector = at + 4 * Sockets.MMSGHDR_SIZE + (long) index * Sockets.IOVEC_SIZE;
        Sockets.putIovec(vector, base, length);
        Sockets.putMsghdr(header, vector, 1);
    }

    @Test
    void severalMessagesAreOneCallEach() {
        header(0, 0, 1);
        header(1, 0, 1);
        results(100, 200);
        assertThat(mac.recvmmsg(7, at, 2, Sockets.MSG_DONTWAIT)).isEqualTo(2);
        assertThat(made()).containsExactly("recvmsg 7 0x80", "recvmsg 7 0x80");
        assertThat(Memory.getInt(at + Sockets.MMSGHDR_LENGTH)).isEqualTo(100);
        assertThat(Memory.getInt(at + Sockets.MMSGHDR_SIZE + Sockets.MMSGHDR_LENGTH))
                .isEqualTo(200);

        results(100, -Errno.EAGAIN);
        assertThat(mac.recvmmsg(7, at, 2, Sockets.MSG_DONTWAIT)).isEqualTo(1);
        results(-Errno.EAGAIN);
        assertThat(mac.recvmmsg(7, at, 2, Sockets.MSG_DONTWAIT)).isEqualTo(-Errno.EAGAIN);
        made();
        results(1, -Errno.ENOBUFS);
        assertThat(free.sendmmsg(7, at, 2, Sockets.MSG_NOSIGNAL)).isEqualTo(1);
        assertThat(made()).containsExactly("sendmsg 7 0x20000", "sendmsg 7 0x20000");
    }

    @Test
    void segmentsAreDatagramsOfTheirOwn() {
        header(0, 0x1000, 2500);
        long control = at + 400;
        Abi.FREEBSD.messages().put(control, Sockets.IPPROTO_UDP, Sockets.UDP_SEGMENT, 2);
        Memory.putShort(control + Abi.FREEBSD.messages().data(), (short) 1000);
        Memory.putLong(at + Sockets.MSGHDR_CONTROL, control);
        Memory.putLong(at + Sockets.MSGHDR_CONTROLLEN, Abi.FREEBSD.messages().space(2));
        List<String> sent = new ArrayList<>();
        calls.fill =
                header -> {
                    long vector = Memory.getLong(header + Sockets.MSGHDR_IOV);
                    assertThat(Memory.getInt(header + Sockets.MSGHDR_CONTROLLEN)).isZero();
                    sent.add(Memory.getLong(vector) + "+" + Memory.getLong(vector + 8));
                };
        results(1000, 1000, 500);
        assertThat(free.sendmmsg(7, at, 1, 0)).isEqualTo(1);
        assertThat(sent).containsExactly("4096+1000", "5096+1000", "6096+500");
        assertThat(Memory.getInt(at + Sockets.MMSGHDR_LENGTH)).isEqualTo(2500);

        results(-Errno.EAGAIN);
        assertThat(free.sendmmsg(7, at, 1, 0)).isEqualTo(-Errno.EAGAIN);
        results(1000, -Errno.EAGAIN); // the rest is lost, as datagrams may be
        assertThat(free.sendmmsg(7, at, 1, 0)).isEqualTo(1);
    }

    @Test
    void descriptorsThatMacOsPassesAreClosedOnExec() {
        header(0, 0, 1);
        long control = at + 400;
        MessageLayout layout = MessageLayout.MACOS;
        calls.fill =
                header -> {
                    layout.put(control, BsdSockets.SOL_SOCKET, Sockets.SCM_RIGHTS, 8);
                    Memory.putInt(control + layout.data(), 21);
                    Memory.putInt(control + layout.data() + 4, 22);
                    Memory.putLong(header + Sockets.MSGHDR_CONTROL, control);
                    Memory.putInt(header + Sockets.MSGHDR_CONTROLLEN, layout.space(8));
                };
        results(1);
        assertThat(mac.recvmsg(7, at, Sockets.MSG_DONTWAIT | Sockets.MSG_CMSG_CLOEXEC))
                .isEqualTo(1);
        assertThat(made()).containsExactly("recvmsg 7 0x80", "fcntl 21 2 1", "fcntl 22 2 1");
        results(1);
        assertThat(free.recvmsg(7, at, Sockets.MSG_CMSG_CLOEXEC)).isEqualTo(1);
        assertThat(made()).containsExactly("recvmsg 7 0x40000");
    }

    @Test
    void filesAreSentBothWays() {
        Memory.putLong(at, 1000);
        calls.fill = sent -> Memory.putLong(sent, 300);
        assertThat(mac.sendfile(7, 5, at, 4096)).isEqualTo(300);
        assertThat(made()).containsExactly("length 4096", "sendfile of 5 to 7 at 1000");
        assertThat(Memory.getLong(at)).isEqualTo(1300);

        results(-Errno.EAGAIN); // after a part, which counts
        assertThat(free.sendfile(7, 5, at, 4096)).isEqualTo(300);
        assertThat(made()).containsExactly("sendfile of 5 to 7 at 1300, 4096");
        assertThat(Memory.getLong(at)).isEqualTo(1600);

        calls.fill = sent -> Memory.putLong(sent, 0);
        results(-Errno.EAGAIN);
        assertThat(mac.sendfile(7, 5, at, 4096)).isEqualTo(-Errno.EAGAIN);
        assertThat(mac.sendfile(7, 5, at, 4096)).isZero(); // the end of the file
        assertThat(Memory.getLong(at)).isEqualTo(1600);
    }

    @Test
    void afterAnErrorNothingCountsAsSent() {
        Memory.putLong(at, 0); // macOS leaves the length that it was given in place
        results(-Errno.ENOTSOCK);
        assertThat(mac.sendfile(7, 5, at, 4096)).isEqualTo(-Errno.ENOTSOCK);
    }
}
