package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.examples.Served;
import io.weft.examples.Soak;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.net.Socket;
import java.net.SocketException;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
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

    /// A connection, spoken to in frames.
    private static final class Peer implements AutoCloseable {
        private final Socket socket;
        private final InputStream in;

        Peer(Served served) throws Exception {
            socket = served.connect();
            socket.setTcpNoDelay(true);
            in = socket.getInputStream();
            write("CONNECT\naccept-version:1.2\nhost:h\n\n\0");
            assertThat(frame()).startsWith("CONNECTED");
        }

        void write(String frames) throws IOException {
            socket.getOutputStream().write(frames.getBytes(UTF_8));
        }

        String frame() throws IOException {
            ByteArrayOutputStream frame = new ByteArrayOutputStream();
            for (int b; (b = in.read()) != 0; ) {
                if (b < 0) {
                    throw new SocketException("the end (expected: a frame)");
                }
                if (b != '\n' || frame.size() > 0) { // a heart-beat
                    frame.write(b);
                }
            }
            return frame.toString(UTF_8);
        }

        void reset() throws IOException {
            socket.setSoLinger(true, 0);
            socket.close();
        }

        @Override
        public void close() throws IOException {
            socket.close();
        }
    }

    private static String send(String transaction, int message) {
        return "SEND\ndestination:/q\ntransaction:%s\n\n%s-%d\0"
                .formatted(transaction, transaction, message);
    }

    private static String of(String command, String transaction) {
        return "%s\ntransaction:%s\n\n\0".formatted(command, transaction);
    }

    private static String body(String frame) {
        return frame.substring(frame.indexOf("\n\n") + 2);
    }

    @Test
    void transactionsAreWholeOrNot() throws Exception {
        Soak soak = new Soak("stomp");
        try (Served served = Served.start(StompServer::start, "nio");
                Peer subscriber = new Peer(served)) {
            subscriber.write("SUBSCRIBE\nid:0\ndestination:/q\nreceipt:s\n\n\0");
            assertThat(subscriber.frame()).startsWith("RECEIPT");
            Peer sender = new Peer(served);
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
                    sender = new Peer(served);
                    broken++;
                }
                // All that was sent before a marker has come when it comes, or never comes: only
                // that of the connection that was reset may be late.
                String marker = "marker" + next;
                sender.write("SEND\ndestination:/q\n\n" + marker + "\0");
                List<String> heard = new ArrayList<>();
                String body = body(subscriber.frame());
                while (!body.equals(marker)) {
                    heard.add(body);
                    counts.merge(body.substring(0, body.indexOf('-')), 1, Integer::sum);
                    body = body(subscriber.frame());
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
}
