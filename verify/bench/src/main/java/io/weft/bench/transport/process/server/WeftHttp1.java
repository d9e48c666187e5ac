package io.weft.bench.transport.process.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import io.weft.http.server.StaticFiles;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketUpgrade;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.machine.TlsEngineKind;
import io.weft.tls.x509.CertificateBuilder;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletionStage;
import javax.net.ssl.SSLException;

/// [Http1Answers] as a user of Weft would write them.
final class WeftHttp1 {
    private static final Headers JSON = Headers.of("content-type", "application/json");

    private WeftHttp1() {}

    private static final class Echo implements WebSocketListener {
        @Override
        public void onBinary(WebSocket socket, Buffer data) {
            socket.sendBinary(data);
        }
    }

    /// @param directory that of [Http1Answers#file]
    static HttpServer.Builder server(Path directory) {
        Response hello = Response.text("Hello, World!");
        Routes.Builder routes =
                Routes.builder()
                        .get(Http1Answers.HELLO, _ -> hello)
                        .get(
                                Http1Answers.JSON,
                                _ -> Response.of(Status.OK, JSON, Body.wrap(Http1Answers.json())))
                        .post(Http1Answers.UPLOAD)
                        .streaming(WeftHttp1::count)
                        .get(Http1Answers.FILE)
                        .blocking(files(directory))
                        .get(Http1Answers.BLOCKING)
                        .blocking(
                                _ -> {
                                    Thread.sleep(Http1Answers.BLOCKED);
                                    return hello;
                                });
        for (String path : List.of(Http1Answers.KIBI, Http1Answers.LARGE, Http1Answers.MEBI)) {
            Body body = shared(Http2Answers.bytes(Http1Answers.length(path)));
            Response answer =
                    Response.of(Status.OK, Headers.of("content-type", "text/plain"), body);
            routes.get(path, _ -> answer);
        }
        return HttpServer.builder().routes(routes.build());
    }

    private static StaticFiles files(Path directory) {
        try {
            return StaticFiles.of(directory);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// Content that is sent often lies outside of the heap, as that of the other side does.
    static Body shared(byte[] bytes) {
        return Body.share(BufferAllocator.unpooled().allocate(bytes.length).writeBytes(bytes));
    }

    /// Counts what comes and keeps none of it, as the other side does.
    private static CompletionStage<Response> count(Request request) {
        return request.body()
                .forEachPiece(_ -> {})
                .thenApply(length -> Response.text(Long.toString(length)));
    }

    /// The same with TLS on the JDK's engine, as the other side has it.
    static HttpServer.Builder tlsServer(Path directory) {
        try {
            return server(directory)
                    .tls(
                            TlsContext.server(CertificateBuilder.selfSigned("localhost"))
                                    .engine(TlsEngineKind.JDK)
                                    .build());
        } catch (SSLException e) {
            throw new UncheckedIOException(e);
        }
    }

    /// WebSocket at every path.
    static HttpServer.Builder webSocket() {
        Echo echo = new Echo();
        return HttpServer.builder().handler(request -> WebSocketUpgrade.answer(request, echo));
    }
}
