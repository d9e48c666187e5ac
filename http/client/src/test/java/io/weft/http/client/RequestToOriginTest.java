package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.util.function.UnaryOperator;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

/// Requests to an origin that their targets do not name.
class RequestToOriginTest {
    private static final Origin ORIGIN = new Origin(false, "s", 80);

    private static SimulatedWeb web(UnaryOperator<HttpClient.Builder> change) {
        return new SimulatedWeb(HttpClientLimits.DEFAULT, change)
                .serve(80, RequestToOriginTest::host);
    }

    private static String answer(SimulatedWeb web, Request request) throws Exception {
        StreamedResponse response =
                web.await(web.client().openAsync(request, ORIGIN, (_, _) -> {}));
        Response whole = web.await(response.collect(1000).toCompletableFuture());
        return whole.body().asString();
    }

    @Test
    void theTargetIsSentAsItIs() throws Exception {
        try (SimulatedWeb web = web(UnaryOperator.identity())) {
            assertThat(answer(web, Request.get("/a%20b?c"))).isEqualTo("s/a%20b?c");
            assertThat(answer(web, Request.of(Method.OPTIONS, RequestTarget.ASTERISK)))
                    .isEqualTo("s*");
            assertThat(web.connections).isEqualTo(1);
        }
    }

    @Test
    void hostOfTheRequestStays() throws Exception {
        try (SimulatedWeb web = web(UnaryOperator.identity())) {
            Request request = Request.get("/").withHeader(HeaderName.HOST, "other");
            assertThat(answer(web, request)).isEqualTo("other/");
        }
    }

    @Test
    void aProxyIsToldTheOrigin() throws Exception {
        try (SimulatedWeb web =
                web(b -> b.proxy(new HttpProxy("p", 81)))
                        .serve(81, r -> Response.text(r.target().toString()))) {
            assertThat(answer(web, Request.get("/a?b"))).isEqualTo("http://s/a?b");
            assertThat(answer(web, Request.of(Method.OPTIONS, RequestTarget.ASTERISK)))
                    .isEqualTo("http://s");
        }
    }

    @ParameterizedTest
    @CsvSource({"/a/b, c, s/a/c", "*, c, s/c", "/a, //s:81/d, s:81/d"})
    void redirectsLeadFromTheOrigin(String from, String location, String asked) throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .serve(
                                80,
                                r ->
                                        r.target().toString().equals(from)
                                                ? Response.redirect(Status.of(307), location)
                                                : host(r))
                        .serve(81, RequestToOriginTest::host)) {
            Method method = from.equals("*") ? Method.OPTIONS : Method.GET;
            Request request = Request.of(method, RequestTarget.of(from));
            assertThat(answer(web, request)).isEqualTo(asked);
        }
    }

    private static Response host(Request request) {
        return Response.text(request.headers().first(HeaderName.HOST) + request.target());
    }

    @Test
    void cookiesBelongToTheOrigin() throws Exception {
        CookieJar jar = CookieJar.create(_ -> false);
        try (SimulatedWeb web =
                new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.cookies(jar))
                        .serve(
                                80,
                                r ->
                                        Response.text(String.valueOf(r.cookie("a")))
                                                .withHeader("set-cookie", "a=b; Path=/x"))) {
            assertThat(answer(web, Request.get("/x/y"))).isEqualTo("null");
            assertThat(answer(web, Request.get("/x/z"))).isEqualTo("b");
            assertThat(answer(web, Request.get("/z"))).isEqualTo("null");
        }
    }

    @ParameterizedTest
    @CsvSource({"/a?b, https://s/a?b", "/, https://s/", "*, https://s"})
    void aSecureOriginGetsTheSameTarget(String target, String secured) {
        Request request = Request.of(Method.OPTIONS, RequestTarget.of(target));
        assertThat(Bindings.secured(request, ORIGIN).target()).hasToString(secured);
    }

    @ParameterizedTest
    @ValueSource(strings = {"http://s/", "https://t/", "s:80", "*"})
    void targetsThatNameAnOriginAreRefused(String target) {
        assertRefused(Request.get(target), "target: ");
    }

    @Test
    void tunnelsAreRefused() {
        assertRefused(Request.of(Method.CONNECT, RequestTarget.ROOT), "method: CONNECT");
    }

    private static void assertRefused(Request request, String why) {
        try (SimulatedWeb web = new SimulatedWeb()) {
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> web.client().openAsync(request, ORIGIN, (_, _) -> {}))
                    .withMessageContaining(why);
        }
    }

    @Test
    void anExpectationThatFailsIsLeftOut() throws Exception {
        try (SimulatedWeb web =
                new SimulatedWeb()
                        .serve(
                                80,
                                r ->
                                        r.headers().contains(HeaderName.EXPECT)
                                                ? Response.of(Status.EXPECTATION_FAILED)
                                                : host(r))) {
            Request request =
                    Request.of(Method.PUT, RequestTarget.of("/a"))
                            .withBody(Body.of("x"))
                            .withHeader(HeaderName.EXPECT, "100-continue");
            assertThat(answer(web, request)).isEqualTo("s/a");
            assertThat(web.requests).hasSize(2);
        }
    }
}
