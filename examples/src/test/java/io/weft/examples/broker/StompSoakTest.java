package io.weft.examples.broker;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Served;
import io.weft.examples.Soak;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Senders of STOMP lose their connections at random: a transaction whose receipt has come was sent
/// as a whole, one whose COMMIT was never sent not at all, and others as a whole or not at all.
class StompSoakTest {
    private static final int MESSAGES = 4;

    /// Transactions after which the last message of one has come, whatever loop it was on.
    private static final int LATE = 100;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String send(String transaction, int message) {
        return "SEND\ndestination:/q\ntransaction:%s\n\n%s-%d\0"
                .formatted(transaction, transaction, message);
    }

    private static String of(String command, String transaction) {
        return "%s\ntransaction:%s\n\n\0".formatted(command, transaction);
    }

    @Test
    void transactionsAreWholeOrNot() throws Exception {
        Soak soak = new Soak("stomp");
        try (Served served = Served.start(StompServer::start, "nio");
                StompPeer subscriber = new StompPeer(served)) {
            subscriber.write("SUBSCRIBE\nid:0\ndestination:/q\nreceipt:s\n\n\0");
            assertThat(subscriber.frame()).startsWith("RECEIPT");
            StompPeer sender = new StompPeer(served);
            int broken = 0;
            Map<String, Integer> counts = new HashMap<>();
            for (int next = 0; soak.goesOn(); next++) {
                String transaction = "t" + next;
                StringBuilder frames = new StringBuilder(of("BEGIN", transaction));
                for (int i = 0; i < MESSAGES; i++) {
                    frames.append(send(transaction, i));
                }
                int end = soak.below(12);
                boolean sure = end > 3;
                boolean never = end < 3;
                switch (end) {
                    case 0 -> frames.append(of("ABORT", transaction));
                    case 1, 2 -> {} // it breaks before
                    case 3 -> frames.append(of("COMMIT", transaction));
                    default ->
                            frames.append(
                                    "COMMIT\ntransaction:%s\nreceipt:r%d\n\n\0"
                                            .formatted(transaction, next));
                }
                sender.write(frames.toString());
                if (sure) {
                    assertThat(sender.frame()).startsWith("RECEIPT\nreceipt-id:r" + next);
                } else if (end > 0) {
                    sender.reset();
                    sender = new StompPeer(served);
                    broken++;
                }
                // All that was sent before a marker has come when it comes, or never comes: only
                // that of the connection that was reset may be late.
                String marker = "marker" + next;
                sender.write("SEND\ndestination:/q\n\n" + marker + "\0");
                List<String> heard = new ArrayList<>();
                String body = subscriber.body();
                while (!body.equals(marker)) {
                    heard.add(body);
                    counts.merge(body.substring(0, body.indexOf('-')), 1, Integer::sum);
                    body = subscriber.body();
                }
                List<String> whole = new ArrayList<>();
                for (int i = 0; i < MESSAGES; i++) {
                    whole.add(transaction + "-" + i);
                }
                heard.removeIf(other -> !other.startsWith(transaction + "-"));
                if (sure) {
                    assertThat(heard).isEqualTo(whole);
                } else if (never) {
                    assertThat(heard).isEmpty();
                }
                counts.remove("t" + (next - LATE)); // seen, and to be forgotten in a long run
                Integer late = counts.get("t" + (next - LATE + 1));
                assertThat(late == null ? MESSAGES : late).as(transaction).isEqualTo(MESSAGES);
            }
            sender.close();
            assertThat(broken).isPositive();
        }
    }

    /// Consumers of a queue break at random, before they have acknowledged what they got, and so do
    /// senders: what the server has given a receipt for is consumed, and what was acknowledged
    /// comes no more.
    @Test
    void queuesLoseNothingWithTheirConsumers() throws Exception {
        Soak soak = new Soak("stomp queue");
        try (Served served = Served.start(StompServer::start, "nio")) {
            StompPeer sender = new StompPeer(served);
            Set<String> sent = new HashSet<>();
            Set<String> acknowledged = new HashSet<>();
            Consumer consumer = new Consumer(served);
            int broken = 0;
            for (int next = 0; soak.goesOn(); next++) {
                String body = "m" + next;
                sender.ask(
                        "SEND\ndestination:/queue/q\nreceipt:%s\n\n%s\0".formatted(body, body),
                        body);
                sent.add(body);
                if (soak.oneIn(50)) {
                    sender.reset();
                    sender = new StompPeer(served);
                    broken++;
                }
                if (soak.oneIn(2)) {
                    String frame = consumer.next();
                    if (soak.oneIn(10)) {
                        consumer.peer.reset();
                        consumer = new Consumer(served);
                        broken++;
                    } else {
                        consumer.acknowledge(frame, acknowledged);
                    }
                }
                while (sent.size() - acknowledged.size() > 500) {
                    consumer.acknowledge(consumer.next(), acknowledged);
                }
                if (acknowledged.size() > 10_000) { // known to be gone
                    sent.removeAll(acknowledged);
                    acknowledged.clear();
                }
            }
            while (acknowledged.size() < sent.size()) {
                consumer.acknowledge(consumer.next(), acknowledged);
            }
            assertThat(acknowledged).isEqualTo(sent);
            assertThat(broken).isPositive();
            sender.close();
            consumer.close();
        }
    }

    /// A subscriber that acknowledges each message, and waits for the receipt of that.
    private static final class Consumer implements AutoCloseable {
        private final StompPeer peer;
        private final ArrayDeque<String> early = new ArrayDeque<>();

        Consumer(Served served) throws Exception {
            peer = new StompPeer(served);
            peer.write("SUBSCRIBE\nid:0\ndestination:/queue/q\nack:client-individual\n\n\0");
        }

        String next() throws IOException {
            return early.isEmpty() ? peer.frame() : early.remove();
        }

        void acknowledge(String frame, Set<String> acknowledged) throws IOException {
            String id = StompPeer.header(frame, "ack");
            peer.write("ACK\nid:" + id + "\nreceipt:" + id + "\n\n\0");
            String answer = peer.frame();
            while (answer.startsWith("MESSAGE")) {
                early.add(answer);
                answer = peer.frame();
            }
            assertThat(answer).isEqualTo("RECEIPT\nreceipt-id:" + id + "\n\n");
            assertThat(acknowledged.add(StompPeer.body(frame))).as(frame).isTrue();
        }

        @Override
        public void close() throws IOException {
            peer.close();
        }
    }
}
