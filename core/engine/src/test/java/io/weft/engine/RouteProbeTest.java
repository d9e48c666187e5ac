package io.weft.engine;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.engine.SourceAddresses.Local;
import io.weft.engine.SourceAddresses.Mobility;
import io.weft.engine.SourceAddresses.Unknown;
import io.weft.engine.SourceAddresses.Unreachable;
import java.io.IOException;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class RouteProbeTest {
    private static final InetAddress LOOPBACK = InetAddress.ofLiteral("::1");

    private static void assumeIpv6() throws IOException {
        Assumptions.assumeTrue(
                NetworkInterface.networkInterfaces()
                        .flatMap(NetworkInterface::inetAddresses)
                        .anyMatch(a -> a instanceof Inet6Address && a.isLoopbackAddress()),
                "no IPv6 loopback address here");
    }

    @Test
    void loopbackIsReachedFromItself() {
        InetAddress loopback = InetAddress.ofLiteral("127.0.0.1");
        assertThat(SourceAddresses.routes().of(loopback)).isEqualTo(new Local(loopback, 0));
    }

    @Test
    void loopbackOfIpv6IsReachedFromItself() throws IOException {
        assumeIpv6();
        assertThat(SourceAddresses.routes().of(LOOPBACK))
                .isInstanceOfSatisfying(
                        Local.class, local -> assertThat(local.address()).isEqualTo(LOOPBACK));
    }

    @Test
    void tableOfTheSystemTellsPrefixAndFlags(@TempDir Path dir) throws IOException {
        assumeIpv6();
        Path table = dir.resolve("if_inet6");
        Files.writeString(
                table,
                """
                fe800000000000000000000000000001 02 40 20 80     eth0
                00000000000000000000000000000001 01 30 10 30       lo
                """);
        assertThat(new RouteProbe(table).of(LOOPBACK))
                .isEqualTo(new Local(LOOPBACK, 0x30, true, Mobility.HOME, false));
    }

    @Test
    void tableOfAnotherFormIsPassedOver(@TempDir Path dir) throws IOException {
        assumeIpv6();
        Path table = dir.resolve("if_inet6");
        Files.writeString(table, "00000000000000000000000000000001 x y z q lo\n\nshort\n");
        assertThat(new RouteProbe(table).of(LOOPBACK)).isEqualTo(new Local(LOOPBACK, 64));
        assertThat(new RouteProbe(dir.resolve("none")).of(LOOPBACK))
                .isEqualTo(new Local(LOOPBACK, 64));
    }

    @Test
    void multicastWithoutAnInterfaceIsNoFailure() {
        assertThat(SourceAddresses.routes().of(InetAddress.ofLiteral("ff0e::1234")))
                .isInstanceOfAny(Local.class, Unreachable.class);
    }

    @Test
    void engineWithoutANetworkKnowsNothing() {
        assertThat(SourceAddresses.UNKNOWN.of(LOOPBACK)).isEqualTo(new Unknown());
    }

    @Test
    void prefixIsNotLongerThanTheAddress() {
        assertThatThrownBy(() -> new Local(InetAddress.ofLiteral("10.0.0.1"), 33))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("prefixLength: 33 (expected: 0..32)");
    }
}
