package io.weft.rivals;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;

/// Vert.x, on its native transport.
final class VertxHello implements Hello.Server {
    private static final CharSequence TYPE = HttpHeaders.createOptimized("text/plain");

    @Override
    public int start() {
        Vertx vertx =
                Vertx.vertx(
                        new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        Buffer hello = Buffer.buffer(Hello.TEXT);
        return vertx.createHttpServer()
                .requestHandler(
                        request ->
                                request.response()
                                        .putHeader(HttpHeaders.CONTENT_TYPE, TYPE)
                                        .end(hello))
                .listen(0, Hello.HOST)
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .actualPort();
    }
}
