package io.weft.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.RequestHead;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// CONNECT and extended CONNECT (RFC 8441): a stream becomes a channel for a protocol.
class Http2TunnelTest {
    private final Http2Client client = Http2Client.of(this::answer);
    private @Nullable Channel tunnel;

    @AfterEach
    void everyBufferWasReleased() {
        client.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Sends back what it gets, in brackets.
    private static final class Echo implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                String text = "<" + in.readString(US_ASCII) + ">";
                ctx.write(ctx.channel().allocator().allocate(text.length()).writeAscii(text));
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            ctx.flush();
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            ctx.close();
        }
    }

    private Response answer(Request request) {
        Upgrade echo =
                channel -> {
                    tunnel = channel;
                    channel.pipeline().addLast(new Echo());
                };
        if (request.target().toString().startsWith("refused")) {
            return Response.text("no").withStatus(Status.FORBIDDEN);
        }
        if (request.method() == Method.CONNECT) {
            return Upgrade.connected(echo);
        }
        return request.headers().containsToken(HeaderName.UPGRADE, "echo")
                ? Upgrade.to("echo", Headers.EMPTY, echo)
                : Response.text("a page");
    }

    private Http2Stream upgrade(String protocol) {
        return client.h2.request(
                new RequestHead(
                        Method.CONNECT,
                        "http",
                        RequestTarget.of("/up"),
                        protocol,
                        Headers.of("host", "weft.test"),
                        -1),
                false);
    }

    @Test
    void connectBeginsATunnel() {
        Http2Stream stream = client.connect("weft.test:443");
        Http2Client.data(stream, "early", false);
        client.run();
        Http2Client.data(stream, "late", false);
        client.run();
        Http2Client.data(stream, "last", true);
        client.run();
        assertThat(client.log)
                .containsExactly("1 200", "1 <early>", "1 <late>", "1 <last>", "1  end");
    }

    @Test
    void refusalOfATunnelHasContent() {
        client.connect("refused.test:443");
        client.run();
        assertThat(client.log).containsExactly("1 403", "1 no end");
    }

    @Test
    void extendedConnectBeginsTheProtocolThatItNames() {
        Http2Stream stream = upgrade("echo");
        client.run();
        Http2Client.data(stream, "hello", false);
        client.get("/page");
        client.run();
        assertThat(client.log).contains("1 200", "1 <hello>", "3 200", "3 a page end");
    }

    @Test
    void protocolThatNobodyServesIsNotImplemented() {
        upgrade("other");
        client.run();
        assertThat(client.log).containsExactly("1 501 end");
    }

    @Test
    void resetOfTheStreamClosesItsChannel() {
        Http2Stream stream = upgrade("echo");
        client.run();
        assertThat(tunnel).isNotNull();
        assertThat(tunnel.isActive()).isTrue();
        stream.reset(ErrorCode.CANCEL);
        client.run();
        assertThat(tunnel.isOpen()).isFalse();
    }

    @Test
    void closeOfTheChannelEndsItsStreamAlone() {
        Http2Stream stream = upgrade("echo");
        client.run();
        Http2Client.data(stream, "x", false);
        client.run();
        assertThat(tunnel).isNotNull();
        tunnel.close();
        client.run();
        assertThat(client.log).endsWith("1 <x>", "1  end");
        stream.end();
        client.run();
        assertThat(tunnel.isOpen()).isFalse();
        client.get("/");
        client.run();
        assertThat(client.log).endsWith("3 a page end");
    }

    @Test
    void tunnelThatIsNotReadStopsTheClient() {
        Http2Stream stream = upgrade("echo");
        client.run();
        assertThat(tunnel).isNotNull();
        tunnel.autoRead(false);
        int sent = 0;
        while (stream.room() > 0 && sent < 1 << 20) {
            sent += stream.room();
            Http2Client.data(stream, "x".repeat(stream.room()), false);
            client.run();
        }
        assertThat(sent).isLessThan(200_000);
        tunnel.autoRead(true);
        client.run();
        assertThat(client.received).isGreaterThan(sent);
    }

    /// A frame of one byte comes in a receive buffer of its own, which is not kept for it.
    @Test
    void tunnelThatIsNotReadHoldsBytesAndNotReceiveBuffers() {
        Http2Stream stream = upgrade("echo");
        client.run();
        assertThat(tunnel).isNotNull();
        tunnel.autoRead(false);
        assertThat(heldFor(client, stream, 1000)).isLessThan(64 << 10);
        tunnel.autoRead(true);
        client.run();
        assertThat(client.log).containsExactly("1 200", "1 1002 bytes");
    }

    @Test
    void tunnelThatIsNotAnsweredHoldsBytesAndNotReceiveBuffers() {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try (Http2Client early = new Http2Client(new Application.Async(_ -> answer, false))) {
            Http2Stream stream = early.connect("weft.test:443");
            early.run();
            assertThat(heldFor(early, stream, 1000)).isLessThan(64 << 10);
            answer.complete(Upgrade.connected(ch -> ch.pipeline().addLast(new Echo())));
            early.run();
            assertThat(early.log).containsExactly("1 200", "1 1002 bytes");
        }
    }

    @Test
    @Warns
    void answerThatIsCutOffGivesUpWhatArrivedForATunnel() {
        BodySource broken =
                _ -> {
                    throw new IOException("on purpose");
                };
        Response answer = Response.of(Status.FORBIDDEN).withBody(Body.of(broken));
        try (Http2Client early = Http2Client.of(_ -> answer)) {
            Http2Client.data(early.connect("weft.test:443"), "early", false);
            early.run();
            assertThat(early.log).containsExactly("1 403", "1 reset INTERNAL_ERROR");
        }
    }

    /// Sends frames of a byte, and returns what the server holds of them.
    private static long heldFor(Http2Client client, Http2Stream stream, int frames) {
        long before = BufferAllocator.pooled().metrics().used();
        for (int i = 0; i < frames; i++) {
            Http2Client.data(stream, "x", false);
            Buffer received = BufferAllocator.pooled().allocate(16 << 10);
            received.writeBytes(client.out);
            client.out.release();
            client.out = BufferAllocator.pooled().allocate(256);
            client.channel.receive(received);
            client.channel.runPending();
        }
        return BufferAllocator.pooled().metrics().used() - before;
    }
}
