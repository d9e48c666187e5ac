package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The client and our own server over HTTP/2, by prior knowledge, on a simulated network.
class Http2ServerTest {
    private static final String URL = "http://example.com/";

    private final SimulatedWeb web =
            new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2));

    @AfterEach
    void end() {
        web.close();
    }

    private void echo() {
        web.serve(80, request -> Response.of(Status.OK, Headers.EMPTY, request.body()));
    }

    @Test
    void requestsShareAConnection() throws Exception {
        echo();
        List<CompletableFuture<Response>> many = new ArrayList<>();
        for (int i = 0; i < 300; i++) {
            many.add(web.client().sendAsync(Request.post(URL + i, Body.of("body " + i))));
        }
        for (int i = 0; i < many.size(); i++) {
            assertThat(web.await(many.get(i)).body().asString()).isEqualTo("body " + i);
        }
        assertThat(web.connections).isLessThanOrEqualTo(3); // of 100 streams each
    }

    @Test
    void largeBodiesGoBothWays() throws Exception {
        echo();
        String large = "0123456789abcdef".repeat(60_000);
        for (int i = 0; i < 3; i++) {
            assertThat(web.send(Request.post(URL, Body.of(large))).body().asString())
                    .isEqualTo(large);
        }
        Request streamed = Request.post(URL, Body.of(RequestSender.source(Body.of(large))));
        assertThat(web.send(streamed).body().asString()).isEqualTo(large);
        assertThat(web.connections).isEqualTo(1);
    }

    @Test
    void fieldsArriveAsTheyWereSent() throws Exception {
        web.serve(
                80,
                request ->
                        Response.of(
                                Status.OK,
                                request.headers(),
                                Body.of(request.headers().first("host") + " " + request.path())));
        Headers fields =
                Headers.builder()
                        .add("x-one", "1")
                        .add("x-two", "a, b")
                        .add("authorization", "Basic eDp5")
                        .add("cookie", "a=b; c=d")
                        .build();
        for (int i = 0; i < 3; i++) {
            Response response = web.send(Request.get(URL + "a?b=c").withHeaders(fields));
            assertThat(response.body().asString()).isEqualTo("example.com /a");
            for (Headers.Field field : fields) {
                assertThat(response.headers().all(field.name())).containsExactly(field.value());
            }
        }
    }

    @Test
    void bodyThatIsTooLargeIsRefused() throws Exception {
        echo();
        Response response = web.send(Request.post(URL, Body.of("x".repeat(2_000_000))));
        assertThat(response.status()).isEqualTo(Status.CONTENT_TOO_LARGE);
        assertThat(web.send(Request.post(URL, Body.of("x"))).body().asString()).isEqualTo("x");
    }

    @Test
    void headersThatAreTooLargeFailTheirRequestAlone() throws Exception {
        echo();
        Request large = Request.get(URL).withHeaders(Headers.of("x-large", "x".repeat(20_000)));
        assertThat(web.send(large).status().code()).isEqualTo(431);
        assertThat(web.send(Request.post(URL, Body.of("x"))).body().asString()).isEqualTo("x");
    }

    @Test
    void idleConnectionIsReplaced() throws Exception {
        echo();
        assertThat(web.send(Request.post(URL, Body.of("x"))).body().asString()).isEqualTo("x");
        web.run(Duration.ofMinutes(5));
        assertThat(web.send(Request.post(URL, Body.of("y"))).body().asString()).isEqualTo("y");
        assertThat(web.connections).isEqualTo(2);
    }
}
