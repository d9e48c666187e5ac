package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Collects a streamed body in memory.
final class BodyCollector implements BodyReader.Pieces {
    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private BodyCollector(int limit) {
        this.limit = limit;
    }

    static CompletionStage<Body.Bytes> collect(Body.Stream body, int limit) {
        if (body.length() > limit) {
            body.source().close();
            return CompletableFuture.failedFuture(new BodyTooLongException(limit));
        }
        BodyCollector collector = new BodyCollector(limit);
        // Not thenApply: a stage behind it would see the failure wrapped.
        CompletableFuture<Body.Bytes> whole = new CompletableFuture<>();
        BodyReader.read(body.source(), collector)
                .whenComplete(
                        (_, failure) -> {
                            if (failure == null) {
                                whole.complete(Body.wrap(collector.bytes.toByteArray()));
                            } else {
                                whole.completeExceptionally(failure);
                            }
                        });
        return whole;
    }

    @Override
    public void take(Buffer piece) throws IOException {
        int got = piece.readableBytes();
        if (got > limit - bytes.size()) {
            throw new BodyTooLongException(limit);
        }
        piece.readBytes(bytes, got);
    }
}
