package io.weft.http.http2;

import static io.weft.http.http2.Side.exchange;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.Status;
import java.time.Duration;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// Frames that were under way to a stream when this side reset it, and others have ended since (RFC
/// 9113, 5.1).
class LateFramesTest {
    private static final int OTHERS = 500;

    private final Side client =
            new Side(
                    Http2Connection.Role.CLIENT,
                    Http2Limits.DEFAULT.withBudgets(10_000, 200_000, Duration.ofSeconds(10)));
    private final Side server =
            new Side(Http2Connection.Role.SERVER, Http2Limits.DEFAULT.withStreams(1000));

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

    @Test
    void clientThatCancelsManyKeepsTheOthers() {
        Http2Stream first = client.h2.request(Side.get("/first"), true);
        client.h2.request(Side.get("/other"), true);
        exchange(client, server);
        Http2Stream answer = server.streams.getFirst();
        answer.response(Status.OK, Headers.EMPTY, false);
        answer.data(Side.bytes("under way"), false);
        Buffer underWay = server.take();
        first.reset(ErrorCode.CANCEL);
        for (int i = 0; i < OTHERS; i++) {
            client.h2.request(Side.get("/" + i), true).reset(ErrorCode.CANCEL);
        }
        client.h2.receive(underWay);
        assertThat(client.h2.isFailed()).isFalse();
        assertThat(client.h2.openStreams()).isOne();
    }

    @Test
    void serverThatAnswersEarlyKeepsTheConnection() {
        Http2Stream upload =
                client.h2.request(Side.request(Method.POST, "/", Headers.EMPTY), false);
        for (int i = 0; i < OTHERS; i++) {
            client.h2.request(Side.get("/" + i), true);
        }
        exchange(client, server);
        upload.data(Side.bytes("under way"), false);
        Buffer underWay = client.take();
        server.streams.getFirst().reset(ErrorCode.NO_ERROR);
        for (Http2Stream other : server.streams.subList(1, OTHERS)) {
            other.response(Status.OK, Headers.EMPTY, true);
        }
        server.h2.receive(underWay);
        assertThat(server.h2.isFailed()).isFalse();
    }
}
