package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.channel.EmbeddedChannel;
import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Interim responses that handlers send, over both wires.
class InterimResponsesTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String HINTS = "HTTP/1.1 103 Early Hints\r\nlink: </a.css>\r\n\r\n";

    private final List<Request> requests = new ArrayList<>();
    private final List<CompletableFuture<Response>> answers = new ArrayList<>();
    private final Application application =
            new Application.Async(
                    request -> {
                        CompletableFuture<Response> answer = new CompletableFuture<>();
                        requests.add(request);
                        answers.add(answer);
                        return answer;
                    });

    private EmbeddedChannel http1() {
        return http1(application);
    }

    private static EmbeddedChannel http1(Application application) {
        return Http1Channels.of(application);
    }

    private static void hint(Request request) {
        HttpServer.sendInterim(request, Status.EARLY_HINTS, Headers.of("link", "</a.css>"));
    }

    @Test
    void hintsGoOutBeforeTheAnswer() {
        try (EmbeddedChannel channel = http1()) {
            channel.receive(GET);
            hint(requests.getFirst());
            hint(requests.getFirst().withHeader("changed", "by a filter"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).isEqualTo(HINTS + HINTS);
            answers.getFirst().complete(Response.text("ok"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200").endsWith("ok");
        }
    }

    /// The answer is complete when the handler returns, while what other threads have sent waits
    /// for the loop.
    @Test
    void hintsOfOtherThreadsGoOutBeforeAnAnswerThatIsThere() throws Exception {
        Application both =
                new Application.Async(
                        request -> {
                            Thread other = Thread.ofPlatform().start(() -> hint(request));
                            other.join();
                            return CompletableFuture.completedFuture(Response.text("ok"));
                        });
        try (EmbeddedChannel channel = http1(both)) {
            channel.receive(GET);
            channel.runPending();
            assertThat(channel.takeOutboundText())
                    .startsWith(HINTS + "HTTP/1.1 200")
                    .endsWith("ok");
        }
    }

    @Test
    void hintsThatComeTooLateAreDropped() {
        try (EmbeddedChannel channel = http1()) {
            channel.receive(GET);
            answers.getFirst().complete(Response.text("ok"));
            channel.runPending();
            hint(requests.getFirst());
            channel.receive(GET.replace(" / ", " /other "));
            hint(requests.getFirst());
            channel.runPending();
            assertThat(channel.takeOutboundText()).doesNotContain("103");
            hint(requests.getLast());
            channel.runPending();
            assertThat(channel.takeOutboundText()).isEqualTo(HINTS);
        }
        hint(requests.getLast());
    }

    @Test
    void lateHintDoesNotReachTheNextRequestWithTheSameHead() {
        try (EmbeddedChannel channel = http1()) {
            channel.receive(GET);
            answers.getFirst().complete(Response.text("ok"));
            channel.runPending();
            channel.receive(GET);
            channel.takeOutbound();
            hint(requests.getFirst());
            channel.runPending();
            assertThat(channel.takeOutboundText()).isEmpty();
            hint(requests.getLast());
            channel.runPending();
            assertThat(channel.takeOutboundText()).isEqualTo(HINTS);
        }
    }

    @Test
    void clientsOfHttp10GetNone() {
        try (EmbeddedChannel channel = http1()) {
            channel.receive("GET / HTTP/1.0\r\n\r\n");
            hint(requests.getFirst());
            answers.getFirst().complete(Response.text("ok"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void noMoreThan32AreSent() {
        try (EmbeddedChannel channel = http1()) {
            for (int i = 0; i < 2; i++) {
                channel.receive(GET);
                for (int j = 0; j < 40; j++) {
                    hint(requests.getLast());
                }
                channel.runPending();
                assertThat(channel.takeOutboundText()).isEqualTo(HINTS.repeat(32));
                answers.getLast().complete(Response.text("ok"));
                channel.runPending();
                assertThat(channel.takeOutboundText()).endsWith("ok");
            }
        }
    }

    @Test
    void hintsGoOverHttp2() {
        try (Http2Client client =
                new Http2Client(application, HttpServerLimits.DEFAULT, Http2Limits.DEFAULT)) {
            client.h2.request(Http2Client.head(Method.GET, "/", Headers.EMPTY), true);
            client.run();
            for (int i = 0; i < 40; i++) {
                hint(requests.getFirst());
            }
            client.run();
            assertThat(client.log).hasSize(32).containsOnly("1 103");
            client.log.clear();
            answers.getFirst().complete(Response.text("ok"));
            client.run();
            hint(requests.getFirst());
            client.run();
            assertThat(client.log).containsExactly("1 200", "1 ok end");
        }
        hint(requests.getFirst());
    }

    @Test
    void whatIsNoInterimResponseIsRefused() {
        Request request = Request.get("/");
        for (Status status : List.of(Status.CONTINUE, Status.SWITCHING_PROTOCOLS, Status.OK)) {
            assertThatThrownBy(() -> HttpServer.sendInterim(request, status, Headers.EMPTY))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("102 to 199");
        }
        Headers length = Headers.of("content-length", "1");
        assertThatThrownBy(() -> HttpServer.sendInterim(request, Status.EARLY_HINTS, length))
                .isInstanceOf(IllegalArgumentException.class);
        hint(request); // of no connection: without effect
    }
}
