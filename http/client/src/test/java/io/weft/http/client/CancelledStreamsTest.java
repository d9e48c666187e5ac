package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpServer;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Requests that are given up while others of their connection go on: servers count resets, and cut
/// off a client that sends too many.
class CancelledStreamsTest {
    private static final String URL = "http://example.com/";

    private final SimulatedWeb web =
            new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2));
    private final CompletableFuture<Response> answer = new CompletableFuture<>();

    @AfterEach
    void end() {
        web.close();
    }

    private void serve() {
        web.serve(
                80,
                HttpServer.builder()
                        .async(
                                request -> {
                                    web.requests.add(request);
                                    return request.path().equals("/order")
                                            ? answer
                                            : new CompletableFuture<>();
                                }));
    }

    private void giveUp(int requests) {
        for (int i = 0; i < requests; i++) {
            int before = web.requests.size();
            CompletableFuture<Response> one = web.client().sendAsync(Request.get(URL + i));
            web.runUntil(() -> web.requests.size() > before);
            one.cancel(false);
        }
    }

    @Test
    void requestOfAnotherCallerSurvivesManyThatAreGivenUp() throws Exception {
        serve();
        var order = web.client().sendAsync(Request.post(URL + "order", Body.of("one")));
        web.runUntil(() -> web.requests.size() == 1);
        giveUp(250);
        answer.complete(Response.text("done"));
        assertThat(web.await(order).status()).isEqualTo(Status.OK);
        assertThat(web.connections).isBetween(2, 6);
        web.run(Duration.ofMinutes(1));
        assertThat(web.client()).hasToString("HttpClient[connections=0, idle=0, waiting=0]");
    }

    @Test
    void fewThatAreGivenUpLeaveTheirConnectionInUse() {
        serve();
        for (int i = 0; i < 20; i++) {
            giveUp(40);
            web.run(Duration.ofSeconds(11));
        }
        assertThat(web.connections).isEqualTo(1);
    }
}
