package io.weft.http.model;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.atomic.AtomicInteger;

/// Collects a streamed body in memory. Wake-ups may come from any thread, and within a read: the
/// first one reads, and reads again for those that came meanwhile.
final class BodyCollector {
    private static final int PIECE = 16 << 10;

    private final BodySource source;
    private final int limit;
    private final CompletableFuture<Body.Bytes> whole = new CompletableFuture<>();
    private final AtomicInteger wakes = new AtomicInteger();
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();
    private boolean done;

    private BodyCollector(BodySource source, int limit) {
        this.source = source;
        this.limit = limit;
    }

    static CompletionStage<Body.Bytes> collect(Body.Stream body, int limit) {
        BodyCollector collector = new BodyCollector(body.source(), limit);
        if (body.length() > limit) {
            collector.fail(new BodyTooLongException(limit));
        } else {
            body.source().onWake(collector::wake);
            collector.wake();
        }
        return collector.whole;
    }

    private void wake() {
        if (wakes.getAndIncrement() > 0) {
            return;
        }
        do {
            read();
        } while (wakes.decrementAndGet() > 0);
    }

    private void read() {
        while (!done) {
            BodySource.Step step;
            try (Buffer piece = BufferAllocator.pooled().allocate(PIECE)) {
                step = source.read(piece);
                int got = piece.readableBytes();
                if (got > limit - bytes.size()) {
                    throw new BodyTooLongException(limit);
                }
                piece.readBytes(bytes, got);
            } catch (IOException | RuntimeException | Error e) {
                fail(e);
                return;
            }
            if (step == BodySource.Step.END) {
                done = true;
                source.close();
                whole.complete(Body.wrap(bytes.toByteArray()));
            } else if (step == BodySource.Step.WAIT) {
                return;
            }
        }
    }

    private void fail(Throwable cause) {
        done = true;
        source.close();
        whole.completeExceptionally(cause);
    }
}
