package io.weft.rivals;

import io.undertow.Undertow;
import io.undertow.server.HttpHandler;
import io.undertow.server.HttpServerExchange;
import io.undertow.server.handlers.resource.PathResourceManager;
import io.undertow.server.handlers.resource.ResourceHandler;
import io.undertow.util.Headers;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.file.Path;

/// Undertow, answering on its I/O thread.
final class UndertowAnswers implements Answers.Server {
    @Override
    public Answers.Ports start(Path keys) throws Exception {
        HttpHandler files =
                new ResourceHandler(new PathResourceManager(Answers.file(keys).getParent()));
        Undertow server =
                Undertow.builder()
                        .addHttpListener(0, Hello.HOST)
                        .addHttpsListener(0, Hello.HOST, Answers.context(keys))
                        .setIoThreads(1)
                        .setWorkerThreads(1)
                        .setHandler(exchange -> answer(exchange, files))
                        .build();
        server.start();
        return new Answers.Ports(port(server, 0), port(server, 1));
    }

    private static int port(Undertow server, int listener) {
        return ((InetSocketAddress) server.getListenerInfo().get(listener).getAddress()).getPort();
    }

    private static void answer(HttpServerExchange exchange, HttpHandler files)
            throws Exception {
        String path = exchange.getRequestPath();
        exchange.getResponseHeaders().put(Headers.CONTENT_TYPE, Answers.type(path));
        switch (path) {
            case Answers.FILE -> files.handleRequest(exchange);
            case Answers.BLOCKING ->
                    exchange.dispatch(
                            Answers.BLOCKING_THREADS,
                            same -> {
                                Answers.block();
                                same.getResponseSender().send(ByteBuffer.wrap(Hello.BYTES));
                            });
            case Answers.JSON -> exchange.getResponseSender().send(ByteBuffer.wrap(Answers.json()));
            case Answers.UPLOAD ->
                    exchange.getRequestReceiver()
                            .receiveFullBytes(
                                    (same, body) ->
                                            same.getResponseSender().send("" + body.length));
            default -> exchange.getResponseSender().send(ByteBuffer.wrap(Answers.body(path)));
        }
    }
}
