package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.http2.OutgoingFrames;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The server's connection in virtual time, with HTTP/2's own machine as the client.
class Http2ServerConnectionTest {
    private final List<Request> requests = new ArrayList<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Http2Client hello() {
        return Http2Client.of(
                request -> {
                    requests.add(request);
                    return Response.text("hello " + request.body().asString());
                });
    }

    @Test
    void requestIsTheSameAsOverHttp1() {
        try (Http2Client client = hello()) {
            client.get("/a?b=c");
            client.run();
            assertThat(client.log).containsExactly("1 200", "1 hello  end");
            Request request = requests.getFirst();
            assertThat(request.path()).isEqualTo("/a");
            assertThat(request.headers().first(HeaderName.HOST)).isEqualTo("weft.test");
            assertThat(request.version()).hasToString("HTTP/2");
        }
    }

    @Test
    void collectedBodyAndItsTrailersReachTheHandler() {
        try (Http2Client client = hello()) {
            Http2Stream stream = client.post("/", Headers.EMPTY);
            Http2Client.data(stream, "wor", false);
            client.run();
            Http2Client.data(stream, "ld", false);
            stream.trailers(Headers.of("sum", "5"));
            client.run();
            assertThat(client.log).containsExactly("1 200", "1 hello world end");
            assertThat(requests.getFirst().trailers().first("sum")).isEqualTo("5");
        }
    }

    @Test
    void streamedBodyIsEchoedWithinItsWindows() {
        Application echo =
                new Application.Async(
                        request ->
                                CompletableFuture.completedFuture(
                                        Response.of(Status.OK, Headers.EMPTY, request.body())),
                        true);
        try (Http2Client client = new Http2Client(echo)) {
            Http2Stream stream = client.post("/", Headers.EMPTY);
            for (int i = 0; i < 40; i++) {
                Http2Client.data(stream, "x".repeat(10_000), false);
                client.run();
            }
            stream.trailers(Headers.of("sum", "1"));
            client.run();
            assertThat(client.received).isEqualTo(400_000);
            assertThat(client.log).endsWith("1 Headers[sum]");
        }
    }

    @Test
    void handlerThatDoesNotReadStopsTheClient() {
        Application waiting = new Application.Async(_ -> new CompletableFuture<>(), true);
        try (Http2Client client = new Http2Client(waiting)) {
            Http2Stream stream = client.post("/", Headers.EMPTY);
            int sent = 0;
            while (stream.room() > 0) {
                sent += stream.room();
                Http2Client.data(stream, "x".repeat(stream.room()), false);
                client.run();
            }
            assertThat(sent).isEqualTo(Http2Limits.DEFAULT.streamWindow());
        }
    }

    @Test
    void largeBodyWaitsForTheClientsWindow() {
        Body.Bytes large = Body.of(new byte[200_000]);
        try (Http2Client client =
                Http2Client.of(_ -> Response.of(Status.OK, Headers.EMPTY, large))) {
            client.consumes = false;
            Http2Stream stream = client.get("/");
            client.run();
            assertThat(client.received).isEqualTo(65_536);
            client.consumes = true;
            stream.consumed(65_536);
            client.run();
            assertThat(client.received).isEqualTo(200_000);
            assertThat(client.log).last().asString().endsWith("end");
        }
    }

    @Test
    void smallAnswerOvertakesALargeOne() {
        Body.Bytes large = Body.of(new byte[400_000]);
        try (Http2Client client =
                Http2Client.of(
                        request ->
                                request.path().equals("/large")
                                        ? Response.of(Status.OK, Headers.EMPTY, large)
                                        : Response.text("small"))) {
            client.get("/large");
            client.get("/small");
            client.run();
            assertThat(client.log.indexOf("3 small end")).isBetween(0, 12);
            assertThat(client.received).isEqualTo(400_005);
        }
    }

    @Test
    void shortEndOfABodyGoesAlongWithTheFrameBeforeIt() {
        Body.Bytes body = Body.of("x".repeat(OutgoingFrames.PIECE + 36));
        Headers inTurn = Headers.of("priority", "i");
        try (Http2Client client =
                Http2Client.of(_ -> Response.of(Status.OK, Headers.EMPTY, body))) {
            for (int i = 0; i < 3; i++) {
                client.post("/", inTurn).end();
            }
            client.run();
            assertThat(client.log.stream().filter(l -> !l.contains("200")).map(l -> l.charAt(0)))
                    .containsExactly('1', '1', '3', '3', '5', '5');
            assertThat(client.received).isEqualTo(3 * body.length());
        }
    }

    /// A hundred uploads at once must not have a hundred times the memory of one.
    @Test
    void collectedBodiesShareTheirMemory() {
        HttpServerLimits limits = HttpServerLimits.DEFAULT.withBody(200_000);
        Application lengths = new Application.Direct(r -> Response.text("" + r.body().length()));
        try (Http2Client client = new Http2Client(lengths, limits, Http2Limits.DEFAULT)) {
            List<Http2Stream> uploads = new ArrayList<>();
            for (int i = 0; i < 50; i++) {
                uploads.add(client.post("/", Headers.EMPTY));
            }
            int[] sent = new int[50];
            long most = 0;
            for (int round = 0; round < 2000 && client.log.size() < 100; round++) {
                long held = 0;
                for (int i = 0; i < 50; i++) {
                    Http2Stream upload = uploads.get(i);
                    int length = Math.min(upload.room(), 150_000 - sent[i]);
                    if (length > 0) {
                        sent[i] += length;
                        Http2Client.data(upload, "x".repeat(length), sent[i] == 150_000);
                        client.run();
                    }
                    held += upload.mayReceive() && sent[i] < 150_000 ? sent[i] : 0;
                }
                most = Math.max(most, held);
            }
            assertThat(client.log).hasSize(100).contains("1 200", "99 150000 end");
            // What is collected, what was under way, and the one that goes on.
            assertThat(most).isLessThan((128 << 10) + (128 << 10) + 150_000);
        }
    }

    /// A handler that takes its time has the bodies meanwhile: they count until it has answered.
    @Test
    void collectedBodiesCountUntilTheirRequestsAreAnswered() {
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        Application slow =
                new Application.Async(
                        request -> {
                            requests.add(request);
                            CompletableFuture<Response> answer = new CompletableFuture<>();
                            answers.add(answer);
                            return answer;
                        });
        try (Http2Client client =
                new Http2Client(slow, HttpServerLimits.DEFAULT, Http2Limits.DEFAULT)) {
            List<Http2Stream> uploads = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                uploads.add(client.post("/" + i, Headers.EMPTY));
                upload(client, uploads.get(i), i < 3 ? 120_000 : 200_000);
            }
            // Two are within the memory, or the one that goes on; the others are stopped.
            assertThat(requests).hasSize(2);
            assertThat(uploads.get(2).room()).isZero();

            // Those that wait are not slow clients, however long it takes.
            client.channel.advance(Duration.ofSeconds(50));
            client.run();
            assertThat(client.log).isEmpty();

            answers.get(1).complete(Response.text("done"));
            client.run();
            upload(client, uploads.get(2), 120_000 - 65_536);
            assertThat(requests).hasSize(3);
            assertThat(requests.getLast().path()).isEqualTo("/2");
            uploads.get(3).reset(ErrorCode.CANCEL);
            client.run();
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void streamedBodyThatIsReadAfterItsEndGivesItsRoomBack(boolean whole) throws Exception {
        Application pending =
                new Application.Async(
                        request -> {
                            requests.add(request);
                            return new CompletableFuture<>();
                        },
                        true);
        try (Http2Client client = new Http2Client(pending)) {
            for (int i = 0; i < 4; i++) {
                upload(client, client.post("/", Headers.EMPTY), 60_000);
                readOrClose(requests.get(i), whole);
                client.run();
            }
            Http2Stream last = client.post("/", Headers.EMPTY);
            upload(client, last, 1_000_000);
            assertThat(last.sent()).isEqualTo(Http2Limits.DEFAULT.streamWindow());
        }
    }

    private static void readOrClose(Request request, boolean reads) throws IOException {
        BodySource source = ((Body.Stream) request.body()).source();
        try (Buffer out = BufferAllocator.pooled().allocate(100_000)) {
            if (reads) {
                assertThat(source.read(out)).isEqualTo(BodySource.Step.END);
                assertThat(out.readableBytes()).isEqualTo(60_000);
            } else {
                source.close();
            }
        }
    }

    /// Sends as much of a body as the server takes, and its end with the last of it.
    private static void upload(Http2Client client, Http2Stream stream, int length) {
        int left = length;
        while (left > 0 && stream.room() > 0) {
            int piece = Math.min(left, stream.room());
            left -= piece;
            Http2Client.data(stream, "x".repeat(piece), left == 0);
            client.run();
        }
    }

    @Test
    void headHasTheLengthAndNoContent() {
        try (Http2Client client = hello()) {
            client.h2.request(Http2Client.head(Method.HEAD, "/", Headers.EMPTY), true);
            client.run();
            assertThat(client.log).containsExactly("1 200 end");
        }
    }

    /// They would be malformed (RFC 9113, 8.1.1), or have content that others do not expect.
    @Test
    @Warns
    void answersThatHttp1RefusesAreRefused() {
        for (Response response :
                List.of(
                        Response.of(Status.OK).withHeader("content-length", "5"),
                        Response.of(Status.NO_CONTENT).withHeader("content-length", "0"),
                        Response.text("x").withStatus(Status.RESET_CONTENT))) {
            try (Http2Client client = Http2Client.of(_ -> response)) {
                client.get("/");
                client.run();
                assertThat(client.log).containsExactly("1 500 end");
            }
        }
    }

    @Test
    void unmodifiedMayHaveTheContentThatIsNotSent() {
        try (Http2Client client =
                Http2Client.of(_ -> Response.text("hello").withStatus(Status.NOT_MODIFIED))) {
            client.get("/");
            client.run();
            assertThat(client.log).containsExactly("1 304 end");
            assertThat(client.heads.getFirst().first("content-length")).isEqualTo("5");
        }
    }

    /// RFC 9110, 8.6: of GET's content, or none.
    @Test
    void headThatKnowsNoLengthTellsNone() {
        try (Http2Client client = Http2Client.of(_ -> Response.of(Status.OK))) {
            client.h2.request(Http2Client.head(Method.HEAD, "/", Headers.EMPTY), true);
            client.run();
            assertThat(client.log).containsExactly("1 200 end");
            assertThat(client.heads.getFirst().contains("content-length")).isFalse();
        }
    }

    @Test
    void clientThatExpectsIsAskedForTheBody() {
        try (Http2Client client = hello()) {
            Http2Stream stream = client.post("/", Headers.of("expect", "100-continue"));
            client.run();
            assertThat(client.log).containsExactly("1 100");
            Http2Client.data(stream, "x", true);
            client.run();
            assertThat(client.log).containsExactly("1 100", "1 200", "1 hello x end");
        }
    }

    @Test
    void bodyBeyondTheLimitGets413AndTheStreamIsReset() {
        try (Http2Client client =
                new Http2Client(
                        new Application.Direct(_ -> Response.text("no")),
                        HttpServerLimits.DEFAULT.withBody(10),
                        Http2Limits.DEFAULT)) {
            client.post("/", Headers.of("content-length", "11"));
            client.run();
            assertThat(client.log).containsExactly("1 413 end");
            client.channel.advance(Duration.ofSeconds(1));
            client.run();
            assertThat(client.log).containsExactly("1 413 end", "1 reset NO_ERROR");
        }
    }

    @Test
    void fieldsBeyondTheLimitGet431AndTheConnectionGoesOn() {
        try (Http2Client client = hello()) {
            client.h2.request(
                    Http2Client.head(Method.GET, "/", Headers.of("x", "y".repeat(17_000))), true);
            client.run();
            client.get("/");
            client.run();
            assertThat(client.log).containsExactly("1 431 end", "3 200", "3 hello  end");
        }
    }

    @Test
    void asynchronousAnswersComeInAnyOrder() {
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        Application async =
                new Application.Async(
                        _ -> {
                            answers.add(new CompletableFuture<>());
                            return answers.getLast();
                        });
        try (Http2Client client = new Http2Client(async)) {
            client.get("/1");
            client.get("/2");
            client.run();
            answers.getLast().complete(Response.text("two"));
            client.run();
            answers.getFirst().complete(Response.text("one"));
            client.run();
            assertThat(client.log).containsExactly("3 200", "3 two end", "1 200", "1 one end");
        }
    }

    @Test
    @Warns
    void failureOfAHandlerIs500AndOtherStreamsGoOn() {
        try (Http2Client client =
                Http2Client.of(
                        request -> {
                            if (request.path().equals("/bad")) {
                                throw new IllegalStateException("on purpose");
                            }
                            return Response.text("good");
                        })) {
            client.get("/bad");
            client.get("/");
            client.run();
            assertThat(client.log).containsExactly("1 500 end", "3 200", "3 good end");
        }
    }

    @Test
    void resetCancelsTheExchange() {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try (Http2Client client = new Http2Client(new Application.Async(_ -> answer))) {
            Http2Stream stream = client.get("/");
            client.run();
            stream.reset(ErrorCode.CANCEL);
            client.run();
            answer.complete(
                    Response.of(
                            Status.OK,
                            Headers.EMPTY,
                            Body.of(new ByteArrayInputStream(new byte[10]))));
            client.run();
            assertThat(client.log).isEmpty();
        }
    }

    @Test
    void resetTellsTheHandlerWhoseAnswerIsStillToCome() {
        List<CompletionStage<Response>> abandoned = new ArrayList<>();
        List<CompletableFuture<Response>> answers = new ArrayList<>();
        AsyncHttpHandler handler =
                new AsyncHttpHandler() {
                    @Override
                    public CompletionStage<Response> handle(Request request) {
                        answers.add(new CompletableFuture<>());
                        return answers.getLast();
                    }

                    @Override
                    public void abandoned(CompletionStage<Response> answer) {
                        abandoned.add(answer);
                        answer.toCompletableFuture().cancel(true);
                    }
                };
        try (Http2Client client = new Http2Client(new Application.Async(handler))) {
            Http2Stream first = client.get("/");
            Http2Stream second = client.get("/");
            client.get("/");
            client.run();
            answers.getFirst().complete(Response.text("in time"));
            client.run();
            first.reset(ErrorCode.CANCEL);
            second.reset(ErrorCode.CANCEL);
            client.run();
            assertThat(abandoned).containsExactly(answers.get(1));
            assertThat(client.log).containsExactly("1 200", "1 in time end");
        }
        assertThat(abandoned).containsExactly(answers.get(1), answers.get(2));
    }

    @Test
    void shutdownFinishesWhatIsUnderWay() {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try (Http2Client client = new Http2Client(new Application.Async(_ -> answer))) {
            client.get("/");
            client.run();
            client.channel.channel().close();
            client.run();
            assertThat(client.log)
                    .containsExactly("goaway 2147483647 NO_ERROR", "goaway 1 NO_ERROR");
            assertThat(client.channel.isOutputShutdown()).isFalse();
            answer.complete(Response.text("late"));
            client.run();
            assertThat(client.log).endsWith("1 200", "1 late end");
            assertThat(client.channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void idleConnectionIsClosedWithGoaway() {
        try (Http2Client client = hello()) {
            client.get("/");
            client.run();
            client.channel.advance(Duration.ofSeconds(61));
            client.run();
            assertThat(client.log).endsWith("goaway 1 NO_ERROR");
            assertThat(client.channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void endOfInputIsAnsweredBeforeTheClose() {
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try (Http2Client client = new Http2Client(new Application.Async(_ -> answer))) {
            client.get("/");
            client.run();
            client.channel.receiveEnd();
            answer.complete(Response.text("late"));
            client.channel.runPending();
            assertThat(client.take()).isTrue();
            assertThat(client.log).contains("1 late end");
            assertThat(client.channel.isClosed()).isTrue();
        }
    }
}
