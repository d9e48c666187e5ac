package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.http1.Http1Limits;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// The server's connection in virtual time: the test is the client.
class Http1ConnectionTest {
    private static final HttpServerLimits LIMITS =
            HttpServerLimits.DEFAULT
                    .withBody(1000)
                    .withHttp1(Http1Limits.DEFAULT.withInitialLine(100).withHeaderSection(200));
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String CLOSING = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    private final List<Request> requests = new ArrayList<>();

    private static EmbeddedChannel connection(Application application) {
        return Http1Channels.of(application, LIMITS);
    }

    private EmbeddedChannel serving(HttpHandler handler) {
        return connection(
                new Application.Direct(
                        request -> {
                            requests.add(request);
                            return handler.handle(request);
                        }));
    }

    private EmbeddedChannel hello() {
        return serving(_ -> Response.text("hello"));
    }

    private static String withoutDate(String responses) {
        return responses.replaceAll("date: [^\r]*\r\n", "");
    }

    private static final String HELLO =
            "HTTP/1.1 200 OK\r\ncontent-type: text/plain; charset=utf-8\r\ncontent-length: 5\r\n\r\nhello";

    private static void assertClosing(EmbeddedChannel channel) {
        assertThat(channel.isOutputShutdown() || channel.isClosed()).isTrue();
        channel.receiveEnd();
        assertThat(channel.isClosed()).isTrue();
    }

    @Test
    void answersAndStaysOpen() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET);
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO);
            channel.receive(GET);
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO);
            assertThat(channel.channel().isActive()).isTrue();
        }
    }

    /// RFC 9112, 3.2.2: of an absolute target the Host field is ignored.
    @ParameterizedTest
    @CsvSource({
        "GET http://a.example/x HTTP/1.1|Host: b.example, a.example",
        "GET http://a.example:81/x HTTP/1.1|Host: a.example, a.example:81",
        "GET http://A.example/x HTTP/1.1|Host: a.example, a.example",
        "GET http://a.example/x HTTP/1.0, a.example",
        "GET /x HTTP/1.1|Host: b.example, b.example"
    })
    void aTargetWithAHostGoesBeforeTheField(String head, String host) {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(head.replace("|", "\r\n") + "\r\n\r\n");
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200 ");
            Request request = requests.getFirst();
            assertThat(request.path()).isEqualTo("/x");
            assertThat(request.headers().all("host")).containsExactly(host);
        }
    }

    @Test
    void anIdleConnectionKeepsNothingOfItsLastRequest() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET + GET);
            assertThat(requests.get(1)).isSameAs(requests.get(0));
            channel.advance(Duration.ofSeconds(2)).receive(GET + GET);
            assertThat(requests.get(2)).isNotSameAs(requests.get(1));
            assertThat(requests.get(2).headers()).isNotSameAs(requests.get(1).headers());
            assertThat(requests.get(3)).isSameAs(requests.get(2));
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO.repeat(4));
        }
    }

    @Test
    void aRequestThatComesInPartsOutlivesTheIdleTime() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET + "GET / HTTP/1.1\r\n").advance(Duration.ofSeconds(2));
            channel.receive("Host: x\r\n\r\n");
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO.repeat(2));
        }
    }

    @Test
    void answersPipelinedRequestsInOrder() {
        try (EmbeddedChannel channel = serving(request -> Response.text(request.path()))) {
            StringBuilder asked = new StringBuilder();
            for (int i = 0; i < 16; i++) {
                asked.append("GET /").append(i).append(" HTTP/1.1\r\nHost: x\r\n\r\n");
            }
            channel.receive(asked.toString());
            String answers = channel.takeOutboundText();
            int from = 0;
            for (int i = 0; i < 16; i++) {
                from = answers.indexOf("\r\n\r\n/" + i, from) + 1;
                assertThat(from).isPositive();
            }
        }
    }

    @Test
    void answersTheSameHoweverTheBytesAreCut() {
        String asked =
                "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n3\r\nabc\r\n2\r\nde\r\n0\r\n\r\n"
                        + GET;
        for (int cut = 1; cut < asked.length(); cut++) {
            try (EmbeddedChannel channel =
                    serving(request -> Response.text(request.body().asString()))) {
                channel.receive(asked.substring(0, cut)).receive(asked.substring(cut));
                assertThat(channel.takeOutboundText())
                        .contains("\r\n\r\nabcde")
                        .endsWith("\r\n\r\n");
            }
        }
        try (EmbeddedChannel channel = hello()) {
            for (int i = 0; i < asked.length(); i++) {
                channel.receive(asked.substring(i, i + 1));
            }
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO + HELLO);
        }
    }

    @ParameterizedTest
    @CsvSource({
        "'GARBAGE', 400",
        "'GET / HTTP/1.1\n', 400",
        "'GET / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n', 400",
        "'GET / HTTP/1.1\r\nHost : x\r\n\r\n', 400",
        "'GET / HTTP/1.1\r\n\r\n', 400",
        "'GET / HTTP/3.0\r\nHost: x\r\n\r\n', 505",
        "'POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1001\r\n\r\n', 413",
    })
    void refusesWhatIsNoRequestAndCloses(String bytes, int status) {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(bytes.equals("GARBAGE") ? "GARBAGE\r\n\r\n" : bytes);
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 " + status + " ")
                    .contains("connection: close");
            assertClosing(channel);
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void refusesALineThatNeverEnds() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive("GET /" + "a".repeat(200));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 414 ");
            assertClosing(channel);
        }
    }

    @Test
    void refusesHeadersThatNeverEnd() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\n" + "a: b\r\n".repeat(100));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 431 ");
            assertClosing(channel);
        }
    }

    @Test
    void refusesAChunkedBodyAtTheLimit() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive("POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n");
            for (int i = 0; i < 11 && channel.channel().isActive(); i++) {
                channel.receive("64\r\n" + "a".repeat(100) + "\r\n");
            }
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 413 ");
            assertClosing(channel);
            assertThat(requests).isEmpty();
        }
    }

    @Test
    void anAnswerToABadRequestSurvivesWhatTheClientIsStillSending() {
        try (EmbeddedChannel channel = hello()) {
            channel.keepInputOpen().receive("GARBAGE\r\n\r\n");
            channel.receive("more and more");
            assertThat(channel.isClosed()).isFalse();
            assertThat(channel.isOutputShutdown()).isTrue();
            channel.advance(Duration.ofSeconds(3));
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @CsvSource({"CONNECT a:80, 200, 501", "CONNECT a:80, 204, 501", "GET /, 101, 500"})
    void noRequestIsDecodedOutOfATunnel(String line, int status, int answered) {
        try (EmbeddedChannel channel = serving(_ -> Response.of(Status.of(status)))) {
            channel.receive(line + " HTTP/1.1\r\nHost: a\r\n\r\n" + GET).receive(GET);
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 " + answered + " ")
                    .contains("connection: close")
                    .containsOnlyOnce("HTTP/1.1 ");
            assertThat(requests).hasSize(1);
            assertClosing(channel);
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "gzip, chunked | 501",
                "gzip, deflate, chunked | 501",
                "chunked, chunked | 400",
                "gzip | 400"
            })
    void anUnknownTransferCodingIsNotImplemented(String coding, int status) {
        try (EmbeddedChannel channel = serving(_ -> Response.text("hello"))) {
            channel.receive("POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: ");
            channel.receive(coding + "\r\n\r\n0\r\n\r\n" + GET);
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 " + status + " ")
                    .containsOnlyOnce("HTTP/1.1 ");
            assertThat(requests).isEmpty();
            assertClosing(channel);
        }
    }

    @Test
    void aRefusedConnectLeavesTheConnectionToHttp() {
        try (EmbeddedChannel channel =
                serving(
                        request ->
                                request.method() == Method.CONNECT
                                        ? Response.of(Status.FORBIDDEN)
                                        : Response.text("hello"))) {
            channel.receive("CONNECT a:80 HTTP/1.1\r\nHost: a\r\n\r\n");
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 403 ");
            channel.receive(GET);
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO);
        }
    }

    /// The client may be sending its next request, which a closed socket would answer with a reset.
    @Test
    void theLastAnswerSurvivesARequestThatIsUnderWay() {
        try (EmbeddedChannel channel =
                serving(_ -> Response.text("last").withHeader("Connection", "close"))) {
            channel.keepInputOpen();
            channel.receive(GET);
            assertThat(channel.isOutputShutdown()).isTrue();
            channel.receive(GET);
            assertThat(channel.isClosed()).isFalse();
            assertThat(requests).hasSize(1);
            channel.receiveEnd();
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
        }
    }

    /// RFC 9112, 9.6: it sends nothing behind a request with that option.
    @Test
    void aClientThatAsksForTheEndIsNotWaitedFor() {
        for (String last : List.of(CLOSING, "GET / HTTP/1.0\r\n\r\n")) {
            try (EmbeddedChannel channel = hello()) {
                channel.keepInputOpen().receive(last);
                assertThat(channel.takeOutboundText()).endsWith("hello");
                assertThat(channel.isClosed()).isTrue();
                assertThat(channel.isReset()).isFalse();
            }
        }
    }

    @Test
    void aClientThatAsksForTheEndAndGoesOnIsWaitedFor() {
        for (String behind : List.of("\r\n", GET)) {
            try (EmbeddedChannel channel = hello()) {
                channel.keepInputOpen().receive(CLOSING + behind);
                assertThat(channel.takeOutboundText()).endsWith("hello");
                assertThat(channel.isOutputShutdown()).isTrue();
                assertThat(channel.isClosed()).isFalse();
            }
        }
    }

    /// Much of what it was sent may not have arrived, and a reset would take it back.
    @Test
    void aClientThatAsksForTheEndIsWaitedForBehindALongAnswer() {
        try (EmbeddedChannel channel = serving(_ -> Response.text("x".repeat(5_000)))) {
            channel.keepInputOpen().receive(CLOSING);
            assertThat(channel.takeOutboundText()).endsWith("xxx");
            assertThat(channel.isOutputShutdown()).isTrue();
            assertThat(channel.isClosed()).isFalse();
        }
        try (EmbeddedChannel channel = hello()) {
            channel.keepInputOpen().receive(GET + CLOSING);
            assertThat(channel.takeOutboundText()).endsWith("hello");
            assertThat(channel.isClosed()).isFalse();
        }
    }

    @Test
    void aClientThatAsksForTheEndWithinItsBodyIsWaitedFor() {
        String upload =
                "POST / HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Length: 9000\r\n\r\n";
        try (EmbeddedChannel channel = hello()) {
            channel.keepInputOpen().receive(upload); // too long
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 413 ");
            assertThat(channel.isOutputShutdown()).isTrue();
            assertThat(channel.isClosed()).isFalse();
        }
    }

    @Test
    void theAnswerToARequestThatComesTooSlowlyIsSentBeforeTheEnd() {
        try (EmbeddedChannel channel = hello()) {
            channel.keepInputOpen().receive("GET / HT").limitWindow(10);
            channel.advance(Duration.ofSeconds(12)).openWindow(1 << 20);
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 408 ");
            assertThat(channel.isOutputShutdown()).isTrue();
            channel.receive("TP/1.1\r\n").receiveEnd();
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
        }
    }

    @Test
    void closesWhenAskedTo() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(channel.takeOutboundText()).contains("connection: close");
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
        }
    }

    @Test
    void aHandlerThatThrowsIsAnsweredWith500AndTheConnectionCloses() {
        try (EmbeddedChannel channel =
                serving(
                        _ -> {
                            throw new StackOverflowError("deep");
                        })) {
            channel.receive(GET + GET);
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 500 ")
                    .containsOnlyOnce("HTTP/1.1");
            assertClosing(channel);
        }
    }

    @Test
    void asynchronousAnswersKeepTheOrderOfRequests() {
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        try (EmbeddedChannel channel =
                connection(
                        new Application.Async(
                                _ -> {
                                    CompletableFuture<Response> answer = new CompletableFuture<>();
                                    answers.add(answer);
                                    return answer;
                                }))) {
            channel.receive(GET + GET).receive(GET);
            assertThat(answers).hasSize(1);
            answers.get(0).complete(Response.text("1"));
            channel.runPending();
            assertThat(answers).hasSize(2);
            answers.get(1).complete(Response.text("2"));
            channel.runPending();
            answers.get(2).completeExceptionally(new IOException("gone"));
            channel.runPending();
            assertThat(channel.takeOutboundText())
                    .containsSubsequence("\r\n1HTTP", "\r\n2HTTP/1.1 500");
            assertClosing(channel);
        }
    }

    @Test
    void anAnswerThatComesAfterTheClientHasGoneIsDropped() {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try (EmbeddedChannel channel = connection(new Application.Async(_ -> answer))) {
            channel.receive(GET).fail(new IOException("reset"));
            assertThat(channel.isClosed()).isTrue();
            answer.complete(Response.text("late"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).isEmpty();
        }
    }

    /// Gives what the test put in; ends when told to.
    private static final class Scripted implements BodySource {
        private final StringBuilder waiting = new StringBuilder();
        private boolean ended;
        private boolean closed;
        private @Nullable Runnable wake;

        void put(String text, boolean end) {
            waiting.append(text);
            ended = end;
            if (wake != null) {
                wake.run();
            }
        }

        @Override
        public void onWake(Runnable runnable) {
            wake = runnable;
        }

        @Override
        public Step read(Buffer out) {
            out.writeAscii(waiting);
            waiting.setLength(0);
            return ended ? Step.END : Step.WAIT;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void streamsABodyInChunksAsItComes() {
        Scripted source = new Scripted();
        try (EmbeddedChannel channel =
                serving(_ -> Response.of(Status.OK, Headers.EMPTY, Body.of(source)))) {
            channel.receive(GET + GET);
            assertThat(channel.takeOutboundText())
                    .contains("transfer-encoding: chunked")
                    .endsWith("\r\n\r\n");
            source.put("abc", false);
            channel.runPending();
            assertThat(channel.takeOutboundText()).isEqualTo("3\r\nabc\r\n");
            assertThat(requests).hasSize(1);
            source.put("de", true);
            channel.runPending();
            assertThat(channel.takeOutboundText()).startsWith("2\r\nde\r\n0\r\n\r\nHTTP/1.1 200");
            assertThat(source.closed).isTrue();
            assertThat(requests).hasSize(2);
        }
    }

    /// A body without end, which must come no faster than it is taken.
    private static final class Endless implements BodySource {
        private long given;
        private boolean closed;

        @Override
        public Step read(Buffer out) {
            given += out.writableBytes();
            out.writeOffset(out.capacity());
            return Step.MORE;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    @Test
    void aSlowReaderSlowsTheSourceAndIsCutOffInTheEnd() {
        Endless source = new Endless();
        try (EmbeddedChannel channel =
                serving(_ -> Response.of(Status.OK, Headers.EMPTY, Body.of(source)))) {
            channel.limitWindow(0);
            channel.receive(GET);
            long first = source.given;
            assertThat(first).isLessThan(128 << 10);
            channel.openWindow(1 << 20);
            assertThat(source.given - first).isBetween(900L << 10, 1200L << 10);
            channel.advance(Duration.ofSeconds(29));
            assertThat(channel.isClosed()).isFalse();
            channel.advance(Duration.ofSeconds(3));
            assertThat(channel.isClosed()).isTrue();
            assertThat(source.closed).isTrue();
        }
    }

    @Test
    void aClientThatPipelinesWithoutReadingIsNotAnsweredWithoutEnd() {
        Response large = Response.text("a".repeat(10_000));
        try (EmbeddedChannel channel = serving(_ -> large)) {
            channel.limitWindow(0);
            channel.receive(GET.repeat(500));
            assertThat(requests.size()).isLessThan(20);
            assertThat(channel.channel().isReadingSuspended()).as("held no further").isTrue();
            channel.openWindow(100L << 20);
            assertThat(channel.channel().isReadingSuspended()).isFalse();
            assertThat(requests).hasSize(500);
        }
    }

    @Test
    void slowlorisIsClosedAfterTenSeconds() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive("GET / HT");
            for (int i = 0; i < 9; i++) {
                channel.advance(Duration.ofSeconds(1)).receive("T");
            }
            assertThat(channel.isOutputShutdown()).isFalse();
            channel.advance(Duration.ofSeconds(2));
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 4");
            assertClosing(channel);
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "G",
                "GET / HTTP/1.1\r",
                "GET / HTTP/1.1\r\n",
                "GET / HTTP/1.1\r\nHost: x\r\n"
            })
    void aLaterHeadTakesNoLongerThanTheFirst(String begun) {
        for (String before : List.of("", GET)) {
            try (EmbeddedChannel channel = hello()) {
                channel.receive(before).advance(Duration.ofSeconds(before.isEmpty() ? 0 : 50));
                channel.takeOutboundText();
                channel.receive(begun).advance(Duration.ofMillis(9400));
                assertThat(channel.isClosed() || channel.isOutputShutdown()).isFalse();
                channel.advance(Duration.ofMillis(1600));
                assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 408 ");
                assertClosing(channel);
            }
        }
    }

    @Test
    void aLaterHeadInPartsAtTheEndOfTheIdleTimeIsAnswered() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).advance(Duration.ofSeconds(59)).receive("GET / HTTP/1.1\r\n");
            channel.advance(Duration.ofSeconds(5)).receive("Host: x\r\n\r\n");
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO.repeat(2));
        }
    }

    @Test
    void aConnectionThatSaysNothingIsClosedAfterTenSeconds() {
        try (EmbeddedChannel channel = hello()) {
            channel.advance(Duration.ofSeconds(11));
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.takeOutboundText()).isEmpty();
        }
    }

    @Test
    void anIdleConnectionIsClosedAfterAMinute() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).advance(Duration.ofSeconds(59));
            assertThat(channel.isClosed()).isFalse();
            channel.advance(Duration.ofSeconds(2));
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void aBodyThatTricklesInIsCutOff() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 900\r\n\r\n");
            for (int i = 0; i < 15 && !channel.isOutputShutdown(); i++) {
                channel.receive("x").advance(Duration.ofSeconds(1));
            }
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 408 ");
            assertClosing(channel);
        }
    }

    @Test
    void asksForABodyThatTheClientAnnounced() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(
                    "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n\r\n");
            assertThat(channel.takeOutboundText()).isEqualTo("HTTP/1.1 100 Continue\r\n\r\n");
            channel.receive("abc");
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO);
        }
    }

    @Test
    void answersWhatAClientAskedBeforeItFinishedSending() {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try (EmbeddedChannel channel = connection(new Application.Async(_ -> answer))) {
            channel.receive(GET).receiveEnd();
            assertThat(channel.isClosed()).isFalse();
            answer.complete(Response.text("hello"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("hello");
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void closingFinishesWhatIsBeingAnsweredFirst() {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try (EmbeddedChannel channel = connection(new Application.Async(_ -> answer));
                EmbeddedChannel idle = hello()) {
            channel.receive(GET);
            channel.channel().close();
            assertThat(channel.isClosed()).isFalse();
            answer.complete(Response.text("hello"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).contains("connection: close").endsWith("hello");
            assertThat(channel.isClosed()).isTrue();
            idle.receive(GET);
            idle.channel().close();
            assertThat(idle.isClosed()).isTrue();
        }
    }

    /// Counts bytes on their way to the connection.
    private static final class Taken implements ChannelHandler {
        private long bytes;

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            bytes += ((Buffer) message).readableBytes();
            context.fireChannelRead(message);
        }
    }

    @Test
    void inputBehindAnUnansweredRequestIsBounded() {
        CompletableFuture<Response> first = new CompletableFuture<>();
        ArrayDeque<CompletableFuture<Response>> answers = new ArrayDeque<>(List.of(first));
        Taken taken = new Taken();
        try (EmbeddedChannel channel =
                connection(
                        new Application.Async(
                                _ ->
                                        answers.isEmpty()
                                                ? CompletableFuture.completedFuture(
                                                        Response.text("next"))
                                                : answers.removeFirst()))) {
            channel.pipeline().addFirst("taken", taken);
            String batch = GET.repeat(500);
            for (int i = 0; i < 100; i++) {
                channel.receive(batch);
            }
            assertThat(taken.bytes).isLessThan((16 << 10) + 2L * batch.length());
            first.complete(Response.text("first"));
            channel.runPending();
            assertThat(taken.bytes).isEqualTo(100L * batch.length());
            assertThat(channel.takeOutboundText().split("HTTP/1.1 200", -1)).hasSize(50_001);
        }
    }

    @Test
    void inputThatWaitedBehindTheLastAnswerIsDiscarded() {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        Taken taken = new Taken();
        try (EmbeddedChannel channel = connection(new Application.Async(_ -> answer))) {
            channel.pipeline().addFirst("taken", taken);
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            for (int i = 0; i < 20; i++) {
                channel.receive("x".repeat(10_000));
            }
            assertThat(taken.bytes).isLessThan(100_000);
            answer.complete(Response.text("last"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("last");
            channel.receiveEnd();
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
        }
    }

    /// Counts, for each turn that another connection's turn waits for, the requests handled and
    /// bytes given.
    private static final class Turns {
        private final List<Long> counts = new ArrayList<>();
        private long count;
        private boolean waiting;

        void add(EmbeddedChannel channel, long more) {
            count += more;
            if (!waiting) {
                waiting = true;
                channel.channel()
                        .eventLoop()
                        .schedule(
                                () -> {
                                    waiting = false;
                                    counts.add(count);
                                    count = 0;
                                },
                                0,
                                TimeUnit.NANOSECONDS);
            }
        }

        void assertAtMost(long bound, long total) {
            assertThat(counts).allMatch(n -> n <= bound);
            assertThat(counts.stream().mapToLong(n -> n).sum()).isEqualTo(total);
        }
    }

    @Test
    void aTurnHandlesABoundedNumberOfPipelinedRequests() {
        Turns turns = new Turns();
        EmbeddedChannel[] channel = new EmbeddedChannel[1];
        try (EmbeddedChannel ch =
                serving(
                        _ -> {
                            turns.add(channel[0], 1);
                            return Response.text("hello");
                        })) {
            channel[0] = ch;
            ch.receive(GET.repeat(1000));
            turns.assertAtMost(64, 1000);
            assertThat(withoutDate(ch.takeOutboundText())).isEqualTo(HELLO.repeat(1000));
        }
    }

    @Test
    void aTurnThatEndsBehindAHeadStillAnswersIt() {
        // A POST is three parts, so that the turn ends between a head and the end of its request.
        String post = "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1\r\n\r\na";
        for (int gets = 60; gets < 66; gets++) {
            try (EmbeddedChannel channel = hello()) {
                channel.receive(post + GET.repeat(gets));
                channel.advance(Duration.ofMillis(1));
                assertThat(requests).hasSize(gets + 1);
                requests.clear();
            }
        }
    }

    @Test
    void aTurnSendsABoundedPartOfAStreamedAnswer() {
        Turns turns = new Turns();
        EmbeddedChannel[] channel = new EmbeddedChannel[1];
        int total = 10 << 20;
        BodySource source =
                new BodySource() {
                    private int given;

                    @Override
                    public Step read(Buffer out) {
                        int length = Math.min(out.writableBytes(), total - given);
                        out.writeOffset(out.writeOffset() + length);
                        given += length;
                        turns.add(channel[0], length);
                        return given == total ? Step.END : Step.MORE;
                    }
                };
        try (EmbeddedChannel ch =
                serving(_ -> Response.of(Status.OK, Headers.EMPTY, Body.of(source, total)))) {
            channel[0] = ch;
            ch.receive(GET);
            turns.assertAtMost(256 << 10, total);
            assertThat(ch.takeOutbound()).hasSizeGreaterThan(total);
        }
    }

    @Test
    void aTurnTakesABoundedNumberOfChunks() {
        Turns turns = new Turns();
        EmbeddedChannel[] channel = new EmbeddedChannel[1];
        try (EmbeddedChannel ch =
                serving(
                        request -> {
                            turns.add(channel[0], request.body().length());
                            return Response.text("hello");
                        })) {
            channel[0] = ch;
            String chunked =
                    "POST / HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n"
                            + "1\r\na\r\n".repeat(50)
                            + "0\r\n\r\n";
            ch.receive(chunked.repeat(100));
            // A body counts in the turn that ends it, though the one before took some of its
            // chunks.
            turns.assertAtMost(128 + 50, 5000);
            assertThat(withoutDate(ch.takeOutboundText())).isEqualTo(HELLO.repeat(100));
        }
    }

    @Test
    void whatWaitsForAnAnswerIsNotLostToTheEndOfInput() {
        CompletableFuture<Response> slow = new CompletableFuture<>();
        Application application =
                new Application.Async(
                        request ->
                                request.path().equals("/slow")
                                        ? slow
                                        : CompletableFuture.completedFuture(Response.text("hi")));
        try (EmbeddedChannel channel = Http1Channels.of(application)) {
            channel.receive(GET.replace("/ ", "/slow ") + GET.repeat(500)).receiveEnd();
            slow.complete(Response.text("slow"));
            channel.runPending();
            assertThat(channel.takeOutboundText().split("HTTP/1.1 200", -1)).hasSize(502);
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void aTurnThatIsOverLosesNothingToTheEndOfInput() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET.repeat(200)).receiveEnd();
            assertThat(withoutDate(channel.takeOutboundText())).isEqualTo(HELLO.repeat(200));
            assertThat(channel.isClosed()).isTrue();
        }
    }
}
