package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Served;
import java.net.Socket;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class StompServerTest {
    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String talk(String frames) throws Exception {
        try (Served server = Served.start(StompServer::start, "nio");
                Socket socket = server.connect()) {
            socket.getOutputStream().write(frames.getBytes(UTF_8));
            return new String(socket.getInputStream().readAllBytes(), UTF_8);
        }
    }

    @Test
    void subscribersGetWhatIsSentAndReceiptsFollow() throws Exception {
        assertThat(
                        talk(
                                "CONNECT\naccept-version:1.2\nhost:h\n\n\0\n"
                                        + "SUBSCRIBE\nid:0\ndestination:q\n\n\0"
                                        + "SEND\ndestination:q\n\nhello\0"
                                        + "BEGIN\ntransaction:t\n\n\0"
                                        + "SEND\ndestination:q\ntransaction:t\n\nlost\0"
                                        + "ABORT\ntransaction:t\n\n\0"
                                        + "DISCONNECT\nreceipt:7\n\n\0"))
                .isEqualTo(
                        "CONNECTED\nversion:1.2\nheart-beat:10000,10000\nserver:weft\n\n\0"
                                + "MESSAGE\ndestination:q\nmessage-id:1\nsubscription:0\n"
                                + "content-length:5\n\nhello\0"
                                + "RECEIPT\nreceipt-id:7\n\n\0");
    }

    @Test
    void faultsAreAnsweredByError() throws Exception {
        assertThat(talk("CONNECT\naccept-version:3.0\n\n\0")).startsWith("ERROR\nmessage:CONNECT");
        assertThat(talk("CONNECT\n\n\0SEND\n\n\0")).contains("ERROR\nmessage:SEND");
    }
}
