package io.weft.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.BindException;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.util.HashSet;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PortsTest {
    private static final InetAddress LOOPBACK = InetAddress.getLoopbackAddress();

    @Test
    void noPortIsGivenTwice() throws IOException {
        Set<Integer> ports = new HashSet<>();
        for (int i = 0; i < 20; i++) {
            assertThat(ports.add(Ports.free())).isTrue();
        }
    }

    @Test
    void bothProtocolsMayBind() throws IOException {
        int port = Ports.free();
        try (ServerSocket tcp = new ServerSocket(port, 1, LOOPBACK);
                DatagramSocket udp = new DatagramSocket(port, LOOPBACK)) {
            assertThat(tcp.getLocalPort()).isEqualTo(udp.getLocalPort());
        }
    }

    @Test
    void aPortThatIsTakenIsLeftOut() throws IOException {
        int port = Ports.free();
        try (ServerSocket _ = new ServerSocket(port + 2, 1, LOOPBACK)) {
            assertThat(Ports.free()).isNotEqualTo(port + 2);
        } catch (BindException e) {
            assertThat(Ports.free()).isNotEqualTo(port + 2); // somebody else's, then
        }
    }
}
