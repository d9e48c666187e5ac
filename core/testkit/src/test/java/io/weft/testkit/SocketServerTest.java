package io.weft.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(60)
class SocketServerTest {
    private static Socket connect(SocketServer server) throws IOException {
        return new Socket(InetAddress.getLoopbackAddress(), server.port());
    }

    @Test
    void connectionsAreServedBesideEachOtherAndEndWithTheirService() throws IOException {
        try (SocketServer server =
                        new SocketServer(
                                connection -> {
                                    int first = connection.getInputStream().read();
                                    connection.getOutputStream().write(first + 1);
                                });
                Socket silent = connect(server);
                Socket other = connect(server)) {
            other.getOutputStream().write(7);
            assertThat(other.getInputStream().readAllBytes()).containsExactly(8);
            silent.getOutputStream().write(1);
            assertThat(silent.getInputStream().readAllBytes()).containsExactly(2);
        }
    }

    @Test
    void droppedConnectionsEndAndOthersAreTaken() throws IOException {
        try (SocketServer server =
                new SocketServer(
                        connection -> {
                            connection.getOutputStream().write(1);
                            connection.getInputStream().readAllBytes();
                        })) {
            for (int i = 0; i < 2; i++) {
                try (Socket socket = connect(server)) {
                    assertThat(socket.getInputStream().read()).isEqualTo(1);
                    server.drop();
                    assertThat(socket.getInputStream().read()).isEqualTo(-1);
                }
            }
        }
    }
}
