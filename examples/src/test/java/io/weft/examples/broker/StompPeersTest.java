package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Options;
import io.weft.examples.Ports;
import io.weft.examples.Served;
import io.weft.examples.Tls;
import java.net.InetAddress;
import java.nio.file.Path;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletionException;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// stomp.py talks to our server in each version, and our client to coilmq.
@Tag("peers")
class StompPeersTest {
    private static final int SKIP = 77;

    private static final String STOMP_PY =
            """
            import sys, threading
            try:
                import stomp
            except ImportError:
                sys.exit(%d)
            port, version = int(sys.argv[1]), sys.argv[2]
            kind = {'1.0': stomp.Connection10, '1.1': stomp.Connection11, 'tls': stomp.Connection12,
                    '1.2': stomp.Connection12, 'ws': stomp.WSConnection}[version]
            got, all, ready = [], threading.Event(), threading.Event()
            class Listener(stomp.ConnectionListener):
                def on_message(self, frame):
                    got.append(frame.body)
                    if len(got) == 102:
                        all.set()
                def on_receipt(self, frame):
                    ready.set()
                def on_error(self, frame):
                    print('error', frame.headers)
            c = kind([('127.0.0.1', port)])
            if version == 'tls':
                c.set_ssl([('127.0.0.1', port)], ca_certs=sys.argv[3])
            c.set_listener('', Listener())
            c.connect(wait=True)
            c.subscribe('/topic/a:b', id='1', headers={'receipt': 'r'})
            assert ready.wait(60)
            for i in range(100):
                c.send('/topic/a:b', 'wörd %%d' %% i)
            lost = c.begin()
            c.send('/topic/a:b', 'aborted', transaction=lost)
            c.abort(lost)
            kept = c.begin()
            c.send('/topic/a:b', 'first', transaction=kept)
            c.send('/topic/a:b', 'x' * 100000, transaction=kept)
            c.commit(kept)
            assert all.wait(60), got
            assert got == ['wörd %%d' %% i for i in range(100)] + ['first', 'x' * 100000]
            c.disconnect()
            print('good')
            """
                    .formatted(SKIP);

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.0", "1.1", "1.2", "tls", "ws"})
    void stompPyTalksToItselfThroughOurServer(String version, @TempDir Path directory)
            throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        try (Served server = Served.start(StompServer::start, "nio")) {
            Process python =
                    MqttPeersTest.start(
                            "python3",
                            "-c",
                            STOMP_PY,
                            Integer.toString(server.address().getPort()),
                            version,
                            Tls.certificate(server, directory).toString());
            String said = new String(python.getInputStream().readAllBytes(), UTF_8);
            Assumptions.assumeTrue(
                    python.waitFor() != SKIP,
                    "python3 has no stomp.py (dev/install-peers.sh installs it)");
            assertThat(said).isEqualTo("good\n");
        }
    }

    @Test
    @Timeout(300)
    void ourClientTalksThroughCoilmq(@TempDir Path directory) throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        Process probe = new ProcessBuilder("python3", "-c", "import coilmq.start").start();
        Assumptions.assumeTrue(
                probe.waitFor() == 0, "python3 has no coilmq (dev/install-peers.sh installs it)");
        int port = Ports.free();
        Process coilmq =
                new ProcessBuilder(
                                "python3",
                                "-c",
                                "from coilmq.start import main; main()",
                                "-b",
                                "127.0.0.1",
                                "-p",
                                Integer.toString(port))
                        .redirectErrorStream(true)
                        .redirectOutput(directory.resolve("log").toFile())
                        .start();
        BlockingQueue<String> messages = new LinkedBlockingQueue<>();
        Options options = new Options(InetAddress.getLoopbackAddress(), port, "nio", 1);
        try (StompClient sub = connect(options, coilmq, messages);
                StompClient pub = connect(options, coilmq, new LinkedBlockingQueue<>())) {
            var _ = sub.subscribe("/topic/a:b").join();
            for (int i = 0; i < 100; i++) {
                var _ = pub.send("/topic/a:b", "wörd " + i + "\n").join();
                assertThat(messages.poll(120, TimeUnit.SECONDS))
                        .isEqualTo("/topic/a:b wörd " + i + "\n");
            }
        } finally {
            coilmq.destroyForcibly().waitFor();
        }
    }

    /// Tries until the broker listens.
    private static StompClient connect(
            Options options, Process broker, BlockingQueue<String> messages) {
        while (true) {
            try {
                return StompClient.connect(
                        options, (from, text) -> messages.add(from + " " + text));
            } catch (CompletionException e) {
                assertThat(broker.isAlive()).as(e.toString()).isTrue();
            }
        }
    }
}
