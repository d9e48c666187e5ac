package io.weft.bench.robustness;

import java.io.IOException;
import java.nio.channels.SocketChannel;
import java.util.Arrays;
import java.util.concurrent.locks.LockSupport;

/// Asks now and then, on one connection, and times the answers.
final class GoodClient {
    private static final int REQUESTS = 1000;
    private static final long PAUSE_NANOS = 1_000_000;

    private GoodClient() {}

    /// The 99th percentile of the latency, in nanoseconds.
    static long p99(Victim victim) throws IOException {
        long[] latencies = new long[REQUESTS];
        try (SocketChannel client = victim.connect()) {
            for (int i = 0; i < REQUESTS; i++) {
                long begin = System.nanoTime();
                Victim.request(client);
                latencies[i] = System.nanoTime() - begin;
                LockSupport.parkNanos(PAUSE_NANOS);
            }
        }
        Arrays.sort(latencies);
        return latencies[REQUESTS * 99 / 100];
    }
}
