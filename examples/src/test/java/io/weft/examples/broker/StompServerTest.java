package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Served;
import java.net.Socket;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

@Timeout(300)
class StompServerTest {
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

    private final Served server = Served.start(StompServer::start, "nio");

    @AfterEach
    void everyBufferIsReleased() {
        server.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void versionsThatAreUnknownAreAnsweredByThoseThatAreKnown() throws Exception {
        assertThat(talk("CONNECT\naccept-version:3.0\nreceipt:r\n\n\0"))
                .contains("\nreceipt-id:r\nversion:1.0,1.1,1.2\n");
    }

    @Test
    void errorsNameTheReceiptThatWasAskedFor() throws Exception {
        assertThat(talk("CONNECT\n\n\0ABORT\ntransaction:t\nreceipt:7\n\n\0SEND\n\n\0"))
                .endsWith("(expected: begun)\nreceipt-id:7\n\n\0");
    }

    @Test
    void headersOfSendersReachSubscribersAsFarAsTheirVersionCanSayThem() throws Exception {
        try (StompPeer sender = new StompPeer(server);
                StompPeer old = new StompPeer(server, "1.0");
                StompPeer young = new StompPeer(server)) {
            old.ask("SUBSCRIBE\ndestination:t\nreceipt:r\n\n\0", "r");
            young.ask("SUBSCRIBE\nid:0\ndestination:t\nreceipt:r\n\n\0", "r");
            sender.write(
                    "SEND\ndestination:t\ncorrelation-id:c\\c1\nlines:a\\nb\nreceipt:x\n"
                            + "content-type:text/plain\n\nhello\0");
            String frame = young.frame();
            assertThat(frame)
                    .contains("\ncorrelation-id:c\\c1\n", "\nlines:a\\nb\n", "\ncontent-type:")
                    .doesNotContain("receipt");
            assertThat(old.frame()).contains("\ncorrelation-id:c:1\n").doesNotContain("lines");
        }
    }

    private static String subscribe(String destination, String mode) {
        return "SUBSCRIBE\nid:0\ndestination:%s\nack:%s\nreceipt:s\n\n\0"
                .formatted(destination, mode);
    }

    private static String send(String destination, String body) {
        return "SEND\ndestination:%s\nreceipt:%s\n\n%s\0".formatted(destination, body, body);
    }

    @Test
    void messagesOfQueuesWaitForASubscriberAndGoToOne() throws Exception {
        try (StompPeer sender = new StompPeer(server);
                StompPeer one = new StompPeer(server);
                StompPeer two = new StompPeer(server)) {
            sender.ask(send("/queue/a", "1"), "1");
            sender.ask(send("/queue/a", "2"), "2");
            one.write(subscribe("/queue/a", "auto"));
            assertThat(one.body()).isEqualTo("1");
            assertThat(one.body()).isEqualTo("2");
            assertThat(one.frame()).startsWith("RECEIPT");
            two.ask(subscribe("/queue/a", "auto"), "s");
            sender.ask(send("/queue/a", "3"), "3");
            sender.ask(send("/queue/a", "4"), "4");
            assertThat(List.of(one.body(), two.body())).containsExactlyInAnyOrder("3", "4");
        }
    }

    @Test
    void messagesThatWereNotAcknowledgedGoToAnotherSubscriber() throws Exception {
        try (StompPeer sender = new StompPeer(server);
                StompPeer two = new StompPeer(server)) {
            for (int i = 1; i <= 4; i++) {
                sender.ask(send("/queue/a", "" + i), "" + i);
            }
            StompPeer one = new StompPeer(server);
            one.write(subscribe("/queue/a", "client"));
            one.frame();
            String second = one.frame();
            one.frame();
            one.frame();
            assertThat(one.frame()).startsWith("RECEIPT");
            // Also the first one.
            String id = StompPeer.header(second, "ack");
            one.ask("ACK\nid:" + id + "\nreceipt:a\n\n\0", "a");
            one.reset();
            two.write(subscribe("/queue/a", "client-individual"));
            assertThat(two.message()).isEqualTo("3");
            assertThat(two.message()).isEqualTo("4");
        }
    }

    /// A queue holds 4 MiB.
    @Test
    void messagesThatAreNotAcknowledgedFillTheirQueue() throws Exception {
        String large = "SEND\ndestination:/queue/a\nreceipt:r\n\n" + "x".repeat(1_000_000) + "\0";
        try (StompPeer sender = new StompPeer(server);
                StompPeer other = new StompPeer(server);
                StompPeer one = new StompPeer(server)) {
            one.ask(subscribe("/queue/a", "client"), "s");
            String last = "";
            for (int i = 0; i < 4; i++) {
                sender.ask(large, "r");
                last = one.frame();
            }
            other.write(large);
            assertThat(other.frame()).contains("a queue is full");
            one.ask("ACK\nid:" + StompPeer.header(last, "ack") + "\nreceipt:a\n\n\0", "a");
            for (int i = 0; i < 4; i++) {
                sender.ask(large, "r");
                assertThat(one.body()).hasSize(1_000_000);
            }
        }
    }

    @Test
    void refusedMessagesComeAgainAFewTimes() throws Exception {
        try (StompPeer sender = new StompPeer(server);
                StompPeer one = new StompPeer(server, "1.1")) {
            one.ask(subscribe("/queue/a", "client-individual"), "s");
            sender.ask(send("/queue/a", "bad"), "bad");
            for (int i = 0; i < 5; i++) {
                String frame = one.frame();
                assertThat(frame).endsWith("bad").doesNotContain("\nack:");
                one.write(
                        "NACK\nsubscription:0\nmessage-id:%s\n\n\0"
                                .formatted(StompPeer.header(frame, "message-id")));
            }
            sender.ask(send("/queue/a", "good"), "good");
            assertThat(one.body()).isEqualTo("good");
        }
    }

    @Test
    void acknowledgementsOfATransactionCountWhenItIsCommitted() throws Exception {
        try (StompPeer sender = new StompPeer(server);
                StompPeer two = new StompPeer(server)) {
            sender.ask(send("/queue/a", "1"), "1");
            sender.ask(send("/queue/a", "2"), "2");
            StompPeer one = new StompPeer(server);
            one.write(subscribe("/queue/a", "client-individual"));
            String first = StompPeer.header(one.frame(), "ack");
            String second = StompPeer.header(one.frame(), "ack");
            one.frame();
            one.ask(
                    ("BEGIN\ntransaction:t\n\n\0ACK\ntransaction:t\nid:%s\n\n\0"
                                    + "COMMIT\ntransaction:t\nreceipt:c\n\n\0")
                            .formatted(first),
                    "c");
            one.ask(
                    ("BEGIN\ntransaction:u\n\n\0ACK\ntransaction:u\nid:%s\n\n\0"
                                    + "ABORT\ntransaction:u\nreceipt:d\n\n\0")
                            .formatted(second),
                    "d");
            one.reset();
            two.write(subscribe("/queue/a", "auto"));
            assertThat(two.message()).isEqualTo("2");
        }
    }

    @Test
    void messagesThatAreUnknownCannotBeAcknowledged() throws Exception {
        assertThat(talk("CONNECT\naccept-version:1.2\n\n\0ACK\nid:1\n\n\0"))
                .contains("ERROR\nmessage:ACK");
        assertThat(
                        talk(
                                "CONNECT\naccept-version:1.2\n\n\0"
                                        + "SUBSCRIBE\nid:1\ndestination:a\nack:maybe\n\n\0"))
                .contains("ERROR\nmessage:SUBSCRIBE");
    }

    @Test
    void queuesAndTransactionsAreLimited() throws Exception {
        String large = "x".repeat(1_000_000);
        try (StompPeer sender = new StompPeer(server)) {
            for (int i = 0; i < 4; i++) {
                sender.ask("SEND\ndestination:/queue/a\nreceipt:r\n\n" + large + "\0", "r");
            }
            sender.write("SEND\ndestination:/queue/a\n\n" + large + "\0");
            assertThat(sender.frame()).startsWith("ERROR\nmessage:SEND");
        }
        try (StompPeer sender = new StompPeer(server)) {
            sender.write("BEGIN\ntransaction:t\n\n\0");
            for (int i = 0; i < 5; i++) {
                sender.write("SEND\ndestination:b\ntransaction:t\n\n" + large + "\0");
            }
            assertThat(sender.frame()).startsWith("ERROR\nmessage:SEND");
        }
    }

    @Test
    void transactionsForAFullQueueAreNotSentAtAll() throws Exception {
        String large = "x".repeat(1_000_000);
        try (StompPeer sender = new StompPeer(server);
                StompPeer one = new StompPeer(server)) {
            one.ask(subscribe("topic", "auto"), "s");
            for (int i = 0; i < 4; i++) {
                sender.ask("SEND\ndestination:/queue/a\nreceipt:r\n\n" + large + "\0", "r");
            }
            sender.write("BEGIN\ntransaction:t\n\n\0");
            sender.write("SEND\ndestination:topic\ntransaction:t\n\nnever\0");
            sender.write("SEND\ndestination:/queue/a\ntransaction:t\n\n" + large + "\0");
            sender.write("COMMIT\ntransaction:t\n\n\0");
            assertThat(sender.frame()).startsWith("ERROR\nmessage:COMMIT");
            one.write(send("topic", "next"));
            assertThat(one.body()).isEqualTo("next");
        }
    }

    @Test
    void subscribersThatDoNotReadCostOthersNothing() throws Exception {
        String text = "x".repeat(100_000);
        try (StompPeer sender = new StompPeer(server);
                StompPeer lazy = new StompPeer(server);
                StompPeer good = new StompPeer(server)) {
            lazy.ask(subscribe("/queue/a", "auto"), "s");
            lazy.write("SUBSCRIBE\nid:1\ndestination:t\n\n\0");
            good.ask(subscribe("last", "auto"), "s");
            for (int i = 0; i < 500; i++) { // 50 MB
                sender.write("SEND\ndestination:t\n\n" + text + "\0");
            }
            for (int i = 0; i < 20; i++) {
                sender.write(send("/queue/a", i + text).replaceFirst("receipt:.*\n", ""));
            }
            sender.write(send("last", "one"));
            assertThat(good.body()).isEqualTo("one");
            int got = 0;
            while (got < 20) { // those of the queue are all kept for it
                String body = lazy.body();
                if (!body.equals(text)) {
                    assertThat(body.equals(got + text)).isTrue();
                    got++;
                }
            }
        }
    }
}
