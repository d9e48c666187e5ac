package io.weft.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.io.InputStream;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Bodies of requests that their handlers read while they come in.
class StreamedBodyTest {
    private static final HttpServerLimits LIMITS =
            HttpServerLimits.DEFAULT.withBody(1000).withStreamedBody(1 << 20);
    private static final String GET = "GET /next HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String CHUNKED =
            "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n";

    private final List<Request> requests = new ArrayList<>();
    private final List<CompletableFuture<Response>> answers = new ArrayList<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String post(int length) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: " + length + "\r\n\r\n";
    }

    private static EmbeddedChannel connection(Application application) {
        return Http1Channels.of(application, LIMITS);
    }

    private static EmbeddedChannel streaming(AsyncHttpHandler handler) {
        return connection(new Application.Async(handler, true));
    }

    /// Answers when the test does.
    private EmbeddedChannel waiting() {
        return streaming(
                request -> {
                    requests.add(request);
                    answers.add(new CompletableFuture<>());
                    return answers.getLast();
                });
    }

    private static CompletionStage<Response> collecting(Request request) {
        return request.body().collect(500).thenApply(body -> Response.text(body.asString()));
    }

    private static String bodies(String responses) {
        return responses.replaceAll("HTTP[^_]*?\r\n\r\n", "|");
    }

    private void answer(EmbeddedChannel channel, Response response) {
        answers.removeFirst().complete(response);
        channel.runPending();
    }

    private String read(EmbeddedChannel channel) throws Exception {
        try (Buffer out = BufferAllocator.pooled().allocate(64 << 10)) {
            ((Body.Stream) requests.getLast().body()).source().read(out);
            channel.runPending();
            return out.readString(US_ASCII);
        }
    }

    @Test
    void anEchoSendsWhatItGot() {
        String large = "0123456789".repeat(2_000);
        try (EmbeddedChannel channel =
                streaming(
                        request ->
                                CompletableFuture.completedFuture(
                                        Response.of(Status.OK, Headers.EMPTY, request.body())))) {
            channel.receive(post(60_003)).receive("abc").receive(large);
            channel.receive(large).receive(large);
            channel.runPending();
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|abc" + large.repeat(3));
            channel.receive(CHUNKED).receive("3\r\nabc\r\n").receive("4e20\r\n" + large + "\r\n");
            channel.receive("0\r\n\r\n");
            channel.runPending();
            assertThat(channel.takeOutboundText())
                    .contains("3\r\nabc\r\n")
                    .contains(large)
                    .endsWith("\r\n0\r\n\r\n");
        }
    }

    /// It is the client's fault, and none of the server that would have to be logged.
    @Test
    void aClientThatEndsWithinTheBodyGets400() {
        try (EmbeddedChannel channel = streaming(StreamedBodyTest::collecting)) {
            channel.receive(post(6)).receive("abc").receiveEnd();
            channel.runPending();
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 400 ");
        }
    }

    /// RFC 9112, 8: the request is incomplete, whatever its handler does meanwhile.
    @Test
    void aClientThatEndsWithinABodyThatNobodyReadsIsNotKept() {
        for (int length : new int[] {3, 100_000}) {
            try (EmbeddedChannel channel = waiting()) {
                channel.receive(post(200_000)).receive("x".repeat(length)).receiveEnd();
                channel.runPending();
                assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 400 ");
                assertThat(channel.isClosed()).isTrue();
                assertThatThrownBy(() -> read(channel)).hasMessageContaining("the client ended");
                answer(channel, Response.text("late"));
                assertThat(channel.takeOutboundText()).isEmpty();
            }
        }
    }

    @Test
    void aClientThatEndsBehindAWholeBodyIsAnswered() {
        String chunk = "1f400\r\n" + "x".repeat(128_000) + "\r\n0\r\n\r\n";
        for (String request : List.of(post(128_000) + "x".repeat(128_000), CHUNKED + chunk)) {
            try (EmbeddedChannel channel = waiting()) {
                channel.receive(request).receiveEnd();
                channel.runPending();
                assertThat(channel.isClosed()).isFalse();
                answer(channel, Response.text("one"));
                assertThat(bodies(channel.takeOutboundText())).isEqualTo("|one");
            }
        }
    }

    /// The handler has said that it does without the body.
    @Test
    void aClientThatEndsWithinAClosedBodyIsAnswered() throws Exception {
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(post(6)).receive("abc");
            ((Body.Stream) requests.getLast().body()).source().close();
            channel.runPending();
            channel.receiveEnd();
            answer(channel, Response.text("one"));
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|one");
        }
    }

    @Test
    void aHandlerIsCalledWhenTheHeadIsThere() throws Exception {
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(post(6));
            assertThat(requests).hasSize(1);
            assertThat(requests.getFirst().body().length()).isEqualTo(6);
            channel.receive("abc");
            assertThat(read(channel)).isEqualTo("abc");
            channel.receive("def" + GET);
            assertThat(read(channel)).isEqualTo("def");
            answer(channel, Response.text("one"));
            answer(channel, Response.text("two"));
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|one|two");
        }
    }

    @Test
    void collectsABodyHoweverItIsCut() {
        String asked = CHUNKED + "3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n" + post(2) + "fg" + GET;
        for (int cut = 1; cut < asked.length(); cut++) {
            try (EmbeddedChannel channel = streaming(StreamedBodyTest::collecting)) {
                channel.receive(asked.substring(0, cut)).receive(asked.substring(cut));
                assertThat(bodies(channel.takeOutboundText())).isEqualTo("|abcde|fg|");
            }
        }
    }

    @Test
    void trailersAreThereBehindTheBody() throws Exception {
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(CHUNKED + "1\r\na\r\n0\r\nx-sum: 1\r\n\r\n");
            assertThat(read(channel)).isEqualTo("a");
            Body.Stream body = (Body.Stream) requests.getFirst().body();
            assertThat(body.source().trailers().first("x-sum")).isEqualTo("1");
        }
    }

    @Test
    void aBodyThatIsNotReadStopsTheConnection() throws Exception {
        String megabyte = "x".repeat(1 << 20);
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(post(1 << 20));
            int sent = 0;
            while (!channel.channel().isReadingSuspended()) {
                channel.receive(megabyte.substring(sent, sent + 4096));
                sent += 4096;
            }
            assertThat(sent).isBetween(64 << 10, 140 << 10);
            int read = 0;
            while (channel.channel().isReadingSuspended()) {
                read += read(channel).length();
            }
            channel.receive(megabyte.substring(sent));
            while (read < 1 << 20) {
                read += read(channel).length();
            }
            answer(channel, Response.text("done"));
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|done");
        }
    }

    @Test
    void theEndOfABodyThatHadToWaitIsTold() throws Exception {
        String asked = post(65_536) + "x".repeat(65_536);
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(asked);
            assertThat(read(channel)).hasSize(65_536);
            try (Buffer out = BufferAllocator.pooled().allocate(1)) {
                BodySource source = ((Body.Stream) requests.getFirst().body()).source();
                assertThat(source.read(out)).isEqualTo(BodySource.Step.END);
            }
            answer(channel, Response.text("done"));
            channel.receive(GET);
            answer(channel, Response.text("next"));
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|done|next");
        }
    }

    @Test
    void theAnswerMayBeTheBody() {
        AsyncHttpHandler echo =
                request ->
                        CompletableFuture.completedFuture(
                                Response.of(Status.OK, Headers.EMPTY, request.body()));
        try (EmbeddedChannel channel = streaming(echo)) {
            channel.receive(post(200_000));
            for (int i = 0; i < 20; i++) {
                channel.receive("y".repeat(10_000));
                channel.runPending();
            }
            assertThat(channel.takeOutboundText())
                    .doesNotContain("connection: close")
                    .endsWith("y".repeat(200_000));
            channel.receive(post(1) + "z");
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("\r\n\r\nz");
        }
    }

    @Test
    void aBodyIsAskedForWhenItIsRead() throws Exception {
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(post(3).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"));
            channel.advance(Duration.ofSeconds(20));
            assertThat(channel.takeOutboundText()).isEmpty();
            assertThat(read(channel)).isEmpty();
            assertThat(channel.takeOutboundText()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            channel.receive("abc");
            assertThat(read(channel)).isEqualTo("abc");
            answer(channel, Response.text("thanks"));
            assertThat(channel.takeOutboundText())
                    .doesNotContain("connection: close")
                    .endsWith("thanks");
        }
    }

    @Test
    void aBodyThatIsNeverReadIsNotAskedFor() {
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(post(3).replace("\r\n\r\n", "\r\nExpect: 100-continue\r\n\r\n"));
            answer(channel, Response.of(Status.FORBIDDEN));
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 403 ")
                    .contains("connection: close");
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void aShortBodyThatWasNotReadIsDropped() {
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(post(1000) + "x".repeat(10));
            answer(channel, Response.text("one"));
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|one");
            channel.receive("x".repeat(990) + GET);
            answer(channel, Response.text("two"));
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|two");
        }
    }

    @Test
    void aLongBodyThatWasNotReadEndsTheConnection() {
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(post(100_000) + "x".repeat(10));
            answer(channel, Response.text("one"));
            assertThat(channel.takeOutboundText()).contains("connection: close").endsWith("one");
            assertThat(channel.isOutputShutdown()).isTrue();
        }
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(CHUNKED);
            answer(channel, Response.text("one"));
            assertThat(channel.isOutputShutdown()).isFalse();
            channel.receive("20000\r\n" + "x".repeat(0x20000));
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void tooLongABodyIsRefused() {
        try (EmbeddedChannel channel = streaming(StreamedBodyTest::collecting)) {
            channel.receive(post((1 << 20) + 1));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 413 ");
        }
        try (EmbeddedChannel channel = streaming(StreamedBodyTest::collecting)) {
            channel.receive(post(501) + "x".repeat(501));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 413 ");
        }
        try (EmbeddedChannel channel = streaming(StreamedBodyTest::collecting)) {
            channel.receive(CHUNKED + "1f5\r\n" + "x".repeat(501));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void aHandlerHearsOfABodyThatExceedsTheLimit() {
        AsyncHttpHandler unlimited =
                request ->
                        request.body()
                                .collect(Integer.MAX_VALUE)
                                .thenApply(body -> Response.text("" + body.length()));
        try (EmbeddedChannel channel = streaming(unlimited)) {
            channel.receive(CHUNKED + "100001\r\n" + "x".repeat(0x100001));
            channel.runPending();
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 413 ")
                    .contains("connection: close");
        }
    }

    @Test
    void aBodyThatTricklesInIsAnsweredWith408() {
        try (EmbeddedChannel channel = streaming(StreamedBodyTest::collecting)) {
            channel.receive(post(100) + "x").advance(Duration.ofSeconds(12));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 408 ");
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void aHandlerMayTakeItsTime() throws Exception {
        try (EmbeddedChannel channel = waiting()) {
            channel.receive(post(100_000) + "x".repeat(100_000));
            channel.advance(Duration.ofMinutes(5));
            int read = 0;
            while (read < 100_000) {
                read += read(channel).length();
            }
            answer(channel, Response.text("done"));
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|done");
        }
    }

    @Test
    void aClientThatEndsWithinTheBodyFailsItsReader() {
        List<Throwable> failures = new ArrayList<>();
        AsyncHttpHandler handler =
                request ->
                        request.body()
                                .collect(500)
                                .handle(
                                        (_, cause) -> {
                                            failures.add(cause);
                                            return Response.of(Status.BAD_REQUEST);
                                        });
        try (EmbeddedChannel channel = streaming(handler)) {
            channel.receive(post(100) + "x").receiveEnd();
            assertThat(failures.getFirst()).hasMessageContaining("the client ended");
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 400 ");
            assertThat(channel.isClosed()).isTrue();
        }
        try (EmbeddedChannel channel = streaming(handler)) {
            channel.receive(post(100) + "x");
            channel.channel().abort();
            assertThat(failures.get(1)).hasMessageContaining("cut off");
        }
    }

    @Test
    void anAnswerFailsAReaderThatWaits() {
        List<CompletionStage<Body.Bytes>> collected = new ArrayList<>();
        try (EmbeddedChannel channel =
                streaming(
                        request -> {
                            collected.add(request.body().collect(500));
                            answers.add(new CompletableFuture<>());
                            return answers.getLast();
                        })) {
            channel.receive(post(100) + "x");
            answer(channel, Response.text("early"));
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|early");
            assertThat(collected.getFirst().toCompletableFuture())
                    .failsWithin(Duration.ZERO)
                    .withThrowableOfType(ExecutionException.class)
                    .withMessageContaining("read before the answer");
        }
    }

    @Test
    void aBlockingHandlerReadsAnInputStream() throws Exception {
        List<Thread> threads = new ArrayList<>();
        Application blocking =
                Application.blocking(
                        request -> {
                            try (InputStream in = request.body().asInputStream()) {
                                return Response.text("" + in.readAllBytes().length);
                            }
                        },
                        task -> threads.add(Thread.ofVirtual().start(task)));
        try (EmbeddedChannel channel = connection(blocking)) {
            channel.receive(post(300_000));
            for (int i = 0; i < 30; i++) {
                channel.receive("x".repeat(10_000));
                channel.runPending();
            }
            while (!threads.getFirst().join(Duration.ofMillis(1))) {
                channel.runPending();
            }
            channel.runPending();
            assertThat(bodies(channel.takeOutboundText())).isEqualTo("|300000");
        }
    }

    @Test
    void aBlockingHandlerReadsText() throws Exception {
        List<Thread> threads = new ArrayList<>();
        Application blocking =
                Application.blocking(
                        request -> Response.text(request.body().asString()),
                        task -> threads.add(Thread.ofVirtual().start(task)));
        try (EmbeddedChannel channel = connection(blocking)) {
            channel.receive(post(5) + "hello" + post(1001) + "x".repeat(1001));
            for (int i = 0; i < 2; i++) {
                while (!threads.get(i).join(Duration.ofMillis(1))) {
                    channel.runPending();
                }
                channel.runPending();
            }
            assertThat(channel.takeOutboundText())
                    .contains("\r\n\r\nhelloHTTP/1.1 413 ")
                    .contains("connection: close");
        }
    }

    @Test
    void theLoopDoesNotWaitForABody() {
        List<Throwable> thrown = new ArrayList<>();
        AsyncHttpHandler handler =
                request -> {
                    try {
                        request.body().asString();
                    } catch (IllegalStateException e) {
                        thrown.add(e);
                    }
                    return CompletableFuture.completedFuture(Response.text(""));
                };
        try (EmbeddedChannel channel = streaming(handler)) {
            channel.receive(post(1) + "x");
            assertThat(thrown.getFirst()).hasMessageContaining("not its event loop");
        }
    }
}
