package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOptions;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.FrameEncoder;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.Setting;
import io.weft.http.http2.Settings;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.function.IntConsumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Attacks on a connection of the server, each of which a real server fell to. The attacker is cut
/// off with ENHANCE_YOUR_CALM when its budget is spent, and not before.
class Http2FloodTest {
    private final AtomicInteger handled = new AtomicInteger();
    private final Application never =
            new Application.Async(
                    _ -> {
                        handled.incrementAndGet();
                        return new CompletableFuture<>();
                    });
    private Http2Client client = new Http2Client(never);

    /// No attack makes the server say more than four times what it hears, besides the content that
    /// was asked for and the first settings of both sides.
    @AfterEach
    void answersAreBoundedByWhatWasSent() {
        assertThat(client.bytesFromServer - client.received)
                .isLessThanOrEqualTo(256 + 4 * client.bytesToServer);
    }

    @AfterEach
    void everyBufferWasReleased() {
        client.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void use(Application application, Http2Limits own) {
        client.close();
        client = new Http2Client(application, HttpServerLimits.DEFAULT, own);
    }

    private void send(Consumer<Buffer> frames) {
        client.raw(
                () -> {
                    Buffer out = BufferAllocator.pooled().allocate(64);
                    frames.accept(out);
                    return out;
                });
    }

    /// Repeats an attack until it is cut off.
    ///
    /// @return how often
    private int untilCut(int most, IntConsumer attack) {
        for (int i = 0; i < most; i++) {
            attack.accept(i);
            if (client.channel.isOutputShutdown() || client.channel.isClosed()) {
                return i + 1;
            }
        }
        return most;
    }

    private void assertCalmed() {
        assertThat(client.log).last().asString().startsWith("goaway").endsWith("ENHANCE_YOUR_CALM");
    }

    @Test
    void rapidReset() {
        int streams =
                untilCut(
                        10_000,
                        _ -> {
                            client.get("/").reset(ErrorCode.CANCEL);
                            client.run();
                        });
        assertThat(streams).isBetween(100, 110);
        assertThat(handled).hasValueLessThan(110);
        assertCalmed();
    }

    @Test
    void resetsAtALowRateAreNoAttack() {
        int streams =
                untilCut(
                        300,
                        _ -> {
                            client.get("/").reset(ErrorCode.CANCEL);
                            client.run();
                            client.channel.advance(Duration.ofMillis(500));
                        });
        assertThat(streams).isEqualTo(300);
    }

    /// MadeYouReset (CVE-2025-55163): errors of streams make the server send RST_STREAM. Some of
    /// them end the connection at once.
    @ParameterizedTest
    @EnumSource
    void resetsThatTheServerIsMadeToSend(MadeYouReset error) {
        int streams =
                untilCut(
                        10_000,
                        _ -> {
                            Http2Stream stream =
                                    client.post("/", Headers.of("content-length", "1"));
                            client.run();
                            send(out -> error.write(stream.id(), out));
                        });
        assertThat(streams).isLessThan(110);
        assertThat(handled).hasValueLessThan(110);
        assertThat(client.log).last().asString().startsWith("goaway");
    }

    enum MadeYouReset {
        WINDOW_OF_NOTHING,
        WINDOW_OVERFLOW,
        SHORT_PRIORITY,
        PRIORITY_OF_ITSELF,
        CONTENT_TOO_LONG,
        CONTENT_TOO_SHORT,
        HEADERS_WITHOUT_END,
        RESET_WITH_A_REST;

        void write(int stream, Buffer out) {
            switch (this) {
                case WINDOW_OF_NOTHING -> FrameEncoder.windowUpdate(stream, 0, out);
                case WINDOW_OVERFLOW -> FrameEncoder.windowUpdate(stream, Integer.MAX_VALUE, out);
                case SHORT_PRIORITY -> frame(1, 2, 0, stream, out).writeByte(0);
                case PRIORITY_OF_ITSELF ->
                        frame(5, 2, 0, stream, out).writeInt(stream).writeByte(0);
                case CONTENT_TOO_LONG -> frame(2, 0, 1, stream, out).writeShort(0);
                case CONTENT_TOO_SHORT -> frame(0, 0, 1, stream, out);
                case HEADERS_WITHOUT_END -> frame(1, 1, 4, stream, out).writeByte(0x84);
                case RESET_WITH_A_REST -> frame(5, 3, 0, stream, out).writeInt(8).writeByte(0);
            }
        }

        private static Buffer frame(int length, int type, int flags, int stream, Buffer out) {
            return out.writeMedium(length).writeByte(type).writeByte(flags).writeInt(stream);
        }
    }

    @Test
    void streamsBeyondTheLimitAreRefusedAndCounted() {
        int streams =
                untilCut(
                        10_000,
                        i -> send(out -> headers(2 * i + 1, out))); // past the client's limit
        assertThat(streams).isBetween(200, 210);
        assertThat(handled).hasValue(100);
    }

    /// GET http / of weft, by entries of the static table and a literal.
    private static void headers(int stream, Buffer out) {
        try (Buffer block = Http2Client.bytes("\u0082\u0086\u0084\u0001\u0004weft")) {
            FrameEncoder.headers(stream, true, block, 16_384, out);
        }
    }

    @Test
    void pings() {
        int pings = untilCut(10_000, i -> send(out -> FrameEncoder.ping(false, i, out)));
        assertThat(pings).isBetween(490, 510);
        assertCalmed();
    }

    @Test
    void goAways() {
        int frames =
                untilCut(
                        10_000,
                        _ -> send(out -> FrameEncoder.goAway(0, ErrorCode.NO_ERROR, "", out)));
        assertThat(frames).isBetween(8, 12);
        assertCalmed();
    }

    @Test
    void settings() {
        Settings change = Settings.EMPTY.with(Setting.INITIAL_WINDOW_SIZE, 1000);
        int frames = untilCut(10_000, _ -> send(out -> FrameEncoder.settings(change, out)));
        assertThat(frames).isBetween(40, 60);
        assertCalmed();
    }

    @Test
    void emptyData() {
        Http2Stream stream = client.post("/", Headers.EMPTY);
        client.run();
        int frames =
                untilCut(
                        10_000,
                        _ -> send(out -> FrameEncoder.dataHeader(stream.id(), 0, false, out)));
        assertThat(frames).isBetween(5, 15);
        assertCalmed();
    }

    @Test
    void unknownFrames() {
        int frames =
                untilCut(
                        10_000,
                        _ -> send(out -> out.writeMedium(0).writeShort(0x2000).writeInt(0)));
        assertThat(frames).isBetween(190, 210);
        assertCalmed();
    }

    @Test
    void continuationsWithoutEnd() {
        int frames =
                untilCut(
                        1000,
                        i ->
                                send(
                                        out -> {
                                            // HEADERS without END_HEADERS, then CONTINUATION
                                            out.writeMedium(1).writeByte(i == 0 ? 1 : 9);
                                            out.writeByte(0).writeInt(1).writeByte(0x82);
                                        }));
        assertThat(frames).isEqualTo(Http2Limits.DEFAULT.continuations() + 2);
        assertCalmed();
    }

    /// One entry of the table as large as it gets, then thousands of references to it.
    @Test
    void headerBomb() {
        StringBuilder fields = new StringBuilder("\u0082\u0086\u0084\u0001\u0004weft");
        fields.append("@\u0001x\u007f").append((char) (0x80 | (3000 - 127) % 128));
        fields.append((char) ((3000 - 127) / 128)).append("v".repeat(3000));
        fields.append("\u00be".repeat(12_000));
        send(
                out -> {
                    try (Buffer block = Http2Client.bytes(fields.toString())) {
                        FrameEncoder.headers(1, true, block, 16_384, out);
                    }
                });
        // It is answered, by 431, on a stream that the client's machine does not know.
        assertThat(client.log)
                .containsExactly("failed HEADERS: stream 1 is idle (expected: an open one, 5.1)");
        assertThat(handled).hasValue(0);
    }

    @Test
    void headsThatAreTooLarge() {
        Headers large = Headers.of("x", "y".repeat(17_000));
        int heads =
                untilCut(
                        10_000,
                        _ -> {
                            client.h2.request(Http2Client.head(Method.GET, "/", large), true);
                            client.run();
                        });
        assertThat(heads).isBetween(100, 110);
        assertThat(handled).hasValue(0);
        assertCalmed();
    }

    /// Decoding and dropping one may take as long as answering many small requests: others get their
    /// turn behind each.
    @Test
    void headsThatAreTooLargeEndTurns() {
        AtomicInteger flushes = new AtomicInteger();
        client.channel
                .pipeline()
                .addFirst(
                        "flushes",
                        new ChannelHandler() {
                            @Override
                            public void flush(ChannelHandlerContext ctx) {
                                flushes.incrementAndGet();
                                ctx.flush();
                            }
                        });
        Headers large = Headers.of("x", "y".repeat(17_000));
        for (int i = 0; i < 40; i++) {
            client.h2.request(Http2Client.head(Method.GET, "/", large), true);
        }
        client.run();
        assertThat(client.log).hasSize(40).allMatch(line -> line.endsWith(" 431 end"));
        assertThat(flushes.get()).isBetween(40, 42);
    }

    @Test
    void windowThatOpensByOneByte() {
        Body.Bytes large = Body.of(new byte[100_000]);
        use(
                new Application.Direct(_ -> Response.of(Status.OK, Headers.EMPTY, large)),
                Http2Limits.DEFAULT.withWindows(1, 65_535));
        client.consumes = false;
        Http2Stream stream = client.get("/");
        client.run();
        int updates =
                untilCut(10_000, _ -> send(out -> FrameEncoder.windowUpdate(stream.id(), 1, out)));
        assertThat(updates).isBetween(990, 1010);
    }

    @Test
    void windowThatNeverOpens() {
        Body.Bytes large = Body.of(new byte[100_000]);
        use(
                new Application.Direct(_ -> Response.of(Status.OK, Headers.EMPTY, large)),
                Http2Limits.DEFAULT);
        client.consumes = false;
        client.get("/");
        client.run();
        client.channel.advance(Duration.ofSeconds(29));
        assertThat(client.take()).isFalse();
        client.channel.advance(Duration.ofSeconds(2));
        client.take();
        assertThat(client.log).contains("goaway 1 ENHANCE_YOUR_CALM");
    }

    /// The client sends and reads nothing: answers must not pile up.
    @Test
    void pingsWhoseAnswersAreNotRead() {
        client.channel.limitWindow(0);
        long most = 0;
        for (int i = 0; i < 100; i++) {
            send(
                    out -> {
                        for (int k = 0; k < 1000; k++) {
                            FrameEncoder.ping(false, k, out);
                        }
                    });
            most = Math.max(most, client.channel.channel().pendingBytes());
        }
        assertThat(most).isLessThan(256 << 10);
    }

    @Test
    void requestsWhoseAnswersAreNotRead() {
        use(new Application.Direct(_ -> Response.text("x".repeat(1000))), Http2Limits.DEFAULT);
        client.channel.limitWindow(0);
        for (int i = 0; i < 5000; i++) {
            int id = 2 * i + 1;
            send(out -> headers(id, out));
        }
        assertThat(client.channel.channel().pendingBytes()).isLessThan(256 << 10);
    }

    @Test
    void bodyThatComesTooSlowly() {
        use(new Application.Direct(_ -> Response.text("no")), Http2Limits.DEFAULT);
        client.post("/", Headers.EMPTY);
        client.run();
        client.channel.advance(Duration.ofSeconds(12));
        client.run();
        assertThat(client.log).startsWith("1 408 end");
    }

    @Test
    void streamedBodyThatComesTooSlowly() {
        use(
                new Application.Async(
                        r -> r.body().collect(500).thenApply(b -> Response.text(b.asString())),
                        true),
                Http2Limits.DEFAULT);
        client.post("/", Headers.EMPTY);
        client.run();
        client.channel.advance(Duration.ofSeconds(12));
        client.run();
        assertThat(client.log).startsWith("1 408 end");
    }

    @Test
    void connectionWithoutRequests() {
        client.channel.advance(Duration.ofSeconds(62));
        assertThat(client.channel.isOutputShutdown()).isTrue();
    }

    @Test
    void prefaceWithoutSettings() {
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT,
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new Http1Connection(
                                                        new ServerLoop(
                                                                never,
                                                                HttpServerLimits.DEFAULT,
                                                                new Sweeper(ch.eventLoop())),
                                                        true)))) {
            channel.receive("PRI * HTTP/2.0\r\n\r\n");
            channel.advance(Duration.ofSeconds(5)).receive("SM\r\n\r\n");
            channel.advance(Duration.ofSeconds(9));
            assertThat(channel.isOutputShutdown()).isFalse();
            channel.advance(Duration.ofSeconds(2));
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }
}
