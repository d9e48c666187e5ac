package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Answers whose contents are in memory, on the heap or in a buffer that many share: small ones go
/// out with their head, large ones behind it.
class ContentInMemoryTest {
    private static final int[] LENGTHS = {1, 5000, 10_000, 131_072, 131_073, 400_000};

    private final List<Buffer> shared = new ArrayList<>();

    @AfterEach
    void everyBufferWasReleased() {
        shared.forEach(buffer -> assertThat(buffer.release()).isTrue());
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static String text(int length) {
        return "0123456789abcdef".repeat(length / 16 + 1).substring(0, length);
    }

    private Body shared(String text) {
        shared.add(BufferAllocator.pooled().allocate(text.length()).writeAscii(text));
        return Body.share(shared.getLast());
    }

    private static EmbeddedChannel connection(Body body) {
        return Http1Channels.of(
                new Application.Direct(_ -> Response.of(Status.OK, Headers.EMPTY, body)));
    }

    private static String answers(Body body, String requests) {
        try (EmbeddedChannel channel = connection(body)) {
            channel.receive(requests);
            StringBuilder all = new StringBuilder();
            for (String more = channel.takeOutboundText(); !more.isEmpty(); ) {
                all.append(more);
                channel.runPending();
                more = channel.takeOutboundText();
            }
            assertThat(channel.isClosed()).isEqualTo(requests.contains("HTTP/1.0"));
            return all.toString().replaceAll("date: [^\r]*\r\n", "");
        }
    }

    private static String request(String method, String version) {
        return method + " / " + version + "\r\nHost: x\r\n\r\n";
    }

    @Test
    void arrivesWholeAndInOrderBehindItsLength() {
        for (int length : LENGTHS) {
            String text = text(length);
            String answer = "HTTP/1.1 200 OK\r\ncontent-length: " + length + "\r\n\r\n";
            String get = request("GET", "HTTP/1.1");
            String head = request("HEAD", "HTTP/1.1");
            for (Body body : List.of(Body.of(text), shared(text))) {
                assertThat(answers(body, get + head + get))
                        .isEqualTo(answer + text + answer + answer + text);
                assertThat(answers(body, request("GET", "HTTP/1.0"))).endsWith("\r\n\r\n" + text);
            }
        }
    }

    @Test
    void arrivesWholeOverHttp2() {
        for (int length : LENGTHS) {
            String text = text(length);
            for (Body body : List.of(Body.of(text), shared(text))) {
                try (Http2Client client =
                        Http2Client.of(_ -> Response.of(Status.OK, Headers.EMPTY, body))) {
                    client.get("/");
                    client.run();
                    assertThat(client.received).isEqualTo(length);
                    assertThat(client.log).last().asString().endsWith("end");
                }
            }
        }
    }

    /// The client takes nothing: one answer is in memory as often as there are clients.
    @Test
    void oneOnTheHeapIsCopiedAtThePaceOfTheClient() {
        try (EmbeddedChannel channel = connection(Body.of(text(1 << 20)))) {
            channel.limitWindow(1000).receive(request("GET", "HTTP/1.1"));
            assertThat(channel.channel().pendingBytes()).isBetween(1000L, 256L << 10);
        }
    }

    /// As answers that are copied do, though they hold no memory of their own.
    @Test
    void answersThatTheClientDoesNotTakeStopItsRequests() {
        for (int length : LENGTHS) {
            for (Body body : List.of(Body.of(text(length)), shared(text(length)))) {
                try (EmbeddedChannel channel = connection(body)) {
                    channel.limitWindow(0).receive(request("GET", "HTTP/1.1").repeat(1000));
                    for (int i = 0; i < 20; i++) {
                        channel.runPending();
                    }
                    assertThat(channel.channel().pendingBytes())
                            .as("%s of %s", body.getClass(), length)
                            .isLessThan(2L * length + (256L << 10));
                }
            }
        }
    }

    /// Its memory may be another's by then.
    @Test
    @Warns
    void oneThatWasReleasedIsNotSent() {
        for (int length : new int[] {100, 10_000, 400_000}) {
            Buffer buffer = BufferAllocator.pooled().allocate(length);
            buffer.writeBytes(text(length).getBytes(StandardCharsets.US_ASCII));
            Body body = Body.share(buffer);
            try (EmbeddedChannel channel = connection(body)) {
                channel.receive(request("GET", "HTTP/1.1"));
                assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200");
                channel.runPending();
                channel.takeOutboundText();
                buffer.release();
                channel.receive(request("GET", "HTTP/1.1"));
                assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 500");
            }
        }
    }
}
