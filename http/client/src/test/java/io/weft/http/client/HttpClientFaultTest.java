package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.http.client.HttpClientException.ConnectFailed;
import io.weft.http.client.HttpClientException.Disconnected;
import io.weft.http.client.HttpClientException.Malformed;
import io.weft.http.client.HttpClientException.Rejected;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.transport.sim.ScriptedPeer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The client against peers that do what they should not, or nothing at all, in virtual time.
class HttpClientFaultTest {
    private static final String GET = asked("GET", "");
    private static final String OK = "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok";

    private static String asked(String method, String more) {
        return method
                + " / HTTP/1.1\r\nhost: s\r\n"
                + more
                + "user-agent: weft\r\naccept-encoding: gzip, deflate\r\n";
    }

    private static ScriptedPeer peer() {
        return new ScriptedPeer();
    }

    private static ScriptedPeer get() {
        return peer().expects(GET + "\r\n");
    }

    private static Request request(String method) {
        return Request.of(Method.of(method), RequestTarget.of("http://s/"));
    }

    private static void fails(
            ThrowingCallable call, Class<? extends HttpClientException> type, Stage stage) {
        assertThatThrownBy(call)
                .isInstanceOf(type)
                .satisfies(
                        e -> {
                            HttpClientException failure = (HttpClientException) e;
                            assertThat(failure.stage()).isSameAs(stage);
                            assertThat(failure.origin()).hasToString("http://s");
                        });
    }

    // ---- connections that end ----

    @Test
    void anIdempotentRequestOnAStaleConnectionIsSentAgain() throws Exception {
        for (String method : List.of("GET", "PUT", "DELETE", "OPTIONS", "QUERY")) {
            String head = asked(method, "");
            String length =
                    method.equals("PUT") || method.equals("QUERY") ? "content-length: 0\r\n" : "";
            ScriptedPeer stale = get().sends(OK).expects(head + length + "\r\n").resets();
            ScriptedPeer fresh = peer().expects(head + length + "\r\n").sends(OK);
            try (SimulatedWeb web = new SimulatedWeb().script(80, stale, fresh)) {
                web.get("http://s/");
                assertThat(web.send(request(method)).body().asString()).isEqualTo("ok");
                assertThat(web.connections).isEqualTo(2);
                web.check();
            }
        }
    }

    @Test
    void aPostIsNotSentTwice() throws Exception {
        String post = asked("POST", "") + "content-length: 0\r\n\r\n";
        ScriptedPeer stale = get().sends(OK).expects(post).resets();
        try (SimulatedWeb web = new SimulatedWeb().script(80, stale)) {
            web.get("http://s/");
            fails(() -> web.send(request("POST")), Disconnected.class, Stage.HEAD);
            web.check();
        }
    }

    @Test
    void choiceOfAProxyThatThrowsAtARetryFailsTheRequest() throws Exception {
        List<Origin> asked = new ArrayList<>();
        ProxyChoice choice =
                origin -> {
                    asked.add(origin);
                    if (asked.size() == 3) {
                        throw new IllegalStateException("no proxy");
                    }
                    return null;
                };
        ScriptedPeer stale = get().sends(OK).expects(GET + "\r\n").resets();
        try (SimulatedWeb web =
                new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.proxy(choice))
                        .script(80, stale)) {
            web.get("http://s/");
            assertThatThrownBy(() -> web.get("http://s/"))
                    .isInstanceOf(HttpClientException.Unsendable.class)
                    .hasRootCauseMessage("no proxy");
            assertThat(asked).hasSize(3);
            web.check();
        }
    }

    @Test
    void aConnectionThatTheServerClosedIsNotUsed() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .script(
                                80,
                                get().sends(OK).closes(),
                                peer().expects(asked("POST", "")).sends(OK))) {
            web.get("http://s/");
            web.run(Duration.ofSeconds(1));
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
            assertThat(web.send(request("POST")).status()).isSameAs(Status.OK);
        }
    }

    @Test
    void aRequestOnANewConnectionIsNotSentAgain() {
        try (SimulatedWeb web = new SimulatedWeb().script(80, get().closes(), get().resets())) {
            fails(() -> web.get("http://s/"), Disconnected.class, Stage.HEAD);
            fails(() -> web.get("http://s/"), Disconnected.class, Stage.HEAD);
        }
    }

    @Test
    void aHalfResponseIsNotSentAgainAndNotWhole() throws Exception {
        for (String half :
                List.of(
                        "HTTP/1.1 200 OK\r\nContent-Length: 5\r\n\r\nok",
                        "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nok\r\n")) {
            ScriptedPeer peer = get().sends(OK).expects(GET + "\r\n").sends(half).closes();
            try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
                web.get("http://s/");
                fails(() -> web.get("http://s/"), Disconnected.class, Stage.BODY);
            }
        }
        ScriptedPeer head = get().sends(OK).expects(GET + "\r\n").sends("HTTP/1.1 2").closes();
        try (SimulatedWeb web = new SimulatedWeb().script(80, head)) {
            web.get("http://s/");
            fails(() -> web.get("http://s/"), Disconnected.class, Stage.HEAD);
        }
    }

    @Test
    void aBodyMayEndWithTheConnection() throws Exception {
        ScriptedPeer peer = get().sends("HTTP/1.1 200 OK\r\n\r\nuntil the end").closes();
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            assertThat(web.get("http://s/").body().asString()).isEqualTo("until the end");
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
        ScriptedPeer reset = get().sends("HTTP/1.1 200 OK\r\n\r\nhalf").resets();
        try (SimulatedWeb web = new SimulatedWeb().script(80, reset)) {
            fails(() -> web.get("http://s/"), Disconnected.class, Stage.BODY);
        }
    }

    @Test
    void nobodyListens() {
        try (SimulatedWeb web = new SimulatedWeb()) {
            fails(() -> web.get("http://s/"), ConnectFailed.class, Stage.CONNECT);
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    // ---- responses that are none ----

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200 OK\n\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "SSH-2.0-x\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nContent-Length: 1\r\n\r\na",
                "HTTP/1.1 200 OK\r\nContent-Length: 1\r\nTransfer-Encoding: chunked\r\n\r\n",
                "HTTP/1.1 101 Switching Protocols\r\nConnection: upgrade\r\nUpgrade: x\r\n\r\n"
            })
    void malformedResponsesAreRefused(String response) {
        try (SimulatedWeb web = new SimulatedWeb().script(80, get().sends(response))) {
            fails(() -> web.get("http://s/"), Malformed.class, Stage.HEAD);
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    @Test
    void malformedChunksCutTheBodyOff() {
        String chunks = "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nokx";
        try (SimulatedWeb web = new SimulatedWeb().script(80, get().sends(chunks))) {
            fails(() -> web.get("http://s/"), Malformed.class, Stage.BODY);
        }
    }

    /// They would be taken for the answer to the next request.
    @Test
    void bytesThatNoRequestAskedForEndTheConnection() throws Exception {
        ScriptedPeer together = get().sends(OK + OK);
        ScriptedPeer later = get().sends(OK).waits(Duration.ofSeconds(1)).sends(OK);
        try (SimulatedWeb web = new SimulatedWeb().script(80, together, later)) {
            assertThat(web.get("http://s/").body().asString()).isEqualTo("ok");
            web.run(Duration.ofSeconds(1));
            assertThat(web.get("http://s/").body().asString()).isEqualTo("ok");
            assertThat(web.connections).isEqualTo(2);
            web.run(Duration.ofSeconds(2));
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    @Test
    void interimResponsesArePassedOver() throws Exception {
        ScriptedPeer peer =
                get().sends(
                                "HTTP/1.1 103 Early Hints\r\nLink: a\r\n\r\nHTTP/1.1 102 P\r\n\r\n"
                                        + OK);
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            assertThat(web.get("http://s/").body().asString()).isEqualTo("ok");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "HTTP/1.1 200\r\nContent-Length: 0002\r\n\r\nok",
                "HTTP/1.1 200 \r\nContent-Length: 2\r\nA:\r\n\r\nok",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: Chunked\r\n\r\n02;a=b\r\nok\r\n0\r\nb: c\r\n\r\n",
                "HTTP/1.0 200 OK\r\nConnection: Keep-Alive\r\nContent-Length: 2\r\n\r\nok"
            })
    void unusualResponsesAreTaken(String response) throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().script(80, get().sends(response))) {
            assertThat(web.get("http://s/").body().asString()).isEqualTo("ok");
            assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
        }
    }

    @Test
    void aHeadMayTellAnyLength() throws Exception {
        for (String length : List.of("0005", "9223372036854775807")) {
            ScriptedPeer peer =
                    peer().expects(asked("HEAD", "") + "\r\n")
                            .sends("HTTP/1.1 200 OK\r\nContent-Length: " + length + "\r\n\r\n");
            try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
                assertThat(web.send(request("HEAD")).body().length()).isZero();
            }
        }
    }

    // ---- 100 (Continue) ----

    private static final String EXPECT =
            asked("POST", "expect: 100-continue\r\n") + "content-length: 5\r\n\r\n";

    private static Request expecting() {
        return Request.post("http://s/", Body.of("hello")).withHeader("expect", "100-continue");
    }

    @Test
    void aBodyWaitsFor100() throws Exception {
        ScriptedPeer peer =
                peer().expects(EXPECT)
                        .waits(Duration.ofMillis(500))
                        .sends("HTTP/1.1 100 Continue\r\n\r\n")
                        .expects("hello")
                        .sends(OK);
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            assertThat(web.send(expecting()).status()).isSameAs(Status.OK);
            assertThat(web.simulation.elapsed()).isLessThan(Duration.ofSeconds(1));
            web.check();
        }
    }

    @Test
    void aBodyDoesNotWaitIndefinitely() throws Exception {
        ScriptedPeer peer = peer().expects(EXPECT).expects("hello").sends(OK);
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            assertThat(web.send(expecting()).status()).isSameAs(Status.OK);
            assertThat(web.simulation.elapsed()).isGreaterThanOrEqualTo(Duration.ofSeconds(1));
            web.check();
        }
    }

    @Test
    void aBodyThatIsRefusedIsNotSent() throws Exception {
        ScriptedPeer peer =
                peer().expects(EXPECT)
                        .sends("HTTP/1.1 413 Content Too Large\r\nContent-Length: 2\r\n\r\nno");
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            Response response = web.send(expecting());
            assertThat(response.status()).isSameAs(Status.CONTENT_TOO_LARGE);
            assertThat(response.body().asString()).isEqualTo("no");
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    @Test
    void anExpectationThatFailsIsLeftOut() throws Exception {
        ScriptedPeer knowsNone =
                peer().expects(EXPECT)
                        .sends("HTTP/1.1 417 Expectation Failed\r\nContent-Length: 0\r\n\r\n");
        ScriptedPeer second =
                peer().expects(asked("POST", "") + "content-length: 5\r\n\r\nhello").sends(OK);
        try (SimulatedWeb web = new SimulatedWeb().script(80, knowsNone, second)) {
            assertThat(web.send(expecting()).status()).isSameAs(Status.OK);
            web.check();
        }
    }

    // ---- time-outs ----

    private static void timesOut(SimulatedWeb web, Request request, Stage stage, long seconds) {
        fails(() -> web.send(request), TimedOut.class, stage);
        assertThat(web.simulation.elapsed())
                .isBetween(Duration.ofSeconds(seconds), Duration.ofSeconds(seconds * 17 / 16 + 1));
        web.run(Duration.ofSeconds(1));
        assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
    }

    @Test
    void connectingTakesTooLong() {
        try (SimulatedWeb web = new SimulatedWeb().script(80, get())) {
            web.simulation.network().partition(web.serving, web.asking);
            timesOut(web, request("GET"), Stage.CONNECT, 10);
        }
    }

    @Test
    void theHeadTakesTooLong() {
        try (SimulatedWeb web = new SimulatedWeb().script(80, get())) {
            timesOut(web, request("GET"), Stage.HEAD, 30);
        }
    }

    @Test
    void theBodyStalls() {
        ScriptedPeer peer =
                get().sends("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na")
                        .waits(Duration.ofSeconds(20))
                        .sends("b");
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            timesOut(web, request("GET"), Stage.BODY, 50);
        }
    }

    @Test
    void theServerTakesNothing() {
        BodySource endless =
                out -> {
                    out.writeBytes(new byte[out.writableBytes()]);
                    return BodySource.Step.MORE;
                };
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer().stopsReading())) {
            Request upload = Request.post("http://s/", Body.of(endless));
            timesOut(web, upload, Stage.SEND, 30);
        }
    }

    @Test
    void theWholeTakesTooLong() {
        ScriptedPeer peer = get().sends("HTTP/1.1 200 OK\r\n\r\n");
        for (int i = 0; i < 50; i++) {
            peer.waits(Duration.ofSeconds(20)).sends("a");
        }
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            timesOut(web, request("GET"), Stage.BODY, 600);
        }
    }

    @Test
    void anApplicationMayTakeItsTimeToSend() throws Exception {
        List<Runnable> wakes = new ArrayList<>();
        BodySource slow =
                new BodySource() {
                    private int calls;

                    @Override
                    public Step read(Buffer out) {
                        return calls++ == 0 ? Step.WAIT : Step.END;
                    }

                    @Override
                    public void onWake(Runnable wake) {
                        wakes.add(wake);
                    }
                };
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> Response.text("ok"))) {
            CompletableFuture<Response> response =
                    web.client().sendAsync(Request.post("http://s/", Body.of(slow)));
            web.runUntil(() -> !wakes.isEmpty());
            web.run(Duration.ofSeconds(9)); // less than our server waits
            wakes.getFirst().run();
            assertThat(web.await(response).status()).isSameAs(Status.OK);
        }
    }

    /// Also where it passes while a redirect is on its way from one connection to the next.
    @Test
    void redirectsDoNotProlongTheWhole() {
        HttpClientLimits slow =
                HttpClientLimits.DEFAULT
                        .withTotalTimeout(Duration.ofSeconds(20))
                        .withRedirects(100);
        ScriptedPeer peer = get();
        for (int i = 0; i < 99; i++) {
            peer.waits(Duration.ofSeconds(1))
                    .sends("HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n")
                    .expects(GET + "\r\n");
        }
        try (SimulatedWeb web = new SimulatedWeb(slow).script(80, peer)) {
            assertThatThrownBy(() -> web.get("http://s/")).isInstanceOf(TimedOut.class);
            assertThat(web.simulation.elapsed())
                    .isBetween(Duration.ofSeconds(20), Duration.ofSeconds(22));
            assertThat(web.connections).isEqualTo(1);
        }
    }

    // ---- cancellation ----

    @Test
    void cancellingCutsTheRequestOff() {
        ScriptedPeer peer = get().expectsClose();
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            CompletableFuture<Response> future = web.client().sendAsync(request("GET"));
            web.runUntil(() -> peer.done() == 1);
            future.cancel(true);
            web.run(Duration.ofSeconds(1));
            peer.check();
            assertThatThrownBy(future::join).isInstanceOf(CancellationException.class);
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    @Test
    void cancellingWhileConnectingKeepsTheConnection() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> Response.text("ok"))) {
            web.client().openAsync(request("GET")).cancel(true);
            web.run(Duration.ofSeconds(1));
            assertThat(web.requests).isEmpty();
            assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
            assertThat(web.get("http://s/").status()).isSameAs(Status.OK);
            assertThat(web.connections).isEqualTo(1);
        }
    }

    @Test
    void cancellingEndsABodyThatIsBeingCollected() {
        ScriptedPeer peer =
                get().sends("HTTP/1.1 200 OK\r\nContent-Length: 3\r\n\r\na").expectsClose();
        try (SimulatedWeb web = new SimulatedWeb().script(80, peer)) {
            CompletableFuture<Response> future = web.client().sendAsync(request("GET"));
            web.runUntil(() -> peer.done() == 2);
            web.run(Duration.ofMillis(100));
            future.cancel(true);
            web.run(Duration.ofSeconds(1));
            peer.check();
        }
    }

    // ---- the pool ----

    private static HttpClientLimits pool(int perOrigin, int connections, int waiting) {
        return HttpClientLimits.DEFAULT
                .withPerOrigin(perOrigin)
                .withConnections(connections)
                .withWaiting(waiting);
    }

    @Test
    void connectionsOfAnOriginAreBounded() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb(pool(2, 10, 3)).serve(80, r -> Response.text(r.path()))) {
            List<CompletableFuture<Response>> responses = new ArrayList<>();
            for (int i = 0; i < 6; i++) {
                responses.add(web.client().sendAsync(Request.get("http://s/" + i)));
            }
            fails(() -> web.await(responses.get(5)), Rejected.class, Stage.POOL);
            for (int i = 0; i < 5; i++) {
                assertThat(web.await(responses.get(i)).body().asString()).isEqualTo("/" + i);
            }
            assertThat(web.connections).isEqualTo(2);
        }
    }

    @Test
    void whoWaitsForAPlaceDoesSoForALimitedTime() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb(pool(1, 1, 10)).script(80, get())) {
            CompletableFuture<Response> first = web.client().sendAsync(request("GET"));
            assertThatThrownBy(() -> web.send(request("GET")))
                    .isInstanceOf(TimedOut.class)
                    .hasMessageContaining("time-out in stage POOL")
                    .hasMessageContaining("1 to the origin (limit: 1), 1 in all (limit: 1)")
                    .hasMessageContaining("neither read to its end nor closed");
            first.cancel(true);
            web.run(Duration.ofSeconds(1));
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    @Test
    void idleConnectionsMakeRoomForOtherOrigins() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb(pool(2, 2, 10)).serve(80, r -> Response.text(r.path()))) {
            for (int i = 0; i < 5; i++) {
                assertThat(web.get("http://s" + i + "/").status()).isSameAs(Status.OK);
            }
            assertThat(web.connections).isEqualTo(5);
            assertThat(web.client()).hasToString("HttpClient[connections=2, idle=2, waiting=0]");
        }
    }

    @Test
    void idleConnectionsCloseInTime() throws Exception {
        try (SimulatedWeb web = new SimulatedWeb().serve(80, r -> Response.text("ok"))) {
            web.get("http://s/");
            web.run(Duration.ofSeconds(29));
            assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
            web.run(Duration.ofSeconds(4));
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    @Test
    void aFailedConnectServesTheNextThatWaits() {
        try (SimulatedWeb web = new SimulatedWeb(pool(1, 1, 10))) {
            CompletableFuture<Response> first = web.client().sendAsync(request("GET"));
            CompletableFuture<Response> second = web.client().sendAsync(request("GET"));
            fails(() -> web.await(first), ConnectFailed.class, Stage.CONNECT);
            fails(() -> web.await(second), ConnectFailed.class, Stage.CONNECT);
        }
    }

    // ---- the end ----

    @Test
    void aClosedClientFinishesWhatHasBegun() throws Exception {
        ScriptedPeer busy = get().waits(Duration.ofSeconds(1)).sends(OK).expectsEnd();
        try (SimulatedWeb web = new SimulatedWeb(pool(1, 10, 10)).script(80, busy)) {
            CompletableFuture<Response> begun = web.client().sendAsync(request("GET"));
            CompletableFuture<Response> waits = web.client().sendAsync(request("GET"));
            web.runUntil(() -> busy.done() == 1);
            web.client().shutdownGracefully(Duration.ofSeconds(10));
            fails(() -> web.await(waits), Rejected.class, Stage.POOL);
            assertThat(web.await(begun).body().asString()).isEqualTo("ok");
            fails(() -> web.send(request("GET")), Rejected.class, Stage.POOL);
            web.run(Duration.ofSeconds(1));
            web.check();
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
        }
    }

    // ---- proxies ----

    @Test
    void aProxyIsAskedInAbsoluteForm() throws Exception {
        HttpProxy proxy = new HttpProxy("p", 81).withCredentials(Credentials.basic("u", "p"));
        try (SimulatedWeb web =
                new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.proxy(proxy))
                        .serve(81, r -> Response.text(r.target().toString()))) {
            assertThat(web.get("http://s/a?b").body().asString()).isEqualTo("http://s/a?b");
            assertThat(web.requests.getFirst().headers().first("proxy-authorization"))
                    .isEqualTo("Basic dTpw");
            assertThat(web.requests.getFirst().headers().first("host")).isEqualTo("s");
        }
    }

    /// RFC 9112, 3.2.4.
    @Test
    void optionsWithoutAPathAreThoseOfTheServer() throws Exception {
        HttpProxy proxy = new HttpProxy("p", 81);
        for (String[] way : new String[][] {{"80", "*"}, {"81", "http://s"}}) {
            int port = Integer.parseInt(way[0]);
            try (SimulatedWeb web =
                    new SimulatedWeb(HttpClientLimits.DEFAULT, b -> port == 81 ? b.proxy(proxy) : b)
                            .serve(port, r -> Response.text(r.target().toString()))) {
                assertThat(options(web, "http://s")).isEqualTo(way[1]);
                assertThat(options(web, "http://s/")).isEqualTo(port == 81 ? "http://s/" : "/");
                assertThat(options(web, "http://s?a"))
                        .isEqualTo(port == 81 ? "http://s/?a" : "/?a");
            }
        }
    }

    private static String options(SimulatedWeb web, String url) throws Exception {
        return web.send(Request.of(Method.OPTIONS, RequestTarget.of(url))).body().asString();
    }

    @Test
    void aProxyThatGivesNoTunnelFailsTheConnect() {
        ScriptedPeer refusing =
                peer().expects("CONNECT s:443 HTTP/1.1\r\nhost: s:443\r\n\r\n")
                        .sends(
                                "HTTP/1.1 407 Proxy Authentication Required\r\nContent-Length: 0\r\n\r\n");
        ScriptedPeer closing = peer().expects("CONNECT s:443 HTTP/1.1\r\n").closes();
        ScriptedPeer eager =
                peer().expects("CONNECT s:443 HTTP/1.1\r\n").sends("HTTP/1.1 200 OK\r\n\r\nhello");
        try (SimulatedWeb web =
                new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.proxy(new HttpProxy("p", 81)))
                        .script(81, refusing, closing, eager)) {
            for (String reason : List.of("answers 407", "closed the connection", "bytes behind")) {
                assertThatThrownBy(() -> web.get("https://s/"))
                        .isInstanceOf(ConnectFailed.class)
                        .hasMessageContaining(reason)
                        .extracting(e -> ((HttpClientException) e).stage())
                        .isSameAs(Stage.PROXY);
            }
        }
    }

    @Test
    void proxyThatDoesNotAnswerLosesItsConnection() {
        ScriptedPeer silent = peer().expects("CONNECT s:443 HTTP/1.1\r\n").expectsClose();
        ScriptedPeer closing = peer().expects("CONNECT s:443 HTTP/1.1\r\n").closes();
        try (SimulatedWeb web =
                new SimulatedWeb(pool(1, 1, 10), b -> b.proxy(new HttpProxy("p", 81)))
                        .script(81, silent, closing)) {
            assertThatThrownBy(() -> web.get("https://s/"))
                    .isInstanceOf(TimedOut.class)
                    .extracting(e -> ((HttpClientException) e).stage())
                    .isSameAs(Stage.PROXY);
            web.run(Duration.ofSeconds(2));
            silent.check();
            assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
            assertThatThrownBy(() -> web.get("https://s/"))
                    .isInstanceOf(ConnectFailed.class)
                    .hasMessageContaining("closed the connection");
        }
    }
}
