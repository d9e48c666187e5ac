package io.weft.bench.robustness;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.Arrays;

/// Asks once a millisecond over one connection, and times the answers, in steps that do not block:
/// who floods the server takes a step between any two of his own.
///
/// An attacker on a thread of its own would keep the client from the core that they share, which
/// says nothing of the server. For the same reason an answer does not count if this side stood
/// still before it came, as for its own garbage collector.
final class PatientClient implements AutoCloseable {
    private static final int REQUESTS = 1000;
    private static final int MOST = 20 * REQUESTS;
    private static final long PAUSE_NANOS = 1_000_000;
    private static final long STILL_NANOS = 200_000;

    private final SocketChannel channel;
    private final ByteBuffer request = ByteBuffer.wrap(Victim.requests(1));
    private final ByteBuffer answer = ByteBuffer.allocate(1024);
    private final long[] latencies = new long[REQUESTS];
    private int answered;
    private int asked;
    private long begin;
    private long lastStep = System.nanoTime();
    private long end = lastStep;
    private boolean stoodStill;

    /// @param unmeasured answers that do not count, before those that do
    PatientClient(Victim victim, int unmeasured) throws IOException {
        answered = -unmeasured;
        channel = victim.connect();
        channel.configureBlocking(false);
    }

    /// The 99th percentile while nothing else is asked of the server, in nanoseconds.
    static long p99(Victim victim) throws IOException, InterruptedException {
        return victim.warm(
                () -> {
                    try (PatientClient client = new PatientClient(victim, 0)) {
                        while (!client.isDone()) {
                            client.step();
                            Thread.onSpinWait();
                        }
                        return client.p99();
                    }
                });
    }

    boolean isDone() {
        return answered == REQUESTS;
    }

    /// Asks if it is time, or looks for the answer.
    void step() throws IOException {
        if (isDone()) {
            return;
        }
        long now = System.nanoTime();
        stoodStill |= now - lastStep > STILL_NANOS;
        lastStep = now;
        if (begin == 0) {
            if (now - end >= PAUSE_NANOS) {
                ask(now);
            }
        } else {
            if (channel.read(answer) < 0) {
                throw new IOException("closed within an answer, after " + answer.position());
            }
            if (Victim.isWhole(answer)) {
                note();
            }
        }
    }

    private void ask(long now) throws IOException {
        if (asked++ == MOST) {
            throw new IOException("answers that count: " + answered + " of " + asked);
        }
        begin = now;
        stoodStill = false;
        channel.write(request.rewind());
    }

    private void note() {
        end = System.nanoTime();
        if (!stoodStill) {
            if (answered >= 0) {
                latencies[answered] = end - begin;
            }
            answered++;
        }
        begin = 0;
        answer.clear();
    }

    /// Returns the 99th percentile of the latencies, in nanoseconds.
    long p99() {
        Arrays.sort(latencies);
        return latencies[REQUESTS * 99 / 100];
    }

    @Override
    public void close() throws IOException {
        channel.close();
    }
}
