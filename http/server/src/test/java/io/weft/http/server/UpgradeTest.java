package io.weft.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class UpgradeTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String UPGRADE =
            "GET /up HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: foo, echo\r\n\r\n";
    private static final String SWITCHED =
            "HTTP/1.1 101 Switching Protocols\r\nconnection: upgrade\r\nupgrade: echo\r\n\r\n";

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

    private static void echo(Channel channel) {
        channel.pipeline().addLast(new Echo());
    }

    private static Response answer(Request request) {
        if (request.method() == Method.CONNECT) {
            return Upgrade.connected(UpgradeTest::echo);
        }
        return request.path().equals("/up")
                ? Upgrade.to("echo", Headers.EMPTY, UpgradeTest::echo)
                : Response.text(request.path());
    }

    private static EmbeddedChannel connection(Application application) {
        return Http1Channels.of(application);
    }

    private static EmbeddedChannel direct() {
        return connection(new Application.Direct(UpgradeTest::answer));
    }

    private static String withoutDate(String responses) {
        return responses.replaceAll("date: [^\r]*\r\n", "");
    }

    @Test
    void theProtocolGetsWhatCameBehindTheHead() {
        try (EmbeddedChannel channel = direct()) {
            channel.receive(UPGRADE + "one");
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(SWITCHED + "<one>");
            channel.receive("two");
            assertThat(channel.takeOutboundText()).isEqualTo("<two>");
            assertThat(channel.pipeline().names()).containsExactly("Echo");
            channel.receiveEnd();
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void theProtocolGetsTheSameHoweverTheBytesAreCut() {
        String asked = UPGRADE + "behind";
        for (int cut = 1; cut < asked.length(); cut++) {
            try (EmbeddedChannel channel = direct()) {
                channel.receive(asked.substring(0, cut)).receive(asked.substring(cut));
                assertThat(channel.takeOutboundText().replaceAll("[<>]", "")).endsWith("\nbehind");
            }
        }
    }

    @Test
    void answersToEarlierRequestsAreSentFirst() {
        CompletableFuture<Response> first = new CompletableFuture<>();
        Application application =
                new Application.Async(
                        request ->
                                request.path().equals("/a")
                                        ? first
                                        : CompletableFuture.completedFuture(answer(request)));
        try (EmbeddedChannel channel = connection(application)) {
            channel.receive(GET + UPGRADE + "x");
            assertThat(channel.takeOutboundText()).isEmpty();
            first.complete(Response.text("late"));
            channel.runPending();
            assertThat(withoutDate(channel.takeOutboundText()))
                    .contains("late" + SWITCHED)
                    .endsWith("<x>");
        }
    }

    @Test
    void anAsynchronousHandlerMayUpgrade() {
        CompletableFuture<Response> later = new CompletableFuture<>();
        try (EmbeddedChannel channel = connection(new Application.Async(_ -> later))) {
            channel.receive(UPGRADE).receive("x");
            later.complete(Upgrade.to("echo", Headers.EMPTY, UpgradeTest::echo));
            channel.runPending();
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(SWITCHED + "<x>");
        }
    }

    @Test
    void connectBeginsATunnel() {
        try (EmbeddedChannel channel = direct()) {
            channel.receive("CONNECT a:80 HTTP/1.1\r\nHost: a:80\r\n\r\n" + GET);
            assertThat(withoutDate(channel.takeOutboundText()))
                    .isEqualTo("HTTP/1.1 200 OK\r\n\r\n<" + GET + ">");
        }
    }

    @Test
    void noDeadlineOfHttpEndsTheProtocol() {
        try (EmbeddedChannel channel = direct()) {
            channel.receive(UPGRADE).advance(Duration.ofHours(1)).receive("x");
            assertThat(channel.takeOutboundText()).endsWith("<x>");
        }
    }

    @Test
    void theEndOfInputIsToldBehindTheLastBytes() {
        CompletableFuture<Response> later = new CompletableFuture<>();
        try (EmbeddedChannel channel = connection(new Application.Async(_ -> later))) {
            channel.receive(UPGRADE + "x").receiveEnd();
            later.complete(Upgrade.to("echo", Headers.EMPTY, UpgradeTest::echo));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("<x>");
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @Warns
    @ValueSource(
            strings = {
                "GET /up HTTP/1.1\r\nHost: x\r\n\r\n",
                "GET /up HTTP/1.1\r\nHost: x\r\nUpgrade: echo\r\n\r\n",
                "GET /up HTTP/1.1\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: foo\r\n\r\n",
                "GET /up HTTP/1.0\r\nHost: x\r\nConnection: upgrade\r\nUpgrade: echo\r\n\r\n"
            })
    void aProtocolThatTheClientDidNotNameIsRefused(String request) {
        try (EmbeddedChannel channel = direct()) {
            channel.receive(request);
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 500 ")
                    .contains("connection: close");
        }
    }

    @Test
    @Warns
    void aProtocolThatFailsToOpenIsCutOff() {
        Application failing =
                new Application.Direct(
                        _ ->
                                Upgrade.to(
                                        "echo",
                                        Headers.EMPTY,
                                        _ -> {
                                            throw new IllegalStateException("on purpose");
                                        }));
        try (EmbeddedChannel channel = connection(failing)) {
            channel.receive(UPGRADE + "x");
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void aProtocolMayCloseAtOnce() {
        Application closing =
                new Application.Direct(
                        _ -> Upgrade.to("echo", Headers.EMPTY, channel -> channel.close()));
        try (EmbeddedChannel channel = connection(closing)) {
            channel.receive(UPGRADE);
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 101 ");
            channel.receiveEnd();
            assertThat(channel.isClosed()).isTrue();
        }
    }
}
