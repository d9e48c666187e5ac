package io.weft.bench.robustness;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.weft.bench.robustness.Attack.Result;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.concurrent.TimeUnit;

/// Heads of requests that come byte by byte and never end, from one thread, as [PatientClient] asks
/// for.
///
/// The server ends a connection when it sends its end, and lets it go when it takes no more: in
/// between it waits for the peer's end, for two seconds, so that what it has answered arrives.
final class SlowHeads implements AutoCloseable {
    private static final long DEADLINE_MILLIS = 10_000;
    private static final long LEEWAY_MILLIS = 1_000;

    /// Two seconds, and the two bytes it takes a client to find out.
    private static final long LETS_GO_MILLIS = LEEWAY_MILLIS + 3_500;

    private static final long PATIENCE_MILLIS = 60_000;
    private static final int EACH_MILLIS = 500;

    /// Answers in which the server compiles what it calls then.
    private static final int UNMEASURED = 7000;

    private final List<Drip> drips = new ArrayList<>();

    private SlowHeads() {}

    /// @param count connections
    static Result attack(Victim victim, int count) throws IOException, InterruptedException {
        long calm = PatientClient.p99(victim);
        try (PatientClient neighbour = new PatientClient(victim, UNMEASURED);
                SlowHeads heads = new SlowHeads()) {
            for (int i = 0; i < count; i++) {
                heads.drips.add(new Drip(victim.connect()));
                neighbour.step();
            }
            heads.run(neighbour);
            return heads.result((double) neighbour.p99() / calm);
        }
    }

    private void run(PatientClient neighbour) throws IOException {
        long begin = System.nanoTime();
        while (!neighbour.isDone() || drips.stream().anyMatch(Drip::isHeld)) {
            if (millis(begin) > PATIENCE_MILLIS) {
                break;
            }
            for (Drip drip : drips) {
                neighbour.step();
                drip.step();
            }
        }
    }

    private Result result(double factor) {
        long held = drips.stream().filter(Drip::isHeld).count();
        long first = drips.stream().mapToLong(drip -> drip.ended).min().orElse(0);
        long last = drips.stream().mapToLong(drip -> drip.ended).max().orElse(0);
        long letGo = drips.stream().mapToLong(drip -> drip.letGo).max().orElse(0);
        return new Result(
                String.format(
                        Locale.ROOT,
                        "%,d ended after %.1f to %.1f s, the last let go after %.1f s; p99 x %.2f",
                        drips.size() - held,
                        first / 1e3,
                        last / 1e3,
                        letGo / 1e3,
                        factor),
                held == 0
                        && first >= DEADLINE_MILLIS - LEEWAY_MILLIS
                        && last <= DEADLINE_MILLIS + LEEWAY_MILLIS
                        && letGo <= DEADLINE_MILLIS + LETS_GO_MILLIS
                        && factor <= 2);
    }

    private static long millis(long since) {
        return TimeUnit.NANOSECONDS.toMillis(System.nanoTime() - since);
    }

    @Override
    public void close() throws IOException {
        for (Drip drip : drips) {
            drip.channel.close();
        }
    }

    /// A connection; its times are in milliseconds from its beginning, -1 for not yet.
    private static final class Drip {
        private final SocketChannel channel;
        private final long begin = System.nanoTime();
        private final ByteBuffer answer = ByteBuffer.allocate(1024);
        private long written;
        private long ended = -1;
        private long letGo = -1;

        Drip(SocketChannel channel) throws IOException {
            this.channel = channel;
            channel.write(ByteBuffer.wrap("GET / HTTP/1.1\r\nHost: ".getBytes(US_ASCII)));
            channel.configureBlocking(false);
        }

        boolean isHeld() {
            return letGo < 0;
        }

        void step() {
            if (letGo >= 0) {
                return;
            }
            long now = millis(begin);
            try {
                if (ended < 0 && channel.read(answer.clear()) < 0) {
                    ended = now;
                }
                if (now - written >= EACH_MILLIS) {
                    written = now;
                    int _ = channel.write(ByteBuffer.wrap(new byte[] {'x'}));
                }
            } catch (IOException e) {
                letGo = now;
                ended = ended < 0 ? now : ended;
            }
        }
    }
}
