package io.weft.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.HttpException;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class RoutesTest {
    private static HttpHandler says(String what) {
        return request -> Response.text(what + " " + new TreeMap<>(request.parameters()));
    }

    private static final Routes ROUTES =
            Routes.builder()
                    .get("/", says("root"))
                    .get("/a", says("a"))
                    .put("/a", says("put"))
                    .get("/a/", says("slash"))
                    .get("/users/{id}", says("user"))
                    .get("/users/me", says("me"))
                    .post("/users/{id}", says("post"))
                    .get("/users/{id}/photos/{photo}", says("photo"))
                    .get("/users/me/name", says("name"))
                    .get("/files/{path...}", says("files"))
                    .any("/any")
                    .handler(says("any"))
                    .post("/late")
                    .streaming(
                            request ->
                                    request.body()
                                            .collect(100)
                                            .thenApply(body -> Response.text(body.asString())))
                    .get("/async")
                    .async(_ -> CompletableFuture.completedFuture(Response.text("async {}")))
                    .get("/query", request -> Response.text("" + request.query().all("a")))
                    .get(
                            "/fails",
                            _ -> {
                                throw new HttpException(Status.CONFLICT, "twice \"x\"");
                            })
                    .get("/typo/{id}", request -> Response.text(request.parameter("ID")))
                    .build();

    private static EmbeddedChannel connection(Routes routes) {
        return Http1Channels.of(new Application.Routed(routes::match));
    }

    private static String ask(String line) {
        return ask(line, "");
    }

    private static String ask(String line, String rest) {
        return ask(ROUTES, line, rest);
    }

    private static String ask(Routes routes, String line, String rest) {
        try (EmbeddedChannel channel = connection(routes)) {
            channel.receive(line + " HTTP/1.1\r\nHost: x\r\n" + rest + "\r\n");
            return channel.takeOutboundText();
        }
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / | root {}",
                "GET /?x=1 | root {}",
                "GET http://x | root {}",
                "GET /a | a {}",
                "GET /%61 | a {}",
                "GET /a/ | slash {}",
                "PUT /a | put {}",
                "GET /users/7 | user {id=7}",
                "GET /users/me | me {}",
                "POST /users/me | post {id=me}",
                "GET /users/me/name | name {}",
                "GET /users/me/photos/3 | photo {id=me, photo=3}",
                "GET /users/a%2Fb%20c+d | user {id=a/b c+d}",
                "GET /users/%E2%82%AC | user {id=\u20ac}",
                "GET /files/a/b | files {path=a/b}",
                "GET /files/ | files {path=}",
                "DELETE /any | any {}",
                "OPTIONS /any | any {}",
                "GET /async | async {}",
                "GET /query?a=1&b=2&a=x%20y+z&a | [1, x y z, ]"
            })
    void findsTheRoute(String line, String answer) {
        byte[] expected = answer.getBytes(UTF_8);
        assertThat(ask(line))
                .startsWith("HTTP/1.1 200 ")
                .endsWith("\r\n\r\n" + new String(expected, ISO_8859_1));
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/b",
                "/users",
                "/users/",
                "/users/7/",
                "/users/7/photos",
                "/files",
                "/A",
                "/a/b"
            })
    void aPathWithoutARouteIsNotFound(String path) {
        assertThat(ask("GET " + path)).startsWith("HTTP/1.1 404 ").doesNotContain("close");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "POST /a | 405 | GET, HEAD, OPTIONS, PUT",
                "TRACE /users/me | 405 | GET, HEAD, OPTIONS, POST",
                "PUT /users/me | 405 | GET, HEAD, OPTIONS, POST",
                "OPTIONS /users/me | 204 | GET, HEAD, OPTIONS, POST",
                "TRACE /users/7 | 405 | GET, HEAD, OPTIONS, POST",
                "OPTIONS /a | 204 | GET, HEAD, OPTIONS, PUT",
                "OPTIONS * | 204 | GET, HEAD, OPTIONS, POST, PUT",
                "OPTIONS http://h | 204 | GET, HEAD, OPTIONS, POST, PUT",
                "OPTIONS http://h/a | 204 | GET, HEAD, OPTIONS, PUT"
            })
    void otherMethodsAreAnsweredWithAllow(String line, int status, String allow) {
        assertThat(ask(line))
                .startsWith("HTTP/1.1 " + status + " ")
                .contains("\r\nallow: " + allow + "\r\n");
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "GET / | rest {path=}",
                "GET /?x=1 | rest {path=}",
                "GET http://x | rest {path=}",
                "GET /a/b | rest {path=a/b}",
                "PUT / | root {}",
                "PATCH / | any {path=}"
            })
    void theRestOfTheRootMayBeEmpty(String line, String answer) {
        Routes routes =
                Routes.builder()
                        .get("/{path...}", says("rest"))
                        .put("/", says("root"))
                        .any("/{path...}")
                        .handler(says("any"))
                        .build();
        assertThat(ask(routes, line, "")).startsWith("HTTP/1.1 200 ").endsWith("\r\n\r\n" + answer);
    }

    @Test
    void theRestOfTheRootHasAllow() {
        Routes routes = Routes.builder().get("/{path...}", says("rest")).build();
        assertThat(ask(routes, "HEAD /", "")).startsWith("HTTP/1.1 200 ");
        assertThat(ask(routes, "POST /", ""))
                .startsWith("HTTP/1.1 405 ")
                .contains("\r\nallow: GET, HEAD, OPTIONS\r\n");
        assertThat(ask(routes, "OPTIONS /", ""))
                .startsWith("HTTP/1.1 204 ")
                .contains("\r\nallow: GET, HEAD, OPTIONS\r\n");
    }

    @Test
    void theRootIsPreferredToItsRest() {
        Routes routes =
                Routes.builder().get("/{path...}", says("rest")).get("/", says("root")).build();
        assertThat(ask(routes, "GET /", "")).endsWith("root {}");
        assertThat(ask(routes, "POST /", "")).startsWith("HTTP/1.1 405 ");
    }

    @Test
    void headIsAnsweredAsGetWithoutContent() {
        assertThat(ask("HEAD /a"))
                .startsWith("HTTP/1.1 200 ")
                .contains("content-length: 4\r\n")
                .endsWith("\r\n\r\n");
    }

    @Test
    void connectIsNotImplemented() {
        assertThat(ask("CONNECT a:80")).startsWith("HTTP/1.1 501 ");
    }

    @Test
    void eachRouteTakesItsBodyInItsWay() {
        try (EmbeddedChannel channel = connection(ROUTES)) {
            channel.receive("POST /late HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab");
            assertThat(channel.takeOutboundText()).endsWith("ab");
            channel.receive("POST /users/1 HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\na");
            assertThat(channel.takeOutboundText()).isEmpty();
            channel.receive("b");
            assertThat(channel.takeOutboundText()).endsWith("post {id=1}");
            channel.receive("POST /none HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\n");
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 404 ");
            channel.receive("xyGET /a HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(channel.takeOutboundText()).endsWith("a {}");
        }
    }

    @Test
    void aStatusThatIsThrownIsAnsweredAsAProblem() {
        assertThat(ask("GET /fails"))
                .startsWith("HTTP/1.1 409 ")
                .contains("content-type: application/problem+json")
                .doesNotContain("connection: close")
                .endsWith("{\"title\":\"Conflict\",\"status\":409,\"detail\":\"twice \\\"x\\\"\"}");
        assertThat(ask("GET /query?" + "a&".repeat(257))).startsWith("HTTP/1.1 400 ");
    }

    @Test
    @Warns
    void aParameterThatTheRouteDoesNotHaveIsAMistake() {
        assertThat(ask("GET /typo/1")).startsWith("HTTP/1.1 500 ");
    }

    @Test
    void otherwiseTakesTheRest() {
        Routes routes =
                Routes.builder().get("/a", says("a")).otherwise(_ -> Response.text("else")).build();
        try (EmbeddedChannel channel = connection(routes)) {
            channel.receive("GET /b HTTP/1.1\r\nHost: x\r\n\r\n");
            assertThat(channel.takeOutboundText()).endsWith("else");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {"a", "", "/{", "/{}", "/x{a}", "/{a}/{a}", "/{a...}/b", "/a}", "/{...}"})
    void refusesPathsThatMeanNothing(String path) {
        assertThatThrownBy(() -> Routes.builder().get(path, says("x")))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: ");
    }

    @Test
    void refusesARouteTwice() {
        Routes.Builder routes = Routes.builder().get("/a/{x}", says("x"));
        assertThatThrownBy(() -> routes.get("/a/{x}", says("y")))
                .hasMessageContaining("once a path");
        assertThatThrownBy(() -> routes.post("/a/{y}", says("y")))
                .hasMessageContaining("the names of the same path before: [x]");
    }

    @Test
    void aRequestHasNoParametersWithoutARoute() {
        assertThat(Request.get("/a").parameters()).isEmpty();
    }
}
