package io.weft.http.model;

import io.weft.buffer.Buffer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;

/// Collects a streamed body in memory.
final class BodyCollector implements BodyReader.Pieces {
    private final BodySource source;
    private final int limit;
    private final ByteArrayOutputStream bytes = new ByteArrayOutputStream();

    private BodyCollector(BodySource source, int limit) {
        this.source = source;
        this.limit = limit;
    }

    static CompletionStage<Body.Bytes> collect(Body.Stream body, int limit) {
        if (body.length() > limit) {
            body.source().close();
            return CompletableFuture.failedFuture(new BodyTooLongException(limit, body.source()));
        }
        BodyCollector collector = new BodyCollector(body.source(), limit);
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
            throw new BodyTooLongException(limit, source);
        }
        piece.readBytes(bytes, got);
    }
}
