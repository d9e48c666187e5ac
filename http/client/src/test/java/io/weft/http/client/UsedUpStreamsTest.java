package io.weft.http.client;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Limits;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.lang.reflect.Field;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A connection of HTTP/2 whose streams have had all numbers: 2^30 of them (RFC 9113, 5.1.1).
class UsedUpStreamsTest {
    private static final String URL = "http://example.com/";

    private final List<Http2Peer> peers = new ArrayList<>();
    private final SimulatedWeb web =
            new SimulatedWeb(HttpClientLimits.DEFAULT, b -> b.protocol(HttpProtocol.HTTP_2));

    UsedUpStreamsTest() {
        web.handle(
                80,
                () -> {
                    peers.add(new Http2Peer(Http2Limits.DEFAULT, new Http2Peer.Script() {}));
                    return peers.getLast();
                });
    }

    @AfterEach
    void end() {
        web.close();
    }

    @Test
    void furtherRequestsHaveANewConnectionAndTheOldOneEnds() throws Exception {
        assertThat(web.get(URL).status()).isEqualTo(Status.OK);
        leaveNumbersForTwo();
        List<CompletableFuture<Response>> futures = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            futures.add(web.client().sendAsync(Request.get(URL + i)));
        }
        for (CompletableFuture<Response> future : futures) {
            assertThat(web.await(future).status()).isEqualTo(Status.OK);
        }
        assertThat(peers).hasSize(2);
        assertThat(peers.getFirst().exchanges).hasSize(3);
        assertThat(peers.getFirst().exchanges.getLast().stream.id()).isEqualTo(Integer.MAX_VALUE);
        assertThat(peers.getLast().exchanges).hasSize(3);
        web.runUntil(() -> peers.getFirst().goneAway == ErrorCode.NO_ERROR.code());
        assertThat(web.client()).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    /// Skips numbers, since nobody has the time to send so many requests.
    private void leaveNumbersForTwo() throws ReflectiveOperationException {
        Object setup = field(web.client(), "setup");
        Map<?, ?> lent = (Map<?, ?>) field(((ClientSetup) setup).pool(), "lent");
        Object connection = lent.keySet().iterator().next();
        Object numbers = field(field(requireNonNull(connection), "h2"), "numbers");
        Field next = numbers.getClass().getDeclaredField("next");
        next.setAccessible(true);
        next.setInt(numbers, Integer.MAX_VALUE - 2);
    }

    private static Object field(Object of, String name) throws ReflectiveOperationException {
        Field field = of.getClass().getDeclaredField(name);
        field.setAccessible(true);
        return requireNonNull(field.get(of));
    }
}
