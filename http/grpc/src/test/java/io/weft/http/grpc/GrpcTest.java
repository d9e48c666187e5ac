package io.weft.http.grpc;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Output;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.testkit.Warns;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.stream.IntStream;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/// Services and their clients, over loopback.
@Timeout(value = 300, unit = TimeUnit.SECONDS)
class GrpcTest {
    private static final Marshaller<String> TEXT =
            new Marshaller<>() {
                @Override
                public void encode(String message, Output out) {
                    Marshaller.BYTES.encode(message.getBytes(UTF_8), out);
                }

                @Override
                public String decode(Buffer in) {
                    String text = in.readString(UTF_8);
                    if (text.equals("bad")) {
                        throw new CorruptedFrameException("text: bad (expected: good)");
                    }
                    return text;
                }
            };

    private static final GrpcMethod<String, String> METHOD =
            new GrpcMethod<>("/test.Service/Method", TEXT, TEXT);
    private static final GrpcMethod<String, String> MISSING =
            new GrpcMethod<>("/test.Service/Missing", TEXT, TEXT);

    private @Nullable HttpServer server;
    private @Nullable HttpClient http;
    private @Nullable GrpcServices services;

    @AfterEach
    void end() throws InterruptedException {
        if (http != null) {
            http.close();
        }
        if (server != null) {
            server.close();
        }
        assertThat(services == null || services.awaitIdle(Duration.ofSeconds(60))).isTrue();
    }

    private GrpcClient unary(GrpcHandler.Unary<String, String> handler) {
        return serve(GrpcServices.builder().unary(METHOD, handler));
    }

    private GrpcClient streams(GrpcHandler<String, String> handler) {
        return serve(GrpcServices.builder().method(METHOD, handler));
    }

    private GrpcClient serve(GrpcServices.Builder builder) {
        GrpcLimits limits = GrpcLimits.DEFAULT.withMessageBytes(100_000);
        GrpcServices handler = builder.limits(limits).build();
        services = handler;
        server = GrpcLoopback.server().streaming(handler).listen();
        http = GrpcLoopback.http().limits(GrpcClient.patient(HttpClientLimits.DEFAULT)).build();
        return GrpcClient.of(http, url(), limits);
    }

    private String url() {
        if (server == null) {
            throw new IllegalStateException("no server");
        }
        return "http://127.0.0.1:" + server.address().getPort();
    }

    private HttpClient http() {
        if (http == null) {
            throw new IllegalStateException("no client");
        }
        return http;
    }

    private static void assertFails(GrpcCode code, String message, ThrowingCallable call) {
        assertThatThrownBy(call)
                .isInstanceOfSatisfying(
                        GrpcException.class,
                        e -> {
                            assertThat(e.status().code()).isEqualTo(code);
                            assertThat(e.status().message()).contains(message);
                        });
    }

    @Test
    void requestIsAnswered() throws Exception {
        GrpcClient client = unary((request, call) -> request + request);
        assertThat(client.unary(METHOD, "ab")).isEqualTo("abab");
        assertThat(client.unary(METHOD, "")).isEmpty();
        assertThat(client.unary(METHOD, "x".repeat(50_000))).hasSize(100_000);
    }

    @Test
    void bothSidesSpeakInTurn() throws Exception {
        GrpcClient client =
                streams(
                        call -> {
                            for (String text; (text = call.read()) != null; ) {
                                call.write(text + "!");
                            }
                        });
        try (var call = client.open(METHOD)) {
            for (int i = 0; i < 20; i++) {
                assertThat(call.write("" + i)).isTrue();
                assertThat(call.read()).isEqualTo(i + "!");
            }
            call.halfClose();
            assertThat(call.read()).isNull();
            assertThat(call.read()).isNull();
            assertThat(call.write("late")).isFalse();
        }
    }

    @Test
    void writerWaitsForAReaderThatIsSlow() throws Exception {
        int count = 300;
        GrpcClient client =
                streams(
                        call -> {
                            for (int i = 0; i < count; i++) {
                                call.write("x".repeat(10_000));
                            }
                        });
        try (var call = client.open(METHOD)) {
            call.halfClose();
            assertThat(call.headers().first("content-type")).isEqualTo("application/grpc");
            for (int i = 0; i < count; i++) {
                assertThat(call.read()).hasSize(10_000);
            }
            assertThat(call.read()).isNull();
        }
    }

    @Test
    void metadataGoesBothWays() throws Exception {
        GrpcClient client =
                unary(
                        (request, call) -> {
                            String value = call.metadata().first("x-value");
                            call.header("x-initial", value + "1");
                            call.trailer("x-trailing", value + "2");
                            return request;
                        });
        GrpcCallOptions options = GrpcCallOptions.DEFAULT.withMetadata(Headers.of("x-value", "v"));
        try (var call = client.open(METHOD, options)) {
            call.write("a");
            call.halfClose();
            assertThat(call.headers().first("x-initial")).isEqualTo("v1");
            assertThat(call.read()).isEqualTo("a");
            assertThat(call.trailers().isEmpty()).isTrue();
            assertThat(call.read()).isNull();
            assertThat(call.trailers().first("x-trailing")).isEqualTo("v2");
        }
    }

    @Test
    void failureHasItsStatusAndTrailers() {
        GrpcClient client =
                unary(
                        (request, call) -> {
                            call.trailer("x-why", "rules");
                            throw new GrpcException(GrpcCode.PERMISSION_DENIED, "not " + request);
                        });
        assertFails(GrpcCode.PERMISSION_DENIED, "not you", () -> client.unary(METHOD, "you"));
        assertThatThrownBy(() -> client.unary(METHOD, "you"))
                .isInstanceOfSatisfying(
                        GrpcException.class,
                        e -> assertThat(e.trailers().first("x-why")).isEqualTo("rules"));
    }

    @Test
    void failureBehindMessagesComesBehindThem() throws Exception {
        GrpcClient client =
                streams(
                        call -> {
                            call.write("one");
                            throw new GrpcException(GrpcCode.DATA_LOSS, "two");
                        });
        try (var call = client.open(METHOD)) {
            assertThat(call.read()).isEqualTo("one");
            assertFails(GrpcCode.DATA_LOSS, "two", call::read);
            assertFails(GrpcCode.DATA_LOSS, "two", call::read);
        }
    }

    @Test
    @Warns
    void whatAHandlerThrowsIsUnknown() {
        GrpcClient client =
                unary(
                        (request, call) -> {
                            throw new IllegalStateException("secret");
                        });
        assertFails(GrpcCode.UNKNOWN, "the service failed", () -> client.unary(METHOD, "a"));
    }

    @Test
    void methodThatNobodyServesIsUnimplemented() {
        GrpcClient client = unary((request, call) -> request);
        assertFails(
                GrpcCode.UNIMPLEMENTED, "/test.Service/Missing", () -> client.unary(MISSING, "a"));
    }

    @Test
    void unaryCallHasOneRequest() throws Exception {
        GrpcClient client = unary((request, call) -> request);
        try (var call = client.open(METHOD)) {
            call.halfClose();
            assertFails(GrpcCode.INTERNAL, "requests: none", call::read);
        }
        try (var call = client.open(METHOD)) {
            call.write("a");
            call.write("b");
            call.halfClose();
            assertFails(GrpcCode.INTERNAL, "requests: several", call::read);
        }
    }

    @Test
    void messagesAreCompressedWhereBothWantIt() throws Exception {
        GrpcClient client =
                unary(
                        (request, call) -> {
                            assertThat(call.wasCompressed()).isTrue();
                            assertThat(call.compress(GrpcCoding.GZIP)).isTrue();
                            return request;
                        });
        GrpcCallOptions gzip = GrpcCallOptions.DEFAULT.withCoding(GrpcCoding.GZIP);
        try (var call = client.open(METHOD, gzip)) {
            call.write("a".repeat(90_000));
            call.halfClose();
            assertThat(call.read()).hasSize(90_000);
            assertThat(call.wasCompressed()).isTrue();
            assertThat(call.headers().first("grpc-encoding")).isEqualTo("gzip");
            assertThat(call.read()).isNull();
        }
    }

    @Test
    void messagesBeyondTheLimitEndTheCall() {
        GrpcClient client = unary((request, call) -> request + "x");
        assertFails(
                GrpcCode.RESOURCE_EXHAUSTED,
                "100001",
                () -> client.unary(METHOD, "a".repeat(100_001)));
        assertFails(
                GrpcCode.RESOURCE_EXHAUSTED,
                "100001",
                () -> client.unary(METHOD, "a".repeat(100_000)));
        GrpcCallOptions gzip = GrpcCallOptions.DEFAULT.withCoding(GrpcCoding.GZIP);
        assertFails(
                GrpcCode.RESOURCE_EXHAUSTED,
                "decompressed bytes",
                () -> client.unary(METHOD, "a".repeat(1_000_000), gzip));
    }

    @Test
    void messagesThatAreNoneEndTheCall() {
        GrpcClient client = unary((request, call) -> request.equals("ask") ? "bad" : request);
        assertFails(GrpcCode.INTERNAL, "text: bad", () -> client.unary(METHOD, "bad"));
        assertFails(GrpcCode.INTERNAL, "text: bad", () -> client.unary(METHOD, "ask"));
    }

    @Test
    void callerThatGivesUpInterruptsTheHandler() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CompletableFuture<String> interrupted = new CompletableFuture<>();
        GrpcClient client =
                unary(
                        (request, call) -> {
                            begun.countDown();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                interrupted.complete("over: " + call.isOver());
                                throw e;
                            }
                            return request;
                        });
        try (var call = client.open(METHOD)) {
            call.write("a");
            call.halfClose();
            begun.await();
            call.cancel();
            assertFails(GrpcCode.CANCELLED, "cancelled by the caller", call::read);
        }
        assertThat(interrupted.get()).isEqualTo("over: true");
    }

    @Test
    void callerThatGivesUpBehindAMessageEndsTheHandlersReads() throws Exception {
        CompletableFuture<GrpcCode> seen = new CompletableFuture<>();
        GrpcClient client =
                streams(
                        call -> {
                            call.write("first");
                            try {
                                while (call.read() != null) {
                                    // reads on
                                }
                            } catch (GrpcException e) {
                                seen.complete(e.status().code());
                                throw e;
                            }
                        });
        try (var call = client.open(METHOD)) {
            call.write("a");
            assertThat(call.read()).isEqualTo("first");
            call.cancel();
            assertFails(GrpcCode.CANCELLED, "cancelled by the caller", call::read);
        }
        assertThat(seen.get()).isEqualTo(GrpcCode.CANCELLED);
    }

    @Test
    void deadlineEndsTheCallOnBothSides() throws Exception {
        CompletableFuture<String> interrupted = new CompletableFuture<>();
        CountDownLatch heard = new CountDownLatch(1);
        GrpcClient client =
                streams(
                        call -> {
                            heard.countDown();
                            call.sendHeaders();
                            try {
                                new CountDownLatch(1).await();
                            } catch (InterruptedException e) {
                                interrupted.complete("left: " + call.remaining());
                                throw e;
                            }
                        });
        GrpcCallOptions soon = GrpcCallOptions.DEFAULT.withTimeout(Duration.ofMillis(200));
        do { // until the server has heard of a call before its time was over
            try (var call = client.open(METHOD, soon)) {
                assertFails(
                        GrpcCode.DEADLINE_EXCEEDED,
                        "",
                        () -> {
                            call.write("a");
                            call.read();
                        });
            }
        } while (heard.getCount() > 0);
        assertThat(interrupted.get()).startsWith("left: PT");
    }

    @Test
    void serverThatIsNotThereIsUnavailable() {
        GrpcClient client = unary((request, call) -> request);
        String url = url();
        if (server != null) {
            server.close();
        }
        assertFails(GrpcCode.UNAVAILABLE, url, () -> client.unary(METHOD, "a"));
    }

    @Test
    void clientsCanBeManyAtATime() throws Exception {
        GrpcClient client = unary((request, call) -> request);
        List<CompletableFuture<String>> answers =
                IntStream.range(0, 300)
                        .mapToObj(
                                i ->
                                        CompletableFuture.supplyAsync(
                                                () -> ask(client, "" + i),
                                                Thread::startVirtualThread))
                        .toList();
        for (int i = 0; i < answers.size(); i++) {
            assertThat(answers.get(i).get()).isEqualTo("" + i);
        }
    }

    private static String ask(GrpcClient client, String request) {
        try {
            return client.unary(METHOD, request);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    // ---- what is no call ----

    private Response post(Headers headers) throws Exception {
        return http().send(
                        Request.post(url() + METHOD.path(), Body.of("\0\0\0\0\1a"))
                                .withHeaders(headers));
    }

    @Test
    void requestThatIsNoneOfGrpcIsRefused() throws Exception {
        unary((request, call) -> request);
        assertThat(post(Headers.EMPTY).status().code()).isEqualTo(415);
        assertThat(post(Headers.of("content-type", "application/grpc-web")).status().code())
                .isEqualTo(415);
        Headers grpc = Headers.of("content-type", "application/grpc");
        assertThat(http().send(Request.get(url() + "/a/b").withHeaders(grpc)).status().code())
                .isEqualTo(405);
        try (HttpClient old =
                HttpClient.builder().transport("nio").protocol(HttpProtocol.HTTP_1_1).build()) {
            Request request = Request.post(url() + METHOD.path(), Body.of("")).withHeaders(grpc);
            assertThat(old.send(request).status().code()).isEqualTo(505);
        }
    }

    @Test
    void formatOfMessagesIsTheCallers() throws Exception {
        unary((request, call) -> request);
        Headers proto = Headers.of("content-type", "application/grpc+proto");
        Response response = post(proto);
        assertThat(response.headers().first("content-type")).isEqualTo("application/grpc+proto");
        assertThat(response.body().asString()).isEqualTo("\0\0\0\0\1a");
    }

    @Test
    void malformedFieldsEndTheCall() throws Exception {
        unary((request, call) -> request);
        Headers grpc = Headers.of("content-type", "application/grpc");
        Response coding = post(grpc.plus(GrpcCoding.ENCODING, "lz77"));
        assertThat(coding.headers().first("grpc-status")).isEqualTo("12");
        assertThat(coding.headers().first("grpc-accept-encoding")).isEqualTo("identity, gzip");
        Response time = post(grpc.plus(GrpcTimeout.NAME, "soon"));
        assertThat(time.headers().first("grpc-status")).isEqualTo("13");
    }

    @Test
    void bodyThatIsNoMessageEndsTheCall() throws Exception {
        unary((request, call) -> request);
        Headers grpc = Headers.of("content-type", "application/grpc");
        for (String body : new String[] {"\0\0\0\0\2a", "\0\0\0", "\2\0\0\0\1a", "\1\0\0\0\1a"}) {
            Request request = Request.post(url() + METHOD.path(), Body.of(body)).withHeaders(grpc);
            Headers answer = http().send(request).headers();
            assertThat(answer.first("grpc-status")).isEqualTo("13");
        }
    }

    @Test
    void serverThatGoesAwayFinishesItsCallsAndTheNextFindAnother() throws Exception {
        CountDownLatch begun = new CountDownLatch(1);
        CountDownLatch goOn = new CountDownLatch(1);
        GrpcClient client =
                unary(
                        (request, call) -> {
                            begun.countDown();
                            goOn.await();
                            return request;
                        });
        CompletableFuture<String> answer =
                CompletableFuture.supplyAsync(() -> ask(client, "a"), Thread::startVirtualThread);
        begun.await();
        if (server == null) {
            throw new IllegalStateException("no server");
        }
        var closed = server.shutdownGracefully(Duration.ofSeconds(60)).toCompletableFuture();
        goOn.countDown();
        assertThat(answer.get()).isEqualTo("a");
        closed.get();
        assertFails(GrpcCode.UNAVAILABLE, "", () -> client.unary(METHOD, "a"));
    }

    @Test
    void answerThatIsNoneOfGrpcHasTheCodeOfItsStatus() {
        server = GrpcLoopback.server().handler(request -> Response.text("hello")).listen();
        try (GrpcClient client = GrpcClient.create(url())) {
            assertFails(GrpcCode.UNKNOWN, "200 OK", () -> client.unary(METHOD, "a"));
        }
    }
}
