package io.weft.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.client.HttpClientException.Disconnected;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.http.client.HttpClientException.Unsendable;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.FrameEncoder;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Settings;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HexFormat;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The client over HTTP/2, by prior knowledge, on a simulated network.
class Http2ClientTest {
    private static final String URL = "http://example.com/";
    private static final Headers NONE = Headers.EMPTY;

    private final List<Http2Peer> peers = new ArrayList<>();
    private SimulatedWeb web = web(HttpClientLimits.DEFAULT);

    private static SimulatedWeb web(HttpClientLimits limits) {
        return new SimulatedWeb(limits, b -> b.protocol(HttpProtocol.HTTP_2));
    }

    @AfterEach
    void end() {
        web.close();
    }

    private void serve(Http2Peer.Script script) {
        serve(Http2Limits.DEFAULT, script);
    }

    private void serve(Http2Limits limits, Http2Peer.Script script) {
        web.handle(
                80,
                () -> {
                    Http2Peer peer = new Http2Peer(limits, script);
                    peers.add(peer);
                    return peer;
                });
    }

    /// Answers by what a test says, once the request is whole.
    private void answer(Answer answer) {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                        answer.answer(peer, exchange);
                    }
                });
    }

    private interface Answer {
        void answer(Http2Peer peer, Http2Peer.Exchange exchange);
    }

    private Http2Peer peer() {
        return peers.getFirst();
    }

    private static byte[] bytes(int length) {
        byte[] bytes = new byte[length];
        for (int i = 0; i < length; i++) {
            bytes[i] = (byte) ((i * 31) >> 5);
        }
        return bytes;
    }

    private static byte[] bytes(Response response) {
        return ((Body.Bytes) response.body()).toByteArray();
    }

    private List<CompletableFuture<Response>> many(int count) {
        List<CompletableFuture<Response>> futures = new ArrayList<>();
        for (int i = 0; i < count; i++) {
            futures.add(web.client().sendAsync(Request.post(URL + i, Body.of("body " + i))));
        }
        return futures;
    }

    private void assertEchoed(List<CompletableFuture<Response>> futures) throws Exception {
        for (int i = 0; i < futures.size(); i++) {
            assertThat(web.await(futures.get(i)).body().asString()).isEqualTo("body " + i);
        }
    }

    // ---- messages ----

    @Test
    void requestAndResponseKeepTheirParts() throws Exception {
        answer(
                (peer, exchange) ->
                        peer.respond(
                                exchange,
                                Status.CREATED,
                                Headers.of("x-answer", "42"),
                                "hello".getBytes(UTF_8)));
        Response response =
                web.send(
                        Request.post(URL + "path?q=1", Body.of("abc"))
                                .withHeaders(Headers.of("x-question", "6*7")));
        assertThat(response.status()).isEqualTo(Status.CREATED);
        assertThat(response.headers().first("x-answer")).isEqualTo("42");
        assertThat(response.body().asString()).isEqualTo("hello");
        Http2Peer.Exchange exchange = peer().exchanges.getFirst();
        assertThat(exchange.head.method()).isEqualTo(Method.POST);
        assertThat(exchange.head.scheme()).isEqualTo("http");
        assertThat(exchange.head.target()).hasToString("/path?q=1");
        assertThat(exchange.head.headers().first("host")).isEqualTo("example.com");
        assertThat(exchange.head.headers().first("x-question")).isEqualTo("6*7");
        assertThat(exchange.head.headers().first("user-agent")).isEqualTo("weft");
        assertThat(exchange.head.contentLength()).isEqualTo(3);
        assertThat(exchange.content).hasToString("abc");
    }

    @Test
    void fieldsOfConnectionsAreNotSent() throws Exception {
        serve(new Http2Peer.Script() {});
        Headers headers =
                Headers.builder()
                        .add("connection", "x-hop")
                        .add("x-hop", "1")
                        .add("te", "gzip")
                        .build();
        assertThat(web.send(Request.get(URL).withHeaders(headers)).status()).isEqualTo(Status.OK);
        Headers received = peer().exchanges.getFirst().head.headers();
        assertThat(received.contains("connection")).isFalse();
        assertThat(received.contains("x-hop")).isFalse();
        assertThat(received.contains("te")).isFalse();
    }

    @Test
    void requestsThatWouldSmuggleOverHttp1AreNotSent() throws Exception {
        serve(new Http2Peer.Script() {});
        for (String field : new String[] {"transfer-encoding", "content-length", "expect"}) {
            assertThatThrownBy(
                            () ->
                                    web.send(
                                            Request.post(URL, Body.of("a"))
                                                    .withHeaders(Headers.of(field, "chunked"))))
                    .isInstanceOf(Unsendable.class)
                    .hasMessageContaining(field);
        }
        Headers upgrade =
                Headers.builder().add("connection", "upgrade").add("upgrade", "x").build();
        assertThatThrownBy(() -> web.send(Request.get(URL).withHeaders(upgrade)))
                .isInstanceOf(Unsendable.class)
                .hasMessageContaining("upgrade: over HTTP/2");
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        assertThat(peer().exchanges).hasSize(1);
        assertThat(web.connections).isEqualTo(1);
    }

    @Test
    void headHasNoBodyWhateverItsFieldsSay() throws Exception {
        answer(
                (peer, exchange) ->
                        peer.respond(
                                exchange,
                                Status.OK,
                                Headers.builder()
                                        .add("content-length", "1000")
                                        .add("content-encoding", "gzip")
                                        .build(),
                                new byte[0]));
        Response response = web.send(Request.of(Method.HEAD, RequestTarget.of(URL)));
        assertThat(response.headers().first("content-length")).isEqualTo("1000");
        assertThat(response.body().length()).isZero();
    }

    @Test
    void trailersAreTold() throws Exception {
        answer(
                (peer, exchange) ->
                        peer.respond(
                                exchange,
                                Status.OK,
                                NONE,
                                "x".getBytes(UTF_8),
                                Headers.of("grpc-status", "0")));
        StreamedResponse response = web.await(web.client().openAsync(Request.get(URL)));
        assertThat(web.await(response.collect(100).toCompletableFuture()).body().asString())
                .isEqualTo("x");
        assertThat(response.trailers().first("grpc-status")).isEqualTo("0");
    }

    @Test
    void fieldsBehindTheBodyOfARequestAreSent() throws Exception {
        serve(new Http2Peer.Script() {});
        for (int length : new int[] {0, 3, 300_000}) {
            BodySource source = RequestSender.source(Body.wrap(bytes(length)));
            BodySource summed =
                    new BodySource() {
                        @Override
                        public Step read(Buffer out) throws IOException {
                            return source.read(out);
                        }

                        @Override
                        public Headers trailers() {
                            return Headers.of("x-sum", "42");
                        }
                    };
            Response response = web.send(Request.post(URL, Body.of(summed)));
            assertThat(response.body().length()).isEqualTo(length);
            assertThat(peer().exchanges.getLast().trailers).isEqualTo(Headers.of("x-sum", "42"));
        }
    }

    @Test
    void largeBodiesGoBothWays() throws Exception {
        serve(new Http2Peer.Script() {});
        byte[] large = bytes(3_000_000);
        Response response = web.send(Request.post(URL, Body.of(large)));
        assertThat(bytes(response)).isEqualTo(large);
        assertThat(peer().exchanges.getFirst().content.toByteArray()).isEqualTo(large);
    }

    @Test
    void interimResponseLetsTheBodyGo() throws Exception {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        assertThat(exchange.content.size()).isZero();
                        exchange.stream.response(Status.CONTINUE, NONE, false);
                    }
                });
        Response response =
                web.send(
                        Request.post(URL, Body.of("waits"))
                                .withHeaders(Headers.of("expect", "100-continue")));
        assertThat(response.body().asString()).isEqualTo("waits");
    }

    // ---- streams ----

    @Test
    void requestsOfOneOriginShareAConnection() throws Exception {
        serve(new Http2Peer.Script() {});
        assertEchoed(many(50));
        assertEchoed(many(50));
        assertThat(web.connections).isEqualTo(1);
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    @Test
    void noMoreStreamsAreOpenedThanTheServerTakes() throws Exception {
        web.close();
        web = web(HttpClientLimits.DEFAULT.withPerOrigin(1));
        List<Http2Peer.Exchange> held = new ArrayList<>();
        serve(
                Http2Limits.DEFAULT.withStreams(2),
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                        held.add(exchange);
                    }
                });
        List<CompletableFuture<Response>> futures = many(7);
        for (int i = 0; i < 7; i++) {
            web.runUntil(() -> !held.isEmpty());
            web.run(Duration.ofSeconds(1));
            Http2Peer.Exchange first = held.removeFirst();
            peer().respond(first, Status.OK, NONE, first.content.toByteArray());
        }
        for (CompletableFuture<Response> future : futures) {
            assertThat(web.await(future).status()).isEqualTo(Status.OK);
        }
        assertThat(peer().mostOpen).isEqualTo(2);
        assertThat(web.connections).isEqualTo(1);
    }

    /// A server that takes no streams any more.
    private static final byte[] NO_STREAMS =
            HexFormat.of().parseHex("000006" + "04" + "00" + "00000000" + "0003" + "00000000");

    private void serveOnce() throws Exception {
        web.close();
        web = web(HttpClientLimits.DEFAULT.withPerOrigin(1));
        serve(new Http2Peer.Script() {});
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        peer().write(NO_STREAMS);
        web.run(Duration.ofSeconds(1));
    }

    @Test
    void requestWaitsForAStreamNoLongerThanForAConnection() throws Exception {
        serveOnce();
        CompletableFuture<Response> future = web.client().sendAsync(Request.get(URL));
        web.run(Duration.ofSeconds(9));
        assertThat(future).isNotDone();
        web.run(Duration.ofSeconds(2));
        assertThat(future).isDone();
        assertThatThrownBy(() -> web.await(future)).isInstanceOf(TimedOut.class);
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    @Test
    void requestThatWaitsForAStreamIsCancelled() throws Exception {
        serveOnce();
        CompletableFuture<Response> future = web.client().sendAsync(Request.get(URL));
        web.run(Duration.ofSeconds(1));
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=0, waiting=0]");
        future.cancel(true);
        web.run(Duration.ofSeconds(1));
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    @Test
    void streamThatWaitsWhenTheServerGoesAwayIsSentElsewhere() throws Exception {
        serveOnce();
        BodySource source = RequestSender.source(Body.wrap(bytes(100_000)));
        CompletableFuture<Response> future =
                web.client().sendAsync(Request.post(URL, Body.of(source)));
        web.run(Duration.ofSeconds(1));
        peer().h2().finishShutdown();
        peer().flush();
        assertThat(bytes(web.await(future))).isEqualTo(bytes(100_000));
        assertThat(peers).hasSize(2);
    }

    @Test
    void cancelledRequestResetsItsStreamAlone() throws Exception {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                        if (!exchange.head.target().toString().equals("/never")) {
                            peer.respond(exchange, Status.OK, NONE, new byte[0]);
                        }
                    }
                });
        CompletableFuture<Response> never = web.client().sendAsync(Request.get(URL + "never"));
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        never.cancel(true);
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        assertThat(peer().exchanges.getFirst().reset).isEqualTo(ErrorCode.CANCEL.code());
        assertThat(web.connections).isEqualTo(1);
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    @Test
    void responseThatIsGivenUpResetsItsStreamAtOnce() throws Exception {
        answer((peer, exchange) -> exchange.stream.response(Status.OK, NONE, false));
        StreamedResponse response = web.await(web.client().openAsync(Request.get(URL)));
        response.close();
        web.run(Duration.ofSeconds(1));
        assertThat(peer().exchanges.getFirst().reset).isEqualTo(ErrorCode.CANCEL.code());
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    @Test
    void resetTellsItsCode() throws Exception {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        exchange.stream.reset(ErrorCode.ENHANCE_YOUR_CALM);
                    }
                });
        assertThatThrownBy(() -> web.get(URL))
                .isInstanceOf(Disconnected.class)
                .hasMessageContaining("ENHANCE_YOUR_CALM")
                .cause()
                .isInstanceOfSatisfying(
                        StreamResetException.class,
                        reset -> assertThat(reset.code()).isEqualTo(11));
    }

    @Test
    void serverMayAnswerWithoutTheRestOfTheRequest() throws Exception {
        serve(
                Http2Limits.DEFAULT,
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        if (exchange.head.contentLength() > 0) {
                            exchange.stream.response(Status.CONTENT_TOO_LARGE, NONE, true);
                            exchange.stream.reset(ErrorCode.NO_ERROR);
                        }
                    }
                });
        Response response = web.send(Request.post(URL, Body.of(bytes(1_000_000))));
        assertThat(response.status()).isEqualTo(Status.CONTENT_TOO_LARGE);
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        assertThat(web.connections).isEqualTo(1);
    }

    // ---- flow control ----

    /// A source that gives some bytes, and its end when it is woken.
    private static final class Pausing implements BodySource {
        final List<Runnable> wakes = new ArrayList<>();
        int left;
        boolean pauses;
        boolean ends;

        Pausing(int bytes) {
            left = bytes;
        }

        @Override
        public Step read(Buffer out) {
            if (ends) {
                return Step.END;
            }
            int bytes = Math.min(left, out.writableBytes());
            out.writeBytes(new byte[bytes]);
            left -= bytes;
            pauses = left == 0;
            return pauses ? Step.WAIT : Step.MORE;
        }

        @Override
        public void onWake(Runnable wake) {
            wakes.add(wake);
        }
    }

    /// Bytes of a connection that are under way at most, of its send buffer and its receive buffer.
    private static final int NETWORK_TAKES = 2 * 65_536;

    private void partition() {
        web.simulation.network().partition(web.serving, web.asking);
    }

    private void heal() {
        web.simulation.network().heal(web.serving, web.asking);
    }

    @Test
    void uploadThatPausesIsNotLateWhileOthersAreSent() throws Exception {
        serve(Http2Limits.DEFAULT.withWindows(1 << 20, 8 << 20), new Http2Peer.Script() {});
        BodySource endless =
                out -> {
                    out.writeBytes(new byte[out.writableBytes()]);
                    return BodySource.Step.MORE;
                };
        var _ = web.client().sendAsync(Request.post(URL + "busy", Body.of(endless)));
        web.runUntil(() -> !peers.isEmpty() && !peer().exchanges.isEmpty());
        Pausing pausing = new Pausing(1);
        var upload = web.client().sendAsync(Request.post(URL + "slow", Body.of(pausing)));
        web.runUntil(() -> pausing.pauses);
        partition();
        web.run(Duration.ofSeconds(20));
        heal();
        web.run(Duration.ofMillis(3));
        partition();
        web.run(Duration.ofSeconds(20));
        assertThat(upload).isNotDone();
        heal();
        pausing.ends = true;
        pausing.wakes.getFirst().run();
        assertThat(web.await(upload).body().length()).isEqualTo(1);
    }

    @Test
    void uploadThatPausesIsLateOnAConnectionThatStandsStill() {
        serve(Http2Limits.DEFAULT.withWindows(1 << 20, 8 << 20), new Http2Peer.Script() {});
        var _ = web.client().sendAsync(Request.get(URL));
        web.run(Duration.ofSeconds(1)); // each has the settings of the other
        partition();
        Pausing pausing = new Pausing(NETWORK_TAKES + 16_384);
        var upload = web.client().sendAsync(Request.post(URL + "slow", Body.of(pausing)));
        web.runUntil(() -> pausing.pauses);
        web.run(Duration.ofSeconds(40));
        assertThat(upload).isDone();
        assertThatThrownBy(() -> web.await(upload)).isInstanceOf(TimedOut.class);
    }

    @Test
    void bodyThatIsNotReadStopsItsStreamAndNoOther() throws Exception {
        byte[] large = bytes(2_000_000);
        answer(
                (peer, exchange) ->
                        peer.respond(
                                exchange,
                                Status.OK,
                                NONE,
                                exchange.head.target().toString().equals("/large")
                                        ? large
                                        : new byte[0]));
        StreamedResponse response = web.await(web.client().openAsync(Request.get(URL + "large")));
        web.run(Duration.ofSeconds(5));
        assertThat(peer().exchanges.getFirst().sent()).isLessThan(500_000);
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        Response whole = web.await(response.collect(large.length).toCompletableFuture());
        assertThat(bytes(whole)).isEqualTo(large);
    }

    @Test
    void bodiesThatAreNotReadYetStopNoOther() throws Exception {
        byte[] large = bytes(300_000);
        answer((peer, exchange) -> peer.respond(exchange, Status.OK, NONE, large));
        List<StreamedResponse> responses = new ArrayList<>();
        for (int i = 0; i < 90; i++) {
            responses.add(web.await(web.client().openAsync(Request.get(URL + i))));
        }
        web.run(Duration.ofSeconds(5));
        for (StreamedResponse response : responses) {
            Response whole = web.await(response.collect(large.length).toCompletableFuture());
            assertThat(bytes(whole)).isEqualTo(large);
        }
        assertThat(web.connections).isEqualTo(1);
    }

    @Test
    void bodyThatIsGivenUpLeavesTheWindowToOthers() throws Exception {
        byte[] large = bytes(1_000_000);
        answer((peer, exchange) -> peer.respond(exchange, Status.OK, NONE, large));
        for (int i = 0; i < 40; i++) {
            web.await(web.client().openAsync(Request.get(URL))).close();
        }
        assertThat(web.get(URL).body().length()).isEqualTo(large.length);
        assertThat(web.connections).isEqualTo(1);
    }

    @Test
    void manyBodiesThatAreGivenUpDoNotEndTheConnection() throws Exception {
        web.close();
        web = web(HttpClientLimits.DEFAULT.withResets(1000));
        byte[] large = bytes(300_000);
        serve(
                Http2Limits.DEFAULT.withBudgets(1000, 100_000, Duration.ofSeconds(10)),
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                        peer.respond(exchange, Status.OK, NONE, large);
                    }
                });
        for (int i = 0; i < 50; i++) {
            List<CompletableFuture<StreamedResponse>> some = new ArrayList<>();
            for (int n = 0; n < 10; n++) {
                some.add(web.client().openAsync(Request.get(URL)));
            }
            for (CompletableFuture<StreamedResponse> one : some) {
                web.await(one).close();
            }
            web.run(Duration.ofMillis(50)); // until the streams have ended
        }
        assertThat(web.get(URL).body().length()).isEqualTo(large.length);
        assertThat(web.connections).isEqualTo(1);
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    @Test
    void wholeResponseOutlivesItsConnection() throws Exception {
        byte[] large = new byte[600_000];
        answer(
                (peer, exchange) -> {
                    peer.respond(
                            exchange,
                            Status.OK,
                            Headers.of("content-encoding", "gzip"),
                            gzip(large));
                    peer.h2().finishShutdown();
                    peer.close();
                });
        StreamedResponse response = web.await(web.client().openAsync(Request.get(URL)));
        web.run(Duration.ofSeconds(5));
        assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        Response whole = web.await(response.collect(large.length).toCompletableFuture());
        assertThat(bytes(whole)).isEqualTo(large);
    }

    /// RFC 9113, 8.1: the response of a server that wants no more of the request is not discarded.
    @Test
    void wholeResponseOutlivesTheResetOfItsStream() throws Exception {
        byte[] large = new byte[600_000];
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        exchange.stream.response(
                                Status.OK, Headers.of("content-encoding", "gzip"), false);
                        byte[] body = gzip(large);
                        Buffer piece = BufferAllocator.pooled().allocate(body.length);
                        exchange.stream.data(piece.writeBytes(body), true);
                        exchange.stream.reset(ErrorCode.NO_ERROR);
                    }
                });
        StreamedResponse response =
                web.await(web.client().openAsync(Request.post(URL, Body.of(bytes(1_000_000)))));
        web.run(Duration.ofSeconds(5));
        Response whole = web.await(response.collect(large.length).toCompletableFuture());
        assertThat(bytes(whole)).isEqualTo(large);
    }

    private static byte[] gzip(byte[] bytes) {
        ByteArrayOutputStream compressed = new ByteArrayOutputStream();
        try (GZIPOutputStream out = new GZIPOutputStream(compressed)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return compressed.toByteArray();
    }

    // ---- failures ----

    @Test
    void refusedStreamsAreRepeatedWhateverTheMethod() throws Exception {
        int[] refusals = {2};
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        if (refusals[0]-- > 0) {
                            exchange.stream.reset(ErrorCode.REFUSED_STREAM);
                        }
                    }
                });
        assertThat(web.send(Request.post(URL, Body.of("again"))).body().asString())
                .isEqualTo("again");
        assertThat(peer().exchanges).hasSize(3);
    }

    @Test
    void requestThatIsAlwaysRefusedFails() {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        exchange.stream.reset(ErrorCode.REFUSED_STREAM);
                    }
                });
        assertThatThrownBy(() -> web.send(Request.post(URL, Body.of("again"))))
                .isInstanceOf(Disconnected.class)
                .hasMessageContaining("REFUSED_STREAM");
        assertThat(peer().exchanges).hasSize(4);
    }

    @Test
    void lateResponseFailsItsRequestAlone() throws Exception {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                        if (exchange.head.method() == Method.GET) {
                            peer.respond(exchange, Status.OK, NONE, new byte[0]);
                        }
                    }
                });
        assertThatThrownBy(() -> web.send(Request.post(URL, Body.of("x"))))
                .isInstanceOf(TimedOut.class);
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        assertThat(peer().exchanges.getFirst().reset).isEqualTo(ErrorCode.CANCEL.code());
        assertThat(web.connections).isEqualTo(1);
    }

    @Test
    void resetStreamFailsItsRequestAlone() throws Exception {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        if (exchange.head.method() == Method.POST) {
                            exchange.stream.reset(ErrorCode.INTERNAL_ERROR);
                        }
                    }
                });
        assertThatThrownBy(() -> web.send(Request.post(URL, Body.of("x"))))
                .isInstanceOf(Disconnected.class)
                .hasMessageContaining("INTERNAL_ERROR");
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        assertThat(web.connections).isEqualTo(1);
    }

    @Test
    void requestsThatTheServerGoesAwayBeforeAreRepeatedElsewhere() throws Exception {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void begun(Http2Peer peer, Http2Peer.Exchange exchange) {
                        if (peer == peers.getFirst() && peer.exchanges.size() == 1) {
                            peer.h2().finishShutdown();
                        }
                    }
                });
        List<CompletableFuture<Response>> futures = many(5);
        assertEchoed(futures);
        assertThat(peers).hasSize(2);
        assertThat(peers.get(0).exchanges).hasSize(1);
        assertThat(peers.get(1).exchanges).hasSize(4);
    }

    @Test
    void brokenConnectionFailsItsRequests() {
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {
                        if (peer.exchanges.size() == 3) {
                            peer.abort();
                        }
                    }
                });
        List<CompletableFuture<Response>> futures = many(3);
        for (CompletableFuture<Response> future : futures) {
            assertThatThrownBy(() -> web.await(future)).isInstanceOf(Disconnected.class);
        }
        web.run(Duration.ofSeconds(1));
        assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
    }

    @Test
    void idempotentRequestOnAKeptConnectionIsRepeated() throws Exception {
        answer(
                (peer, exchange) -> {
                    if (peer == peers.getFirst() && peer.exchanges.size() == 2) {
                        peer.abort();
                    } else {
                        peer.respond(exchange, Status.OK, NONE, new byte[0]);
                    }
                });
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        assertThat(peers).hasSize(2);
    }

    @Test
    void serverThatSpeaksSomethingElseIsLeft() {
        answer((peer, exchange) -> peer.write("HTTP/1.1 400 Bad Request\r\n\r\n".getBytes(UTF_8)));
        assertThatThrownBy(() -> web.get(URL))
                .isInstanceOf(Disconnected.class)
                .hasMessageContaining("expected: at most 16384");
        web.run(Duration.ofSeconds(1));
        assertThat(peer().goneAway).isEqualTo(ErrorCode.FRAME_SIZE_ERROR.code());
    }

    // ---- the end ----

    @Test
    void idleConnectionClosesWithGoaway() throws Exception {
        serve(new Http2Peer.Script() {});
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        web.run(HttpClientLimits.DEFAULT.idleTimeout().plusSeconds(5));
        assertThat(peer().goneAway).isEqualTo(ErrorCode.NO_ERROR.code());
        assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
    }

    @Test
    void closedClientFinishesItsRequests() throws Exception {
        List<Http2Peer.Exchange> held = new ArrayList<>();
        answer((peer, exchange) -> held.add(exchange));
        CompletableFuture<Response> future = web.client().sendAsync(Request.get(URL));
        web.runUntil(() -> !held.isEmpty());
        var _ = web.client().shutdownGracefully(Duration.ofSeconds(10));
        peer().respond(held.getFirst(), Status.OK, NONE, "late".getBytes(UTF_8));
        assertThat(web.await(future).body().asString()).isEqualTo("late");
        web.runUntil(() -> peer().goneAway == ErrorCode.NO_ERROR.code());
        assertThat(Arrays.asList(web.client().toString()))
                .containsExactly("HttpClient[connections=0, idle=0, waiting=0]");
    }

    // ---- keep-alive ----

    private void keepAlive(Duration silence) {
        web.close();
        web =
                new SimulatedWeb(
                        HttpClientLimits.DEFAULT.withHeadTimeout(Duration.ofHours(1)),
                        b -> b.protocol(HttpProtocol.HTTP_2).keepAlive(silence));
    }

    @Test
    void serverThatAnswersPingsMayTakeItsTime() throws Exception {
        keepAlive(Duration.ofSeconds(5));
        serve(
                new Http2Peer.Script() {
                    @Override
                    public void whole(Http2Peer peer, Http2Peer.Exchange exchange) {}
                });
        CompletableFuture<Response> future = web.client().sendAsync(Request.get(URL));
        web.run(Duration.ofMinutes(10));
        assertThat(future).isNotDone();
        peer().respond(peer().exchanges.getFirst(), Status.OK, NONE, bytes(3));
        assertThat(bytes(web.await(future))).hasSize(3);
        assertThat(peers).hasSize(1);
    }

    @Test
    void serverThatAnswersNoPingLosesItsConnection() {
        keepAlive(Duration.ofSeconds(5));
        web.handle(80, Silent::new);
        CompletableFuture<Response> future =
                web.client().sendAsync(Request.post(URL, Body.of("x")));
        web.run(Duration.ofSeconds(9));
        assertThat(future).isNotDone();
        web.run(Duration.ofSeconds(3));
        assertThatThrownBy(() -> web.await(future))
                .isInstanceOf(Disconnected.class)
                .hasStackTraceContaining("PING: unanswered (expected: an answer in PT5S)");
    }

    /// Sends SETTINGS, and drops whatever comes.
    private static final class Silent implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext context) {
            Buffer settings = context.channel().allocator().allocate(9);
            FrameEncoder.settings(Settings.EMPTY, settings);
            context.writeAndFlush(settings);
        }

        @Override
        public void channelRead(ChannelHandlerContext context, Object message) {
            ((Buffer) message).release();
        }
    }
}
