package io.weft.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.time.Duration;
import java.util.Queue;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class SmallExamplesTest {
    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void eachDatagramGetsTheNextQuote(String transport) throws IOException {
        try (Served quotes = Served.start(Qotm::start, transport);
                DatagramSocket socket = new DatagramSocket(0, InetAddress.getLoopbackAddress())) {
            socket.setSoTimeout(60_000);
            for (String quote : Qotm.QUOTES) {
                socket.send(new DatagramPacket(new byte[1], 1, quotes.address()));
                DatagramPacket answer = new DatagramPacket(new byte[200], 200);
                socket.receive(answer);
                assertThat(new String(answer.getData(), 0, answer.getLength(), US_ASCII))
                        .isEqualTo(quote + "\n");
            }
        }
    }

    @Test
    void linesComeBackWithinTheJvm() {
        Queue<String> heard = new ConcurrentLinkedQueue<>();
        try (LocalEcho echo = LocalEcho.start(heard::add)) {
            echo.send("hello\n");
            echo.send("world\n");
            echo.end();
        }
        assertThat(String.join("", heard)).isEqualTo("hello\nworld\n");
    }

    @Test
    void aConnectionThatIsLostIsMadeAgain() throws Exception {
        BlockingQueue<String> said = new LinkedBlockingQueue<>();
        try (ServerSocket server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
            server.setSoTimeout(60_000);
            Options options = new Options(server.getInetAddress(), server.getLocalPort(), "nio", 1);
            try (Uptime _ = Uptime.start(options, Duration.ofMillis(1), said::add)) {
                for (int i = 0; i < 2; i++) {
                    server.accept().close();
                    assertThat(next(said)).startsWith("up: ");
                    assertThat(next(said)).startsWith("down: was up for ");
                }
            }
        }
    }

    private static @Nullable String next(BlockingQueue<String> said) throws InterruptedException {
        return said.poll(60, TimeUnit.SECONDS);
    }
}
