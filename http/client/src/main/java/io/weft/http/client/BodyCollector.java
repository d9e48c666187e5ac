package io.weft.http.client;

import io.weft.http.client.HttpClientException.TooLarge;
import io.weft.http.model.Body;
import java.util.Arrays;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;

/// Collects a body in memory that grows with what arrives, up to a limit.
final class BodyCollector {
    private static final int FIRST = 8 << 10;

    private final ResponseBody body;
    private final Origin origin;
    private final int most;
    private final CompletableFuture<Body> future = new CompletableFuture<>();

    /// Calls of [#pump] that are not over: whoever makes the first reads for all.
    private final AtomicInteger calls = new AtomicInteger();

    private byte[] bytes = new byte[0];
    private int size;

    BodyCollector(ResponseBody body, Origin origin, int most) {
        this.body = body;
        this.origin = origin;
        this.most = most;
    }

    CompletableFuture<Body> begin() {
        body.onWake(this::pump);
        pump();
        return future;
    }

    private void pump() {
        if (calls.getAndIncrement() != 0) {
            return;
        }
        int seen = 1;
        do {
            read();
            seen = calls.addAndGet(-seen);
        } while (seen != 0);
    }

    private void read() {
        if (future.isDone()) {
            return;
        }
        try {
            while (true) {
                if (size == bytes.length) {
                    // One more than allowed, which tells a body that ends at the limit.
                    long next = Math.min(Math.max(FIRST, 2L * size), most + 1L);
                    bytes = Arrays.copyOf(bytes, (int) next);
                }
                int count = body.read(bytes, size, bytes.length - size);
                if (count <= 0) {
                    if (count < 0) {
                        body.close();
                        future.complete(
                                size == 0 ? Body.empty() : Body.wrap(Arrays.copyOf(bytes, size)));
                    }
                    return;
                }
                size += count;
                if (size > most) {
                    throw new TooLarge(
                            origin,
                            "body: over " + most + " (expected: at most " + most + ")",
                            null);
                }
            }
        } catch (HttpClientException e) {
            body.close();
            future.completeExceptionally(e);
        }
    }
}
