package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Ledger;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Connections of HTTP/2 whose work goes on in a task of the loop when there is no memory.
@Warns
class Http2MemoryTest {
    private static final int MOST = 12;

    @AfterEach
    void everyBufferWasReleased() {
        AllocationTap.set(null);
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Refuses all but the first buffers.
    private static void refuseBehind(int granted) {
        int[] left = {granted};
        AllocationTap.set(
                capacity -> {
                    if (left[0]-- <= 0) {
                        throw AllocationTap.refusal(capacity);
                    }
                });
    }

    @Test
    void answersAreCompleteOrTheConnectionIsCut() {
        for (int granted = 0; granted <= MOST; granted++) {
            List<CompletableFuture<Response>> answers = new ArrayList<>();
            Application async =
                    new Application.Async(
                            _ -> {
                                answers.add(new CompletableFuture<>());
                                return answers.getLast();
                            });
            try (Http2Client client = new Http2Client(async)) {
                client.get("/a");
                client.get("/b");
                client.run();
                refuseBehind(granted);
                Response large = Response.of(Status.OK, Headers.EMPTY, Body.of(new byte[60_000]));
                answers.forEach(answer -> answer.complete(large));
                client.channel.runPending();
                AllocationTap.set(null);
                client.run();
                boolean complete = client.received == 120_000;
                assertThat(complete || client.channel.isReset()).as("%d", granted).isTrue();
            }
        }
    }
}
