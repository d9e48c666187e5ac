package io.weft.http.server.exchange;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.FileRegion;
import io.weft.eventloop.EventLoop;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.model.Version;
import io.weft.http.server.HttpServerLimits;
import io.weft.http.server.Upgrade;
import io.weft.testkit.TakenMemory;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Exchanges over a wire that is not HTTP/1.1: several at a time on one loop, without an order
/// among their answers, each with a window of its own.
class ExchangeTest {
    private final EmbeddedChannel channel = new EmbeddedChannel();
    private final List<String> log = new ArrayList<>();

    @AfterEach
    void everyBufferWasReleased() {
        channel.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// A stream of a multiplexing wire: it writes down frames instead of encoding them.
    private final class Stream implements ExchangeWire {
        private final int id;
        private final Exchange exchange;
        private final Turn turn;
        private long window = Long.MAX_VALUE;

        Stream(int id, Application application) {
            this.id = id;
            exchange = new Exchange(application, HttpServerLimits.DEFAULT.withBody(10), this);
            turn = new Turn(eventLoop(), exchange::pump);
        }

        void get(String path) {
            Request request =
                    Request.of(
                            Method.GET,
                            RequestTarget.of(path),
                            Version.HTTP_1_1,
                            Headers.EMPTY,
                            Body.empty());
            exchange.handle(request, request);
        }

        void openWindow(int bytes) {
            window += bytes;
            exchange.pump();
        }

        private void log(String frame) {
            log.add(id + " " + frame);
        }

        @Override
        public EventLoop eventLoop() {
            return channel.channel().eventLoop();
        }

        @Override
        public BufferAllocator allocator() {
            return BufferAllocator.pooled();
        }

        @Override
        public Turn turn() {
            return turn;
        }

        @Override
        public boolean head(Response response) {
            Body body = response.body();
            if (body instanceof Body.Tunnel) {
                log("head 200"); // RFC 8441, 5
                return false;
            }
            boolean stream = body instanceof Body.Stream;
            log("head " + response.status().code() + (stream ? "" : " " + body.asString()));
            return stream;
        }

        @Override
        public void data(Buffer piece) {
            try (piece) {
                window -= piece.readableBytes();
                log("data " + piece.readString(StandardCharsets.US_ASCII));
            }
        }

        @Override
        public void end(Headers trailers) {
            log("end");
        }

        @Override
        public void send() {}

        @Override
        public void sendSoon() {}

        @Override
        public boolean isWritable() {
            return window > 0;
        }

        @Override
        public void last() {}

        @Override
        public void answered() {
            log("answered");
        }

        @Override
        public boolean takesFiles() {
            return false;
        }

        @Override
        public void file(FileRegion region) {
            throw new AssertionError("takes no files");
        }

        @Override
        public void bodyWanted() {
            log("wants body");
        }

        @Override
        public void upgrade(Upgrade upgrade) {
            log("upgrade");
            try {
                upgrade.open(channel.channel());
            } catch (Exception e) {
                throw new IllegalStateException(e);
            }
        }

        @Override
        public void abort() {
            log("reset");
        }

        @Override
        public void giveUp(String what, Throwable cause) {
            log("gave up");
        }
    }

    @Test
    void answersInAnyOrder() {
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        Application async =
                new Application.Async(
                        _ -> {
                            answers.add(new CompletableFuture<>());
                            return answers.getLast();
                        });
        new Stream(1, async).get("/a");
        new Stream(3, async).get("/b");
        answers.get(1).complete(Response.text("b"));
        answers.get(0).complete(Response.text("a"));
        channel.runPending();
        assertThat(log).containsExactly("3 head 200 b", "3 answered", "1 head 200 a", "1 answered");
    }

    /// Digits, one a read.
    private static final class Digits implements BodySource {
        private int next;
        private boolean closed;

        @Override
        public Step read(Buffer out) {
            out.writeByte('0' + next);
            return ++next == 3 ? Step.END : Step.MORE;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static Application streaming(BodySource source) {
        return new Application.Direct(_ -> Response.of(Status.OK, Headers.EMPTY, Body.of(source)));
    }

    @Test
    void aWindowHoldsItsOwnStreamOnly() {
        Stream one = new Stream(1, streaming(new Digits()));
        one.window = 1;
        one.get("/");
        Stream two = new Stream(3, streaming(new Digits()));
        two.get("/");
        assertThat(log)
                .containsExactly(
                        "1 head 200",
                        "1 data 0",
                        "3 head 200",
                        "3 data 0",
                        "3 data 1",
                        "3 data 2",
                        "3 end",
                        "3 answered");
        log.clear();
        one.openWindow(2);
        assertThat(log).containsExactly("1 data 1", "1 data 2", "1 end", "1 answered");
    }

    @Test
    void aCancelledStreamGivesUpItsBodyAndItsAnswer() {
        Digits digits = new Digits();
        Stream one = new Stream(1, streaming(digits));
        one.window = 1;
        one.get("/");
        one.exchange.cancel();
        assertThat(digits.closed).isTrue();

        CompletableFuture<Response> answer = new CompletableFuture<>();
        Stream two = new Stream(3, new Application.Async(_ -> answer));
        two.get("/");
        two.exchange.cancel();
        answer.complete(Response.text("late"));
        channel.runPending();
        assertThat(log).containsExactly("1 head 200", "1 data 0");
    }

    @Test
    void collectedBodiesAreWholeHoweverTheyAreCut() {
        Application unasked = new Application.Async(_ -> new CompletableFuture<>());
        RequestBody body = new Stream(1, unasked).exchange.body();
        String text = "01234567";
        for (long announced : new long[] {-1, text.length()}) {
            for (int piece = 1; piece <= text.length(); piece++) {
                body.collect(announced);
                for (int at = 0; at < text.length(); at += piece) {
                    int end = Math.min(text.length(), at + piece);
                    assertThat(body.add(ascii(text.substring(at, end)))).isTrue();
                }
                assertThat(body.take().asString()).isEqualTo(text);
                assertThat(body.take()).isSameAs(Body.empty());
            }
        }
    }

    @Test
    void bodyBeyondItsLengthOrItsLimitIsRefused() {
        Application unasked = new Application.Async(_ -> new CompletableFuture<>());
        RequestBody body = new Stream(1, unasked).exchange.body();
        body.collect(4);
        assertThat(body.add(ascii("0123"))).isTrue();
        assertThat(body.add(ascii("4"))).isFalse();
        assertThat(body.take().asString()).isEqualTo("0123");
        body.collect(-1);
        assertThat(body.add(ascii("01234567"))).isTrue();
        assertThat(body.add(ascii("890"))).isFalse(); // of 10
        assertThat(body.take().asString()).isEqualTo("01234567");
    }

    @Test
    void bodyThatThereIsNoMemoryForIsRefusedAsThat() {
        Application unasked = new Application.Async(_ -> new CompletableFuture<>());
        RequestBody body = new Stream(1, unasked).exchange.body();
        body.collect(-1);
        Buffer piece = ascii("01234");
        try (TakenMemory _ = TakenMemory.all()) {
            assertThat(body.add(piece)).isFalse();
            assertThat(body.refusal()).isEqualTo(Status.SERVICE_UNAVAILABLE);
        }
        body.collect(-1);
        assertThat(body.add(ascii("0123456789x"))).isFalse();
        assertThat(body.refusal()).isEqualTo(Status.CONTENT_TOO_LARGE);
    }

    @Test
    @Warns
    void aBodyThatFailsResetsItsStream() {
        BodySource failing =
                _ -> {
                    throw new IllegalStateException("on purpose");
                };
        new Stream(1, streaming(failing)).get("/");
        assertThat(log).containsExactly("1 head 200", "1 reset");
    }

    @Test
    void anUpgradeGetsTheChannelOfItsStream() {
        List<Object> opened = new ArrayList<>();
        Application application =
                new Application.Direct(_ -> Upgrade.to("x", Headers.EMPTY, opened::add));
        new Stream(1, application).get("/");
        assertThat(log).containsExactly("1 head 200", "1 upgrade");
        assertThat(opened).containsExactly(channel.channel());
    }

    /// A slow handler must not hold receive buffers.
    @Test
    void aPieceIsGivenUpHoweverMuchOfItAWaitingReaderTakes() throws Exception {
        Application unasked = new Application.Async(_ -> new CompletableFuture<>());
        RequestBody body = new Stream(1, unasked).exchange.body();
        for (int room : new int[] {0, 1, 5, 6}) {
            BodySource source = ((Body.Stream) body.stream(-1)).source();
            try (Buffer out = BufferAllocator.pooled().allocate(6)) {
                source.onWake(
                        () -> {
                            try (Buffer some = BufferAllocator.pooled().allocate(room)) {
                                source.read(some);
                                out.writeBytes(some);
                            } catch (IOException e) {
                                throw new UncheckedIOException(e);
                            }
                        });
                assertThat(source.read(out)).isEqualTo(BodySource.Step.WAIT);
                Buffer piece = ascii("abcdef");
                boolean _ = body.add(piece.retain());
                assertThat(piece.release()).isTrue();
                source.read(out);
                assertThat(out.readString(StandardCharsets.US_ASCII)).isEqualTo("abcdef");
            }
            source.close();
        }
    }

    @Test
    void collectsABodyUpToTheLimit() {
        Stream one = new Stream(1, new Application.Direct(_ -> Response.text("hello")));
        assertThat(one.exchange.allows(11)).isFalse();
        assertThat(one.exchange.allows(-1)).isTrue();
        assertThat(one.exchange.body().add(ascii("01234"))).isTrue();
        assertThat(one.exchange.body().add(ascii("56789"))).isTrue();
        assertThat(one.exchange.body().add(ascii("x"))).isFalse();
        assertThat(one.exchange.body().take().asString()).isEqualTo("0123456789");
    }

    private static Buffer ascii(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }
}
