package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.FieldSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Writes addresses and control data as macOS and FreeBSD have them, and reads them back.
class BsdLayoutTest {
    private static final int ROOM = 512;

    static final AddressLayout[] ADDRESSES = {
        AddressLayout.LINUX, AddressLayout.MACOS, AddressLayout.FREEBSD
    };
    static final MessageLayout[] MESSAGES = {
        MessageLayout.LINUX, MessageLayout.MACOS, MessageLayout.FREEBSD
    };

    private final long at = Memory.allocate(ROOM, 8);

    @AfterEach
    void free() {
        Memory.free(at, ROOM);
    }

    private String hex(int length) {
        byte[] bytes = new byte[length];
        Memory.copy(at, bytes, 0, length);
        return HexFormat.of().formatHex(bytes);
    }

    private static InetSocketAddress address(String literal, int port) throws Exception {
        return new InetSocketAddress(InetAddress.getByName(literal), port);
    }

    @Test
    void ipv4IsAsTheSystemsHaveIt() throws Exception {
        var address = address("192.0.2.1", 0x1234);
        SockAddr.write(AddressLayout.MACOS, address, Sockets.AF_INET, at);
        assertThat(hex(16)).isEqualTo("10021234c00002010000000000000000");
        SockAddr.write(AddressLayout.FREEBSD, address, Sockets.AF_INET, at);
        assertThat(hex(16)).isEqualTo("10021234c00002010000000000000000");
        SockAddr.write(AddressLayout.LINUX, address, Sockets.AF_INET, at);
        assertThat(hex(16)).isEqualTo("02001234c00002010000000000000000");
    }

    @Test
    void ipv6IsAsTheSystemsHaveIt() throws Exception {
        var address = address("2001:db8::1", 0x1234);
        String rest = "12340000000020010db800000000000000000000000100000000";
        SockAddr.write(AddressLayout.MACOS, address, Sockets.AF_INET6, at);
        assertThat(hex(28)).isEqualTo("1c1e" + rest);
        SockAddr.write(AddressLayout.FREEBSD, address, Sockets.AF_INET6, at);
        assertThat(hex(28)).isEqualTo("1c1c" + rest);
    }

    @ParameterizedTest
    @FieldSource("ADDRESSES")
    void internetAddressesAreReadAsTheyWereWritten(AddressLayout layout) throws Exception {
        for (String literal : new String[] {"127.0.0.1", "0.0.0.0", "255.1.2.3"}) {
            var address = address(literal, 65535);
            assertThat(SockAddr.write(layout, address, Sockets.AF_INET, at)).isEqualTo(16);
            assertThat(SockAddr.read(layout, at)).isEqualTo(address);
            assertThat(SockAddr.write(layout, address, Sockets.AF_INET6, at)).isEqualTo(28);
            assertThat(SockAddr.read(layout, at)).isEqualTo(address); // was mapped
        }
        for (String literal : new String[] {"::1", "::", "fe80::1%3"}) {
            var address = address(literal, 1);
            assertThat(SockAddr.write(layout, address, Sockets.AF_INET6, at)).isEqualTo(28);
            assertThat(SockAddr.read(layout, at)).isEqualTo(address);
        }
    }

    @ParameterizedTest
    @FieldSource("ADDRESSES")
    void pathsAreReadAsTheyWereWritten(AddressLayout layout) {
        byte[] path = "/tmp/socket".getBytes(StandardCharsets.US_ASCII);
        int length = SockAddrUn.writePath(layout, path, at);
        assertThat(length).isEqualTo(2 + path.length + 1);
        assertThat(layout.family(at)).isEqualTo(Sockets.AF_UNIX);
        assertThat(SockAddrUn.name(layout, at, length)).isEqualTo(path);
        if (layout.hasLength()) {
            assertThat(Memory.getByte(at)).isEqualTo((byte) length);
        }
        byte[] longest = new byte[layout.maxPath()];
        Arrays.fill(longest, (byte) 'x');
        assertThat(SockAddrUn.writePath(layout, longest, at)).isEqualTo(layout.unixSize());
        byte[] tooLong = new byte[layout.maxPath() + 1];
        Arrays.fill(tooLong, (byte) 'x');
        assertThatThrownBy(() -> SockAddrUn.writePath(layout, tooLong, at))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("at most " + layout.maxPath());
    }

    @Test
    void onlyLinuxHasAnAbstractNamespace() {
        assertThatThrownBy(() -> SockAddrUn.writeAbstract(AddressLayout.MACOS, new byte[3], at))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("only Linux");
        // What accept tells of a client that is bound to nothing.
        Memory.fill(at, 16, (byte) 0);
        AddressLayout.MACOS.head(at, Sockets.AF_UNIX, 16);
        assertThat(SockAddrUn.name(AddressLayout.MACOS, at, 16)).isEmpty();
    }

    @ParameterizedTest
    @FieldSource("MESSAGES")
    void controlDataAreWalkedAsTheyWereWritten(MessageLayout layout) {
        long control = at + Sockets.MMSGHDR_SIZE;
        int space = layout.space(5) + layout.space(4);
        Sockets.putMsghdr(at, 0, 0);
        Memory.putLong(at + Sockets.MSGHDR_CONTROL, control);
        Memory.putLong(at + Sockets.MSGHDR_CONTROLLEN, space);
        Memory.putInt(at + layout.flags(), 0x55); // as recvmsg leaves it
        layout.put(control, 11, 12, 5);
        layout.put(control + layout.space(5), 21, 22, 4);

        long first = layout.next(at, 0);
        assertThat(first).isEqualTo(control);
        assertThat(layout.level(first)).isEqualTo(11);
        assertThat(layout.type(first)).isEqualTo(12);
        assertThat(layout.length(first)).isEqualTo(5);
        long second = layout.next(at, first);
        assertThat(second).isEqualTo(control + layout.space(5));
        assertThat(layout.level(second)).isEqualTo(21);
        assertThat(layout.length(second)).isEqualTo(4);
        assertThat(layout.next(at, second)).isZero();
        assertThat(layout.controlLength(at)).isEqualTo(space);
        assertThat(layout.flags(at)).isEqualTo(0x55);
    }

    /// SCM_RIGHTS of two descriptors, byte by byte.
    @ParameterizedTest
    @ValueSource(strings = {"macos", "freebsd"})
    void descriptorsArePassedAsTheSystemsHaveIt(String system) {
        boolean mac = system.equals("macos");
        MessageLayout layout = mac ? MessageLayout.MACOS : MessageLayout.FREEBSD;
        Memory.fill(at, 24, (byte) 0);
        layout.put(at, BsdSockets.SOL_SOCKET, Sockets.SCM_RIGHTS, 8);
        Memory.putInt(at + layout.data(), 3);
        Memory.putInt(at + layout.data() + 4, 4);
        assertThat(hex(mac ? 20 : 24))
                .isEqualTo(
                        mac
                                ? "14000000ffff0000010000000300000004000000"
                                : "18000000ffff000001000000000000000300000004000000");
    }

    @ParameterizedTest
    @FieldSource("MESSAGES")
    void controlDataOfAnyBytesEndTheWalk(MessageLayout layout) {
        var random = new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
        long control = at + Sockets.MMSGHDR_SIZE;
        for (int round = 0; round < 2000; round++) {
            int length = random.nextInt(ROOM - Sockets.MMSGHDR_SIZE + 1);
            Sockets.putMsghdr(at, 0, 0);
            Memory.putLong(at + Sockets.MSGHDR_CONTROL, control);
            Memory.putLong(at + Sockets.MSGHDR_CONTROLLEN, length);
            for (int i = 0; i < length; i++) {
                int any = random.nextInt(3) == 0 ? random.nextInt(256) : random.nextInt(20);
                Memory.putByte(control + i, (byte) (i % 4 == 0 ? any : -(any / 200)));
            }
            int steps = 0;
            for (long i = layout.next(at, 0); i != 0; i = layout.next(at, i)) {
                assertThat(i - control + layout.length(i)).isLessThanOrEqualTo(length);
                assertThat(++steps).isLessThan(ROOM);
            }
        }
    }
}
