package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import io.weft.testkit.EventRecording;
import java.util.List;
import jdk.jfr.consumer.RecordedEvent;
import org.junit.jupiter.api.Test;

/// Events of both sides of a request.
class HttpRequestEventsTest {
    private static final String SERVER = "io.weft.HttpServerRequest";
    private static final String CLIENT = "io.weft.HttpClientRequest";

    @Test
    void aRequestIsRecordedByBothSides() throws Exception {
        Routes routes =
                Routes.builder()
                        .get("/users/{id}", request -> Response.text(request.parameter("id")))
                        .build();
        try (var recording = EventRecording.of(SERVER, CLIENT);
                var web = new SimulatedWeb().serve(80, HttpServer.builder().routes(routes))) {
            String url = "http://example.org";
            assertThat(web.get(url + "/users/forty-two?token=secret").body().asString())
                    .isEqualTo("forty-two");
            web.get(url + "/nowhere");

            List<RecordedEvent> asked = recording.events(CLIENT);
            assertThat(asked).extracting(e -> e.getInt("status")).containsExactly(200, 404);
            RecordedEvent first = asked.getFirst();
            assertThat(first.getString("method")).isEqualTo("GET");
            assertThat(first.getString("host")).isEqualTo("example.org");
            assertThat(first.getInt("port")).isEqualTo(80);
            assertThat(first.getString("path")).isEqualTo("/users/forty-two");
            assertThat(first.getDuration()).isPositive();

            List<RecordedEvent> served = recording.events(SERVER);
            assertThat(served).extracting(e -> e.getInt("status")).containsExactly(200, 404);
            assertThat(served)
                    .extracting(e -> e.getString("route"))
                    .containsExactly("/users/{id}", null);
            RecordedEvent answered = served.getFirst();
            assertThat(answered.getString("method")).isEqualTo("GET");
            assertThat(answered.getString("path")).isEqualTo("/users/forty-two");
            assertThat(answered.getString("version")).isEqualTo("HTTP/1.1");
            assertThat(answered.getLong("sent")).isEqualTo(9);
            assertThat(answered.getBoolean("whole")).isTrue();
        }
    }

    @Test
    void aRequestThatFailsIsRecordedWithItsReason() throws Exception {
        try (var recording = EventRecording.of(CLIENT);
                var web = new SimulatedWeb()) {
            assertThatThrownBy(() -> web.get("http://example.org/"))
                    .isInstanceOf(HttpClientException.class);
            assertThat(recording.events(CLIENT))
                    .singleElement()
                    .satisfies(
                            event -> {
                                assertThat(event.getInt("status")).isZero();
                                assertThat(event.getString("failure")).isNotEmpty();
                            });
        }
    }
}
