package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.examples.Extras;
import io.weft.examples.Served;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A tunnel whose two connections are on different loops: [ForwardProxy] connects from loops of its
/// own.
@Timeout(300)
class RelayLoopsTest {
    private static final int BYTES = 16 << 20;
    private static final int SMALL = 8 << 10;

    private static byte[] random() {
        byte[] bytes = new byte[BYTES];
        new Random(Long.getLong("io.weft.test.seed", 1)).nextBytes(bytes);
        return bytes;
    }

    /// The reader has little room.
    private static void passes(Socket from, Socket to) throws Exception {
        byte[] all = random();
        Thread writer =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        from.getOutputStream().write(all);
                                        from.shutdownOutput();
                                    } catch (IOException e) {
                                        throw new UncheckedIOException(e);
                                    }
                                });
        byte[] piece = new byte[SMALL / 8];
        int at = 0;
        for (int read; (read = to.getInputStream().read(piece)) >= 0; at += read) {
            assertThat(Arrays.equals(piece, 0, read, all, at, at + read)).isTrue();
        }
        assertThat(at).isEqualTo(BYTES);
        writer.join();
    }

    @ParameterizedTest
    @ValueSource(strings = {"nio", "epoll", "io_uring"})
    void slowReaderHoldsTheWriterBack(String transport) throws Exception {
        Extras extras = ForwardProxy.extras("--connect-port", "any");
        try (ServerSocket server = new ServerSocket();
                Served proxy =
                        Served.start(options -> ForwardProxy.start(options, extras), transport)) {
            server.setReceiveBufferSize(SMALL);
            server.bind(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0));
            server.setSoTimeout(60_000);
            try (Socket client = new Socket()) {
                client.setReceiveBufferSize(SMALL);
                client.setSoTimeout(60_000);
                client.connect(proxy.address());
                String wire =
                        "CONNECT 127.0.0.1:"
                                + server.getLocalPort()
                                + " HTTP/1.1\r\nHost: x\r\n\r\n";
                client.getOutputStream().write(wire.getBytes(ISO_8859_1));
                try (Socket behind = server.accept()) {
                    behind.setSoTimeout(60_000);
                    StringBuilder head = new StringBuilder();
                    while (head.indexOf("\r\n\r\n") < 0) {
                        head.append((char) client.getInputStream().read());
                    }
                    assertThat(head).startsWith("HTTP/1.1 200");
                    passes(behind, client);
                    passes(client, behind);
                }
            }
        }
    }
}
