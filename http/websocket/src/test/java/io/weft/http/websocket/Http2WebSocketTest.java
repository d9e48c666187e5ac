package io.weft.http.websocket;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.http.http2.Http2Connection;
import io.weft.http.http2.Http2Events;
import io.weft.http.http2.Http2Exception;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.RequestHead;
import io.weft.http.http2.ResponseHead;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.FinishedExchange;
import io.weft.http.server.HttpFilter;
import io.weft.http.server.HttpServer;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// WebSocket on a stream of HTTP/2 (RFC 8441), by the handler that serves it over HTTP/1.1.
class Http2WebSocketTest implements Http2Events {
    private final StringBuilder log = new StringBuilder();

    /// Statuses that a filter was told in the end.
    private final List<Status> told = new ArrayList<>();

    private Buffer out = BufferAllocator.pooled().allocate(256);
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                    HttpServer.builder()
                            .filter(
                                    new HttpFilter() {
                                        @Override
                                        public void finished(FinishedExchange exchange) {
                                            Response response = exchange.response();
                                            told.add(response == null ? null : response.status());
                                        }
                                    })
                            .handler(
                                    request ->
                                            ServerHandshake.isOffered(request)
                                                    ? WebSocketUpgrade.answer(request, echo())
                                                    : Response.text("a page"))
                            .initializer());
    private final Http2Connection h2 =
            new Http2Connection(
                    Http2Connection.Role.CLIENT, Http2Limits.DEFAULT, () -> 0, () -> out, this);

    private static WebSocketListener echo() {
        return new WebSocketListener() {
            @Override
            public void onText(WebSocket socket, String text) {
                socket.sendText("echo of " + text);
            }
        };
    }

    @AfterEach
    void close() {
        channel.close();
        h2.close();
        out.release();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void run() {
        boolean more = true;
        while (more) {
            Buffer written = out;
            out = BufferAllocator.pooled().allocate(256);
            more = written.isReadable();
            channel.receive(written);
            channel.runPending();
            byte[] bytes = channel.takeOutbound();
            more |= bytes.length > 0;
            h2.receive(BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes));
        }
    }

    private static void send(Http2Stream stream, String frames) {
        Buffer piece = BufferAllocator.pooled().allocate(frames.length());
        stream.data(piece.writeBytes(frames.getBytes(ISO_8859_1)), false);
    }

    private Http2Stream connect(String protocol) {
        h2.start();
        run();
        Headers headers =
                Headers.of("host", "weft.test")
                        .with("sec-websocket-version", "13")
                        .with("origin", "http://weft.test");
        Http2Stream stream =
                h2.request(
                        new RequestHead(
                                Method.CONNECT,
                                "http",
                                RequestTarget.of("/chat"),
                                protocol,
                                headers,
                                -1),
                        false);
        run();
        return stream;
    }

    @Test
    void messagesAndTheClosingHandshakeGoOverOneStream() {
        Http2Stream stream = connect("websocket");
        send(stream, "\u0081\u0085\0\0\0\0hello");
        run();
        send(stream, "\u0088\u0082\0\0\0\0\u0003\u00e8");
        run();
        assertThat(log).hasToString("200 [] \u0081\recho of hello \u0088\u0002\u0003\u00e8 end");
    }

    @Test
    void closeOfTheConnectionBeginsTheClosingHandshake() {
        Http2Stream stream = connect("websocket");
        channel.channel().close();
        run();
        assertThat(log).hasToString("200 [] \u0088\u0002\u0003\u00e9");
        send(stream, "\u0088\u0082\0\0\0\0\u0003\u00e9");
        run();
        assertThat(log).endsWith(" end");
    }

    @Test
    void pageInPlaceOfATunnelIsNotImplementedAlsoForFilters() {
        connect("other");
        assertThat(log).startsWith("501 ");
        assertThat(told).containsExactly(Status.NOT_IMPLEMENTED);
    }

    @Override
    public void response(Http2Stream stream, ResponseHead head, boolean end) {
        log.append(head.status().code()).append(" [");
        head.headers().forEach(f -> log.append(f.name().toString().equals("date") ? "" : f.name()));
        log.append(']');
    }

    @Override
    public void data(Http2Stream stream, Buffer data, boolean end) {
        try (data) {
            stream.consumed(data.readableBytes());
            if (data.isReadable()) {
                log.append(' ').append(data.readString(ISO_8859_1));
            }
        }
        log.append(end ? " end" : "");
    }

    @Override
    public void trailers(Http2Stream stream, Headers trailers) {}

    @Override
    public void reset(Http2Stream stream, int code) {
        log.append(" reset ").append(code);
    }

    @Override
    public void send(Http2Stream stream) {}

    @Override
    public void failed(Http2Exception cause) {
        log.append(cause.getMessage());
    }
}
