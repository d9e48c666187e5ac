package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Served;
import java.net.Socket;
import java.net.SocketException;
import java.util.SplittableRandom;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Clients of the server of STOMP that break off, dribble and say things twice.
@Timeout(300)
class HostileStompClientsTest {
    private static final String CONNECT = "CONNECT\naccept-version:1.2\nhost:h\n\n\0";

    private Served served;

    @BeforeEach
    void start() {
        served = Served.start(StompServer::start, "nio");
    }

    @AfterEach
    void stop() {
        served.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void assertServes() throws Exception {
        try (StompPeer peer = new StompPeer(served)) {
            peer.ask("SEND\ndestination:/topic/none\nreceipt:r\n\nhi\0", "r");
        }
    }

    @Test
    void resetsInTheMiddleOfFramesLeaveNothing() throws Exception {
        SplittableRandom random = new SplittableRandom(Long.getLong("io.weft.test.seed", 1));
        byte[] traffic =
                (CONNECT
                                + "SUBSCRIBE\nid:1\ndestination:/queue/q\nack:client\n\n\0"
                                + "BEGIN\ntransaction:t\n\n\0"
                                + "SEND\ndestination:/queue/q\ntransaction:t\n\n"
                                + "x".repeat(3_000)
                                + "\0SEND\ndestination:/queue/q\ncontent-length:3000\n\n"
                                + "y".repeat(3_000)
                                + "\0COMMIT\ntransaction:t\n\n\0")
                        .getBytes(UTF_8);
        for (int i = 0; i < 100; i++) {
            Socket socket = served.connect();
            socket.getOutputStream().write(traffic, 0, random.nextInt(traffic.length));
            socket.setSoLinger(true, 0);
            socket.close();
        }
        assertServes();
    }

    @Test
    void framesMayComeByteByByteBetweenHeartBeats() throws Exception {
        try (StompPeer to = new StompPeer(served);
                Socket socket = served.connect()) {
            to.ask("SUBSCRIBE\nid:1\ndestination:/topic/a\nreceipt:r\n\n\0", "r");
            socket.setTcpNoDelay(true);
            String frames = "\n\r\n" + CONNECT + "\n\n" + "SEND\ndestination:/topic/a\n\nhi\0\n\n";
            for (byte b : frames.getBytes(UTF_8)) {
                socket.getOutputStream().write(b);
            }
            assertThat(to.body()).isEqualTo("hi");
        }
    }

    @Test
    void firstOfRepeatedHeadersCounts() throws Exception {
        try (StompPeer peer = new StompPeer(served)) {
            peer.ask("SUBSCRIBE\nid:1\nid:2\ndestination:/topic/a\nreceipt:r\n\n\0", "r");
            peer.write(
                    "SEND\ndestination:/topic/a\ndestination:/topic/b\nfoo:1\nfoo:2\n"
                            + "content-length:2\ncontent-length:5000\n\nhi\0");
            String frame = peer.frame();
            assertThat(StompPeer.header(frame, "subscription")).isEqualTo("1");
            assertThat(StompPeer.header(frame, "destination")).isEqualTo("/topic/a");
            assertThat(StompPeer.header(frame, "foo")).isEqualTo("1");
            assertThat(StompPeer.body(frame)).isEqualTo("hi");
            peer.ask("UNSUBSCRIBE\nid:1\nid:2\nreceipt:x\nreceipt:y\n\n\0", "x");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "SEND\ndestination:/topic/a\ncontent-length:99999999999999999999\n\nx\0",
                "SEND\ndestination:/topic/a\ncontent-length:-1\n\nx\0",
                "SEND\ndestination:/topic/a\ncontent-length:1\n\nxyz\0",
                "SEND\n:x\n\n\0",
                "SEND\nnocolon\n\n\0",
                "SEND\ndestination:\\t\n\n\0",
                "SEND\n\n\0",
                "MESSAGE\ndestination:/topic/a\nmessage-id:1\nsubscription:1\n\n\0",
                "CONNECT\naccept-version:1.2\nhost:h\n\n\0",
                "SUBSCRIBE\nid:1\ndestination:/topic/a\n\nbody\0",
                "COMMIT\ntransaction:none\n\n\0",
                "ACK\nid:none\n\n\0"
            })
    void framesThatCannotBeAreAnsweredByErrorAndTheEnd(String frame) throws Exception {
        try (StompPeer peer = new StompPeer(served)) {
            peer.write(frame);
            assertThat(peer.frame()).startsWith("ERROR\n");
            try {
                assertThat(peer.frame()).isNull();
            } catch (SocketException e) {
                // The end.
            }
        }
        assertServes();
    }

    @Test
    void headersWithoutAnEndAreRefused() throws Exception {
        try (StompPeer peer = new StompPeer(served)) {
            peer.write("SEND\ndestination:/topic/a\n" + "a:b\n".repeat(10_000));
            assertThat(peer.frame()).startsWith("ERROR\n");
        } catch (SocketException e) {
            // It has closed while we wrote.
        }
        assertServes();
    }
}
