package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.compression.Decompressor;
import io.weft.http.client.HttpClientException.Malformed;
import io.weft.http.client.HttpClientException.RedirectFailed;
import io.weft.http.client.HttpClientException.TooLarge;
import io.weft.http.client.HttpClientException.Unsendable;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.testkit.LogCapture;
import io.weft.transport.sim.ScriptedPeer;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The client against our server, in virtual time.
class HttpClientTest {
    /// Gives `length` bytes of a pattern, as fast as they are pulled.
    static final class Pattern implements BodySource {
        final long length;
        long given;
        boolean closed;

        Pattern(long length) {
            this.length = length;
        }

        @Override
        public Step read(Buffer out) {
            while (out.writableBytes() > 0 && given < length) {
                out.writeByte((int) (given++ % 251));
            }
            return given == length ? Step.END : Step.MORE;
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    /// Gives every other 10,000 bytes in a buffer of its own.
    private static final class Handing implements BodySource {
        private static final int PART = 10_000;
        private final Pattern pattern;

        Handing(long length) {
            pattern = new Pattern(length);
        }

        private int left() {
            return (int) Math.min(PART - pattern.given % PART, pattern.length - pattern.given);
        }

        @Override
        public @Nullable Buffer take(int most) {
            int length = Math.min(most, left());
            if (length == 0 || pattern.given / PART % 2 == 1) {
                return null;
            }
            Buffer part = BufferAllocator.pooled().allocate(length);
            for (int i = 0; i < length; i++) {
                part.writeByte((int) (pattern.given++ % 251));
            }
            return part;
        }

        @Override
        public Step read(Buffer out) {
            for (int left = Math.min(out.writableBytes(), left()); left > 0; left--) {
                out.writeByte((int) (pattern.given++ % 251));
            }
            return pattern.given == pattern.length ? Step.END : Step.MORE;
        }
    }

    /// Waits for bytes for less than tests wait to read them.
    private static final HttpClientLimits IMPATIENT =
            HttpClientLimits.DEFAULT.withStallTimeout(Duration.ofSeconds(5));

    private static byte[] bytes(Response response) {
        return response.body() instanceof Body.Bytes some ? some.toByteArray() : new byte[0];
    }

    private static void assertPattern(byte[] bytes, int length) {
        assertThat(bytes).hasSize(length);
        for (int i = 0; i < length; i++) {
            if (bytes[i] != (byte) (i % 251)) {
                throw new AssertionError("byte " + i + ": " + bytes[i]);
            }
        }
    }

    private static Response echo(Request request) {
        return Response.of(Status.OK, Headers.EMPTY, request.body());
    }

    @Test
    void getsAResponse() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> Response.text("hello"))) {
            Response response = web.get("http://example.org/a?b");
            assertThat(response.status()).isSameAs(Status.OK);
            assertThat(response.body().asString()).isEqualTo("hello");
            Request request = web.requests.getFirst();
            assertThat(request.target().toString()).isEqualTo("/a?b");
            assertThat(request.headers().first("host")).isEqualTo("example.org");
            assertThat(request.headers().first("user-agent")).isEqualTo("weft");
        }
    }

    @Test
    void connectionsAreUsedAgain() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> Response.text(r.path()))) {
            for (int i = 0; i < 20; i++) {
                assertThat(web.get("http://s/" + i).body().asString()).isEqualTo("/" + i);
            }
            assertThat(web.connections).isEqualTo(1);
            assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
        }
    }

    @Test
    void otherPortsAndNamesAreOtherOrigins() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .serve(80, r -> Response.text("80"))
                        .serve(81, r -> Response.text("81"))) {
            assertThat(web.get("http://s/").body().asString()).isEqualTo("80");
            assertThat(web.get("http://s:81/").body().asString()).isEqualTo("81");
            assertThat(web.get("http://S:80/").body().asString()).isEqualTo("80");
            assertThat(web.get("http://t/").body().asString()).isEqualTo("80");
            assertThat(web.connections).isEqualTo(3);
            assertThat(web.requests.get(1).headers().first("host")).isEqualTo("s:81");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"POST", "PUT", "PATCH", "QUERY", "DELETE", "GET", "PURGE"})
    void bodiesOfAllMethodsArrive(String method) throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, HttpClientTest::echo)) {
            Request request =
                    Request.of(Method.of(method), RequestTarget.of("http://s/"))
                            .withBody(Body.of("hello"));
            assertThat(web.send(request).body().asString()).isEqualTo("hello");
            assertThat(web.send(request.withBody(Body.empty())).body().length()).isZero();
        }
    }

    @Test
    void largeBodiesInMemoryGoPieceByPiece() throws Exception {
        byte[] large = new byte[900_000];
        for (int i = 0; i < large.length; i++) {
            large[i] = (byte) (i % 251);
        }
        try (SimulatedWeb web = new SimulatedWeb().serve(80, HttpClientTest::echo)) {
            Response response = web.send(Request.post("http://s/", Body.of(large)));
            assertPattern(bytes(response), large.length);
            assertThat(web.requests.getFirst().headers().first("content-length"))
                    .isEqualTo("900000");
        }
    }

    @Test
    void streamedBodiesGoInChunksOrByTheirLength() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, HttpClientTest::echo)) {
            Pattern chunked = new Pattern(300_000);
            Response response = web.send(Request.post("http://s/", Body.of(chunked)));
            assertPattern(bytes(response), 300_000);
            assertThat(chunked.closed).isTrue();
            Request byLength = Request.post("http://s/", Body.of(new Pattern(70_000), 70_000));
            assertPattern(bytes(web.send(byLength)), 70_000);
            assertThat(web.requests.get(1).headers().first("content-length")).isEqualTo("70000");
            assertThat(web.connections).isEqualTo(1);
        }
    }

    @Test
    void aBodyThatFailsFailsItsRequest() throws Exception {
        AtomicInteger closes = new AtomicInteger();
        BodySource failing =
                new BodySource() {
                    @Override
                    public Step read(Buffer out) throws IOException {
                        throw new IOException("no more");
                    }

                    @Override
                    public void close() {
                        closes.incrementAndGet();
                    }
                };
        try (SimulatedWeb web = new SimulatedWeb().serve(80, HttpClientTest::echo)) {
            assertThatThrownBy(() -> web.send(Request.post("http://s/", Body.of(failing))))
                    .isInstanceOf(Unsendable.class)
                    .hasMessage("http://s: no more")
                    .hasRootCauseInstanceOf(IOException.class);
            assertThat(closes).hasValue(1);
            Request tooLong = Request.post("http://s/", Body.of(new Pattern(11), 10));
            assertThatThrownBy(() -> web.send(tooLong)).isInstanceOf(Unsendable.class);
            assertThat(web.send(Request.post("http://s/", Body.of("a"))).body().asString())
                    .isEqualTo("a");
        }
    }

    @Test
    void requestsThatWouldSmuggleAreNotSent() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, HttpClientTest::echo)) {
            for (String field : new String[] {"transfer-encoding", "content-length", "expect"}) {
                Request request =
                        Request.post("http://s/", Body.of("a")).withHeader(field, "chunked");
                assertThatThrownBy(() -> web.send(request))
                        .isInstanceOf(Unsendable.class)
                        .hasMessageContaining(field);
            }
            assertThat(web.get("http://s/").status()).isSameAs(Status.OK);
            assertThat(web.requests).hasSize(1);
            assertThat(web.connections).isEqualTo(1);
        }
    }

    @Test
    void targetsAreWholeUrls() {
        try (SimulatedWeb web = new SimulatedWeb()) {
            for (String url : new String[] {"/", "*", "example.org:80"}) {
                assertThatIllegalArgumentException()
                        .isThrownBy(() -> web.client().sendAsync(Request.get(url)));
            }
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> web.client().sendAsync(Request.get("ftp://a/")));
        }
    }

    @Test
    void responsesWithoutContentEndWithTheirHead() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .serve(
                                80,
                                r ->
                                        r.path().equals("/204")
                                                ? Response.of(Status.NO_CONTENT)
                                                : r.path().equals("/304")
                                                        ? Response.of(Status.NOT_MODIFIED)
                                                        : Response.text("hello"))) {
            Request head = Request.of(Method.HEAD, RequestTarget.of("http://s/"));
            assertThat(web.send(head).headers().first("content-length")).isEqualTo("5");
            assertThat(web.get("http://s/204").body().length()).isZero();
            assertThat(web.get("http://s/304").status()).isSameAs(Status.NOT_MODIFIED);
            assertThat(web.get("http://s/").body().asString()).isEqualTo("hello");
            assertThat(web.connections).isEqualTo(1);
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 9_999, 10_000, 50_000, 300_001})
    void buffersOfASourceAreSentAsTheyAre(int length) throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, HttpClientTest::echo)) {
            Request chunked = Request.post("http://s/", Body.of(new Handing(length)));
            assertPattern(bytes(web.send(chunked)), length);
            Request byLength = Request.post("http://s/", Body.of(new Handing(length), length));
            assertPattern(bytes(web.send(byLength)), length);
        }
    }

    @Test
    void buffersBeyondTheLengthOfABodyAreReleased() {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, HttpClientTest::echo)) {
            Request tooLong = Request.post("http://s/", Body.of(new Handing(9_000), 8_999));
            assertThatThrownBy(() -> web.send(tooLong)).isInstanceOf(Unsendable.class);
        }
    }

    // ---- streamed responses ----

    @Test
    void whatIsNotReadStaysWithTheServer() throws Exception {
        Pattern pattern = new Pattern(10_000_000);
        try (SimulatedWeb web =
                new SimulatedWeb(IMPATIENT)
                        .serve(80, r -> Response.of(Status.OK, Headers.EMPTY, Body.of(pattern)))) {
            StreamedResponse response = web.await(web.client().openAsync(Request.get("http://s/")));
            web.run(Duration.ofSeconds(20)); // less than our server waits
            assertThat(pattern.given).isLessThan(1_000_000);
            long before = pattern.given;
            CompletableFuture<Response> whole = response.collect(10_000_000).toCompletableFuture();
            assertPattern(bytes(web.await(whole)), 10_000_000);
            assertThat(before).isPositive();
            assertThat(pattern.closed).isTrue();
            assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
        }
    }

    @Test
    void aResponseStreamsIntoARequest() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .serve(
                                80,
                                r ->
                                        Response.of(
                                                Status.OK,
                                                Headers.EMPTY,
                                                Body.of(new Pattern(900_000))))
                        .serve(81, HttpClientTest::echo)) {
            StreamedResponse from = web.await(web.client().openAsync(Request.get("http://s/")));
            Response to = web.send(Request.post("http://s:81/", Body.of(from.source())));
            assertPattern(bytes(to), 900_000);
        }
    }

    @Test
    void closingAResponseGivesItUp() throws Exception {
        Pattern pattern = new Pattern(100_000_000);
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .serve(
                                80,
                                r ->
                                        r.path().equals("/small")
                                                ? Response.text("x".repeat(9000))
                                                : Response.of(
                                                        Status.OK,
                                                        Headers.EMPTY,
                                                        Body.of(pattern)))) {
            web.await(web.client().openAsync(Request.get("http://s/small"))).close();
            web.await(web.client().openAsync(Request.get("http://s/small"))).close();
            web.run(Duration.ofSeconds(1));
            assertThat(web.connections).as("what is small is received").isEqualTo(1);
            StreamedResponse large = web.await(web.client().openAsync(Request.get("http://s/")));
            large.close();
            web.runUntil(() -> pattern.closed);
            assertThat(pattern.given).isLessThan(1_000_000);
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    @Test
    void aBodyIsTakenOnce() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> Response.text("hello"))) {
            StreamedResponse response = web.await(web.client().openAsync(Request.get("http://s/")));
            try (response) {
                assertThat(response.inputStream().readNBytes(5)).hasSize(5);
                assertThatThrownBy(response::source).isInstanceOf(IllegalStateException.class);
            }
        }
    }

    @Test
    void collectedBodiesAreBounded() throws Exception {
        HttpClientLimits limits = HttpClientLimits.DEFAULT.withBody(1000);
        try (SimulatedWeb web =
                new SimulatedWeb(limits)
                        .serve(
                                80,
                                r ->
                                        Response.text(
                                                "x"
                                                        .repeat(
                                                                Integer.parseInt(
                                                                        r.path().substring(1)))))) {
            assertThat(web.get("http://s/1000").body().length()).isEqualTo(1000);
            assertThatThrownBy(() -> web.get("http://s/1001"))
                    .isInstanceOf(TooLarge.class)
                    .hasMessage("http://s: body: over 1000 (expected: at most 1000)");
        }
    }

    // ---- redirects ----

    private static Response to(int status, String location) {
        return Response.of(Status.of(status)).withHeader("location", location);
    }

    @Test
    void redirectsAreFollowed() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .serve(
                                80,
                                r ->
                                        switch (r.path()) {
                                            case "/a" -> to(301, "b?c");
                                            case "/b" -> to(302, "//t:81/d");
                                            default -> Response.text("end");
                                        })
                        .serve(81, r -> to(307, "http://s/end"))) {
            Request first =
                    Request.get("http://s/a")
                            .withHeader("authorization", Credentials.basic("u", "p"));
            StreamedResponse response = web.await(web.client().openAsync(first));
            assertThat(response.request().target().toString()).isEqualTo("http://s/end");
            response.close();
            assertThat(web.requests)
                    .extracting(r -> r.headers().contains("authorization"))
                    .containsExactly(true, true, false, false);
        }
    }

    @Test
    void bodiesAreSentAgainWhereTheStatusSaysSo() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .serve(
                                80,
                                r ->
                                        switch (r.path()) {
                                            case "/307" -> to(307, "/echo");
                                            case "/303" -> to(303, "/echo");
                                            default -> echo(r);
                                        })) {
            Body body = Body.of("hello");
            assertThat(web.send(Request.post("http://s/307", body)).body().asString())
                    .isEqualTo("hello");
            assertThat(web.send(Request.post("http://s/303", body)).body().length()).isZero();
            assertThat(web.requests.getLast().method()).isSameAs(Method.GET);
            Body stream = Body.of(new Pattern(5));
            assertThat(web.send(Request.post("http://s/307", stream)).status().code())
                    .isEqualTo(307);
        }
    }

    @Test
    void redirectsAreBounded() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> to(302, r.path() + "x"))) {
            assertThatThrownBy(() -> web.get("http://s/"))
                    .isInstanceOf(RedirectFailed.class)
                    .hasMessage("http://s: redirects: over 10 (expected: at most)");
            assertThat(web.requests).hasSize(11);
        }
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> to(302, "ftp://a/"))) {
            assertThatThrownBy(() -> web.get("http://s/")).isInstanceOf(RedirectFailed.class);
        }
        HttpClientLimits none = HttpClientLimits.DEFAULT.withRedirects(0);
        try (SimulatedWeb web = new SimulatedWeb(none).serve(80, r -> to(302, "/"))) {
            assertThat(web.get("http://s/").status()).isSameAs(Status.FOUND);
        }
    }

    // ---- content codings ----

    private static byte[] coded(String coding, byte[] plain) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        try (var out =
                coding.endsWith("gzip")
                        ? new GZIPOutputStream(bytes)
                        : new DeflaterOutputStream(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    private static Response coded(Request request, @Nullable String as) {
        String coding = request.path().substring(1);
        try {
            byte[] plain = "hello ".repeat(40_000).getBytes(StandardCharsets.US_ASCII);
            return Response.of(
                    Status.OK,
                    Headers.of("content-encoding", as == null ? coding : as),
                    Body.wrap(coded(coding, plain)));
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }

    /// The connection is aborted within the decoder, before what came behind the fault.
    @Test
    void faultWithinABodyIsTheLastThatIsTakenOfIt() {
        try (LogCapture logged = new LogCapture("io.weft");
                SimulatedWeb web = new SimulatedWeb()) {
            web.script(
                    80,
                    new ScriptedPeer()
                            .expects("GET / HTTP/1.1\r\n")
                            .sends(
                                    "HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n"
                                            + "content-encoding: gzip\r\n\r\n"
                                            + "4\r\nnope\r\n".repeat(20)
                                            + "0\r\n\r\n"));
            assertThatThrownBy(() -> web.get("http://s/")).isInstanceOf(Malformed.class);
            web.run(Duration.ofSeconds(1));
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
            assertThat(logged.warnings()).noneMatch(line -> line.contains("handler http1 threw"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "x-gzip", "deflate"})
    void codingsAreUndone(String coding) throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> coded(r, null))) {
            Response response = web.get("http://s/" + coding);
            assertThat(response.body().asString()).isEqualTo("hello ".repeat(40_000));
            assertThat(response.headers().contains("content-encoding")).isFalse();
            assertThat(web.requests.getFirst().headers().first("accept-encoding"))
                    .isEqualTo("gzip, deflate");
            Request own =
                    Request.get("http://s/" + coding).withHeader("accept-encoding", "gzip, x");
            assertThat(web.send(own).headers().first("content-encoding")).isEqualTo(coding);
            assertThat(web.connections).isEqualTo(1);
        }
    }

    @Test
    void codedBodiesAreExpandedNoFasterThanTheyAreRead() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb(IMPATIENT).serve(80, r -> coded(r, null))) {
            StreamedResponse response =
                    web.await(web.client().openAsync(Request.get("http://s/gzip")));
            web.run(Duration.ofSeconds(20)); // less than our server waits
            CompletableFuture<Response> whole = response.collect(1 << 20).toCompletableFuture();
            assertThat(web.await(whole).body().length()).isEqualTo(240_000);
            assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
        }
    }

    @Test
    void codingThatCannotBeUndoneFailsItsRequest() throws Exception {
        for (Throwable missing :
                List.of(
                        new UnsupportedOperationException("no library"),
                        new LinkageError("no library"))) {
            try (SimulatedWeb web =
                    new SimulatedWeb(
                                    HttpClientLimits.DEFAULT,
                                    b -> b.decoder("x", _ -> sneaky(missing)))
                            .serve(
                                    80,
                                    _ -> Response.text("?").withHeader("content-encoding", "x"))) {
                assertThatThrownBy(() -> web.get("http://s/"))
                        .isInstanceOf(Malformed.class)
                        .hasMessageContaining("no library");
            }
        }
    }

    private static Decompressor sneaky(Throwable missing) {
        if (missing instanceof Error error) {
            throw error;
        }
        throw (RuntimeException) missing;
    }

    @Test
    void cookiesThatCannotBeKeptFailNoRequest() throws Exception {
        CookieJar jar =
                CookieJar.create(
                        _ -> {
                            throw new IllegalStateException("no list of suffixes");
                        });
        try (LogCapture logged = new LogCapture("io.weft");
                SimulatedWeb web =
                        new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.cookies(jar))
                                .serve(
                                        80,
                                        _ ->
                                                Response.text("hello")
                                                        .withHeader(
                                                                "set-cookie", "a=b; Domain=s"))) {
            assertThat(web.get("http://s/").body().asString()).isEqualTo("hello");
            assertThat(logged.warnings())
                    .singleElement()
                    .asString()
                    .contains("cookies of http://s");
        }
    }

    @Test
    void codingsThatAreNoneAndBombsAreRefused() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> coded(r, "gzip"))) {
            assertThatThrownBy(() -> web.get("http://s/deflate")).isInstanceOf(Malformed.class);
        }
        var small = HttpClientLimits.DEFAULT.decompression().total(100_000);
        HttpClientLimits limits = HttpClientLimits.DEFAULT.withDecompression(small);
        try (SimulatedWeb web = new SimulatedWeb(limits).serve(80, r -> coded(r, null))) {
            assertThatThrownBy(() -> web.get("http://s/gzip")).isInstanceOf(TooLarge.class);
        }
        try (SimulatedWeb web =
                new SimulatedWeb(HttpClientLimits.DEFAULT, HttpClient.Builder::withoutDecompression)
                        .serve(80, r -> coded(r, null))) {
            assertThat(web.get("http://s/gzip").headers().first("content-encoding"))
                    .isEqualTo("gzip");
        }
    }
}
