package io.weft.ffi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import java.net.Inet4Address;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class SockAddrTest {
    private final long at = Memory.allocate(SockAddr.SIZE, 16);

    @AfterEach
    void free() {
        Memory.free(at, SockAddr.SIZE);
    }

    private static InetSocketAddress address(String literal, int port) {
        return new InetSocketAddress(InetAddress.ofLiteral(literal), port);
    }

    @Test
    void writesIpv4InNetworkOrder() {
        InetSocketAddress address = address("192.0.2.1", 0xABCD);
        Memory.fill(at, SockAddr.SIZE, (byte) -1);
        assertThat(SockAddr.write(address, Sockets.AF_INET, at)).isEqualTo(16);
        assertThat(Memory.getShort(at)).isEqualTo((short) Sockets.AF_INET);
        assertThat(Memory.getShortBE(at + 2)).isEqualTo((short) 0xABCD);
        assertThat(Memory.getIntBE(at + 4)).isEqualTo(0xC0000201);
        assertThat(Memory.getLong(at + 8)).isZero();
        assertThat(SockAddr.read(at)).isEqualTo(address);
    }

    @Test
    void keepsTheScopeOfIpv6() throws java.net.UnknownHostException {
        byte[] linkLocal = InetAddress.ofLiteral("fe80::1").getAddress();
        var address = new InetSocketAddress(Inet6Address.getByAddress(null, linkLocal, 7), 443);
        assertThat(SockAddr.write(address, Sockets.AF_INET6, at)).isEqualTo(28);
        InetSocketAddress read = SockAddr.read(at);
        assertThat(read).isEqualTo(address);
        assertThat(((Inet6Address) read.getAddress()).getScopeId()).isEqualTo(7);
    }

    @Test
    void ipv6WithoutScopeReadsBackWithoutOne() {
        SockAddr.write(address("2001:db8::1", 1), Sockets.AF_INET6, at);
        assertThat(SockAddr.read(at).getAddress().getHostAddress())
                .isEqualTo("2001:db8:0:0:0:0:0:1");
    }

    @Test
    void mapsIpv4IntoIpv6AndBack() {
        InetSocketAddress address = address("192.0.2.1", 80);
        assertThat(SockAddr.write(address, Sockets.AF_INET6, at)).isEqualTo(28);
        assertThat(Memory.getLong(at + 8)).isZero();
        assertThat(Memory.getLongBE(at + 16)).isEqualTo(0x0000FFFFC0000201L);
        assertThat(SockAddr.read(at)).isEqualTo(address);
        assertThat(SockAddr.read(at).getAddress()).isInstanceOf(Inet4Address.class);
    }

    @Test
    void choosesTheFamilyByTheAddress() {
        assertThat(SockAddr.familyFor(InetAddress.ofLiteral("127.0.0.1")))
                .isEqualTo(Sockets.AF_INET);
        assertThat(SockAddr.familyFor(InetAddress.ofLiteral("::1"))).isEqualTo(Sockets.AF_INET6);
    }

    @Test
    void refusesWhatItCannotWrite() {
        var unresolved = InetSocketAddress.createUnresolved("example.test", 80);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SockAddr.write(unresolved, Sockets.AF_INET, at))
                .withMessageContaining("expected: resolved");
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SockAddr.write(address("::1", 80), Sockets.AF_INET, at))
                .withMessageContaining("(expected: AF_INET6 (10))");
    }

    @Test
    void refusesToReadAnotherFamily() {
        Memory.putShort(at, (short) Sockets.AF_UNIX);
        assertThatIllegalArgumentException()
                .isThrownBy(() -> SockAddr.read(at))
                .withMessageStartingWith("family: 1 ");
    }
}
