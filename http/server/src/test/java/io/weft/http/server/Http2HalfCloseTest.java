package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http2.Http2Stream;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import org.junit.jupiter.api.Test;

/// A client that finishes sending while what it sent is not decoded yet: it takes no answers for a
/// while, so the server decodes no further.
class Http2HalfCloseTest {
    /// Answers with heads that fill the channel's queue, each with another one.
    private static Http2Client client() {
        return Http2Client.of(
                request -> {
                    Headers headers = Headers.of("x-long", request.path() + "x".repeat(3000));
                    return Response.of(Status.OK, headers, Body.of("" + request.body().length()));
                });
    }

    private static void requests(Http2Client client, int count) {
        for (int i = 0; i < count; i++) {
            client.get("/" + i);
        }
    }

    /// Sends all that was written, then the end of input, and takes the answers only then.
    private static void sendAndEnd(Http2Client client) {
        client.channel.limitWindow(20_000);
        Buffer written = client.out;
        client.out = BufferAllocator.pooled().allocate(256);
        client.channel.receive(written);
        assertThat(client.channel.channel().isWritable()).isFalse();
        client.channel.receiveEnd();
        client.channel.openWindow(1 << 20);
        client.channel.runPending();
        boolean _ = client.take();
    }

    @Test
    void requestsThatWaitAreAnswered() {
        try (Http2Client client = client()) {
            requests(client, 90);
            sendAndEnd(client);
            for (int i = 0; i < 90; i++) {
                assertThat(client.log).contains(2 * i + 1 + " 200", 2 * i + 1 + " 0 end");
            }
            assertThat(client.channel.isClosed()).isTrue();
        }
    }

    @Test
    void bodyThatWaitsIsWhole() {
        try (Http2Client client = client()) {
            requests(client, 60);
            Http2Stream last = client.post("/", Headers.EMPTY);
            Http2Client.data(last, "x".repeat(5000), true);
            sendAndEnd(client);
            assertThat(client.log).contains("119 0 end", "121 200", "121 5000 end");
            assertThat(client.channel.isClosed()).isTrue();
        }
    }

    @Test
    void bodyThatIsCutOffIsReset() {
        try (Http2Client client = client()) {
            requests(client, 60);
            Http2Stream last = client.post("/", Headers.EMPTY);
            Http2Client.data(last, "x", false);
            sendAndEnd(client);
            assertThat(client.log).contains("119 0 end", "121 reset CANCEL");
            assertThat(client.channel.isClosed()).isTrue();
        }
    }
}
