package io.weft.http.http2;

import static io.weft.http.http2.Side.exchange;
import static io.weft.http.http2.Side.get;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Ledger;
import io.weft.buffer.MemoryLimitException;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Status;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Field sections for which there was no memory: no byte of them goes out, whatever follows.
class FailedHeadTest {
    private final Side client = Side.client();
    private final Side server = Side.server();

    @BeforeEach
    void settle() {
        exchange(client, server);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// A field section of `bytes`, which names itself.
    private static Headers fields(String name, int bytes) {
        return Headers.of("x-name", name).with("x-long", "~".repeat(bytes));
    }

    private static void assertRefused(ThrowingCallable call) {
        AllocationTap.set(
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                });
        try {
            assertThatThrownBy(call).isInstanceOf(MemoryLimitException.class);
        } finally {
            AllocationTap.set(null);
        }
    }

    @Test
    void responseHasNoFieldsOfOneThatFailed() {
        for (int bytes : new int[] {1000, 20_000}) {
            client.h2.request(get("/"), true);
            exchange(client, server);
            Http2Stream stream = server.streams.removeLast();
            assertRefused(() -> stream.response(Status.OK, fields("a", bytes), true));
            stream.response(Status.INTERNAL_SERVER_ERROR, Headers.of("x-name", "a"), true);
            exchange(client, server);
            assertThat(client.failure).isNull();
            assertThat(client.log.removeLast()).isEqualTo("response " + stream.id() + " 500 end");
        }
    }

    @Test
    void trailersHaveNoFieldsOfThoseThatFailed() {
        Http2Stream asked = client.h2.request(Side.request(Method.POST, "/", Headers.EMPTY), false);
        assertRefused(() -> asked.trailers(fields("a", 1000)));
        asked.trailers(Headers.of("x-name", "b"));
        exchange(client, server);
        assertThat(server.log)
                .containsExactly("request 1 POST http /", "trailers 1 Headers[x-name]");
    }

    @Test
    void requestHasNoFieldsOfOneThatFailed() {
        assertRefused(
                () ->
                        client.h2.request(
                                Side.request(Method.POST, "/failed", fields("a", 1000)), true));
        client.h2.request(get("/next"), true);
        exchange(client, server);
        assertThat(server.failure).isNull();
        assertThat(server.log).singleElement().asString().endsWith("GET http /next end");
    }

    @Test
    void requestsThatFailTakeNoPlaceOfOthers() {
        long most = client.h2.peerSettings().get(Setting.MAX_CONCURRENT_STREAMS);
        for (int i = 0; i < most; i++) {
            assertRefused(
                    () ->
                            client.h2.request(
                                    Side.request(Method.POST, "/", fields("a", 1000)), true));
        }
        assertThat(client.h2.mayOpen()).isTrue();
        assertThat(client.h2.openStreams()).isZero();
        assertThat(client.h2.streams()).isEmpty();
    }
}
