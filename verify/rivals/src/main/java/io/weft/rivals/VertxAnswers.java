package io.weft.rivals;

import io.vertx.core.Vertx;
import io.vertx.core.VertxOptions;
import io.vertx.core.buffer.Buffer;
import io.vertx.core.http.HttpHeaders;
import io.vertx.core.http.HttpServerOptions;
import io.vertx.core.http.HttpServerRequest;
import io.vertx.core.net.PfxOptions;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Function;
import java.util.stream.Collectors;

/// Vert.x, on its native transport.
final class VertxAnswers implements Answers.Server {
    private static final CharSequence TEXT = HttpHeaders.createOptimized("text/plain");
    private static final CharSequence JSON = HttpHeaders.createOptimized("application/json");
    private static final Map<String, Buffer> BODIES =
            List.of("/hello", "/1k", "/64k", "/1m").stream()
                    .collect(
                            Collectors.toMap(
                                    Function.identity(),
                                    path -> Buffer.buffer(Answers.body(path))));

    @Override
    public Answers.Ports start(Path keys) {
        Vertx vertx =
                Vertx.vertx(
                        new VertxOptions().setEventLoopPoolSize(1).setPreferNativeTransport(true));
        String file = Answers.file(keys).toString();
        PfxOptions pfx = new PfxOptions().setPath(keys.toString()).setPassword(Answers.PASSWORD);
        return new Answers.Ports(
                start(vertx, new HttpServerOptions(), file),
                start(vertx, new HttpServerOptions().setSsl(true).setKeyCertOptions(pfx), file));
    }

    private static int start(Vertx vertx, HttpServerOptions options, String file) {
        return vertx.createHttpServer(options)
                .requestHandler(request -> answer(request, file))
                .listen(0, Hello.HOST)
                .toCompletionStage()
                .toCompletableFuture()
                .join()
                .actualPort();
    }

    private static void answer(HttpServerRequest request, String file) {
        switch (request.path()) {
            case Answers.JSON -> answer(request, JSON, Buffer.buffer(Answers.json()));
            case Answers.UPLOAD -> {
                AtomicLong length = new AtomicLong();
                request.handler(some -> length.addAndGet(some.length()));
                request.endHandler(_ -> answer(request, TEXT, Buffer.buffer("" + length)));
            }
            case Answers.FILE -> request.response().sendFile(file);
            case Answers.BLOCKING ->
                    Answers.BLOCKING_THREADS.execute(
                            () -> {
                                Answers.block();
                                answer(request, TEXT, BODIES.get("/hello"));
                            });
            default -> answer(request, TEXT, BODIES.get(request.path()));
        }
    }

    private static void answer(HttpServerRequest request, CharSequence type, Buffer body) {
        request.response().putHeader(HttpHeaders.CONTENT_TYPE, type).end(body);
    }
}
