package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Rig;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpProtocol;
import io.weft.http.client.StreamedResponse;
import io.weft.http.events.EventReader;
import io.weft.http.events.EventStream;
import io.weft.http.events.ServerSentEvent;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.server.Compression;
import io.weft.http.server.HttpServer;
import io.weft.http.server.Routes;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.InetAddress;
import java.time.Duration;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.EnumSource;

/// Server-sent events from the server to the client, over sockets.
@ParameterizedClass
@EnumSource(
        value = HttpProtocol.class,
        names = {"HTTP_1_1", "HTTP_2"})
@Timeout(300)
class ServerSentEventsTest {
    private final BlockingQueue<EventStream> streams = new LinkedBlockingQueue<>();
    private final HttpProtocol protocol;
    private final HttpServer server;
    private final HttpClient client;
    private final String url;

    ServerSentEventsTest(HttpProtocol protocol) throws IOException {
        this.protocol = protocol;
        server =
                HttpServer.builder()
                        .host(InetAddress.getLoopbackAddress())
                        .transport("nio")
                        .loops(1)
                        .filter(Compression.DEFAULT)
                        .routes(Routes.builder().get("/events").handler(this::subscribe).build())
                        .listen();
        client = HttpClient.builder().protocol(protocol).build();
        url = "http://127.0.0.1:" + server.address().getPort() + "/events";
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
    }

    private Response subscribe(Request request) {
        EventStream stream = new EventStream();
        String last = request.headers().first("last-event-id");
        assertThat(stream.send(ServerSentEvent.of("hello", "after " + last))).isTrue();
        streams.add(stream);
        return stream.response();
    }

    private EventStream accepted() throws InterruptedException {
        EventStream stream = streams.poll(Rig.PATIENCE_SECONDS, TimeUnit.SECONDS);
        assertThat(stream).isNotNull();
        return stream;
    }

    @Test
    void eachEventArrivesBeforeTheNextIsSent() throws Exception {
        Request request = Request.get(url).withHeader("last-event-id", "41");
        try (StreamedResponse response = client.open(request);
                var events = new EventReader(response.inputStream())) {
            assertThat(response.headers().first("content-type")).isEqualTo("text/event-stream");
            assertThat(response.headers().first("content-encoding")).isNull();
            EventStream stream = accepted();
            assertThat(events.next()).isEqualTo(ServerSentEvent.of("hello", "after 41"));
            for (int i = 0; i < 100; i++) {
                ServerSentEvent event = ServerSentEvent.of("line " + i + "\nä").withId("" + i);
                assertThat(stream.comment("still here")).isTrue();
                assertThat(stream.send(event)).isTrue();
                assertThat(events.next()).isEqualTo(event);
                assertThat(events.lastEventId()).isEqualTo("" + i);
            }
            var _ = stream.send(ServerSentEvent.of("bye").withRetry(Duration.ofSeconds(9)));
            stream.end();
            assertThat(events.next()).isNotNull().extracting("data").isEqualTo("bye");
            assertThat(events.next()).isNull();
            assertThat(events.retry()).isEqualTo(Duration.ofSeconds(9));
        }
    }

    @Test
    void subscriberWhoLeavesIsNoticedBySending() throws Exception {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        EventStream stream;
        try (StreamedResponse response = client.open(Request.get(url));
                var events = new EventReader(response.inputStream())) {
            stream = accepted();
            stream.onClose(() -> closed.complete(null));
            assertThat(events.next()).isNotNull();
            assertThat(stream.isOpen()).isTrue();
        }
        Rig.awaitTrue(
                "the stream is closed",
                () -> {
                    var _ = stream.comment("");
                    return !stream.isOpen();
                });
        Rig.await(closed);
    }

    @Test
    void slowSubscriberGetsWhatWasAcceptedAndStopsTheRest() throws Exception {
        String text = "x".repeat(10_000);
        try (StreamedResponse response = client.open(Request.get(url));
                var events = new EventReader(response.inputStream())) {
            EventStream stream = accepted();
            int sent = 0;
            while (stream.send(ServerSentEvent.of(text).withId("" + sent))) {
                sent++;
            }
            assertThat(stream.isOpen()).isTrue();
            stream.end();
            assertThat(events.next()).isEqualTo(ServerSentEvent.of("hello", "after null"));
            for (int i = 0; i < sent; i++) {
                assertThat(events.next()).isEqualTo(ServerSentEvent.of(text).withId("" + i));
            }
            assertThat(events.next()).isNull();
        }
    }

    @Test
    void answerToHeadIsClosedUnread() throws Exception {
        CompletableFuture<Void> closed = new CompletableFuture<>();
        Response response = client.send(Request.of(Method.HEAD, RequestTarget.of(url)));
        assertThat(response.headers().first("content-type")).isEqualTo("text/event-stream");
        accepted().onClose(() -> closed.complete(null));
        Rig.await(closed);
    }

    @Test
    @Tag("peers")
    void curlIsSentEventsAsTheyCome() throws Exception {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        String version = protocol == HttpProtocol.HTTP_2 ? "--http2-prior-knowledge" : "--http1.1";
        Process curl =
                new ProcessBuilder("curl", "-sSN", "--max-time", "60", version, url)
                        .redirectErrorStream(true)
                        .start();
        try (var lines = new BufferedReader(new InputStreamReader(curl.getInputStream(), UTF_8))) {
            EventStream stream = accepted();
            assertThat(lines.readLine()).isEqualTo("event: hello");
            assertThat(lines.readLine()).isEqualTo("data: after null");
            assertThat(lines.readLine()).isEmpty();
            for (int i = 0; i < 10; i++) {
                assertThat(stream.send(ServerSentEvent.of("a\r\n" + i))).isTrue();
                assertThat(lines.readLine()).isEqualTo("data: a");
                assertThat(lines.readLine()).isEqualTo("data: " + i);
                assertThat(lines.readLine()).isEmpty();
            }
            stream.end();
            assertThat(lines.readLine()).isNull();
            assertThat(curl.waitFor()).isZero();
        } finally {
            curl.destroyForcibly();
        }
    }
}
