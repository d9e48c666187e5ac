package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// stomp.py talks to our server in each version.
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
            kind = {'1.0': stomp.Connection10, '1.1': stomp.Connection11,
                    '1.2': stomp.Connection12}[version]
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
    @ValueSource(strings = {"1.0", "1.1", "1.2"})
    void stompPyTalksToItselfThroughOurServer(String version) throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        try (Served server = Served.start(StompServer::start, "nio")) {
            Process python =
                    MqttPeersTest.start(
                            "python3",
                            "-c",
                            STOMP_PY,
                            Integer.toString(server.address().getPort()),
                            version);
            String said = new String(python.getInputStream().readAllBytes(), UTF_8);
            Assumptions.assumeTrue(
                    python.waitFor() != SKIP,
                    "python3 has no stomp.py (dev/install-peers.sh installs it)");
            assertThat(said).isEqualTo("good\n");
        }
    }
}
