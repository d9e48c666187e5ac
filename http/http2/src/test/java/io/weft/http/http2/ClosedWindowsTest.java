package io.weft.http.http2;

import static io.weft.http.http2.Side.exchange;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A server that takes the windows of streams back, and grants them one by one.
class ClosedWindowsTest {
    private static final int WINDOW = Http2Limits.DEFAULT.streamWindow();

    private final Side client = Side.client();
    private final Side server = Side.server();

    @BeforeEach
    void settle() {
        server.consumes = false;
        exchange(client, server);
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private Http2Stream post() {
        Http2Stream stream =
                client.h2.request(Side.request(Method.POST, "/", Headers.EMPTY), false);
        exchange(client, server);
        return stream;
    }

    private static int send(Http2Stream stream, int bytes) {
        int sent = 0;
        while (sent < bytes && stream.room() > 0) {
            int length = Math.min(stream.room(), bytes - sent);
            stream.data(Side.bytes("x".repeat(length)), false);
            sent += length;
        }
        return sent;
    }

    @Test
    void emptyEndFitsIntoAWindowBelowZero() {
        Http2Stream upload = post();
        send(upload, 1000);
        exchange(client, server);
        server.h2.closeWindows();
        exchange(client, server);
        upload.end();
        exchange(client, server);
        assertThat(client.log).noneMatch(line -> line.contains("reset"));
        assertThat(server.log).last().asString().contains("end");
    }

    @Test
    void openStreamsAndNewOnesSendWhatTheyAreGranted() {
        Http2Stream before = post();
        send(before, 1000);
        exchange(client, server);
        server.h2.closeWindows();
        exchange(client, server);
        Http2Stream behind = post();
        assertThat(before.room()).isZero();
        assertThat(behind.room()).isZero();

        server.streams.get(0).grant(500);
        server.streams.get(1).grant(700);
        exchange(client, server);
        assertThat(before.room()).isEqualTo(500);
        assertThat(behind.room()).isEqualTo(700);
        assertThat(server.h2.awaitsAcknowledgement()).isFalse();
    }

    @Test
    void connectionWindowStaysUntilTheClientHasAcknowledged() {
        Http2Stream one = post();
        Http2Stream other = post();
        server.h2.closeWindows();
        server.streams.get(0).grantWindow();
        server.streams.get(1).grantWindow();
        // The client has not read that: everything it may send by now is under way.
        for (int i = 0; i < 2; i++) {
            assertThat(send(i == 0 ? one : other, 2 * WINDOW)).isGreaterThan(WINDOW - 2);
            server.h2.receive(client.take());
            server.streams.get(i).consumed(WINDOW);
        }
        assertThat(send(post(), 1)).isZero();
        exchange(client, server);
        assertThat(send(one, 1)).isEqualTo(1);
        assertThat(client.failure).isNull();
        assertThat(server.failure).isNull();
    }

    @Test
    void windowsThatOpenAgainAreNoLargerThanBefore() {
        Http2Stream one = post();
        server.h2.closeWindows();
        server.streams.get(0).grant(30_000);
        exchange(client, server);
        Http2Stream other = post();
        server.h2.openWindows();
        exchange(client, server);
        assertThat(send(other, 3 * WINDOW)).isEqualTo(WINDOW);
        exchange(client, server);
        server.streams.get(1).consumed(WINDOW);
        exchange(client, server);

        int sent = send(one, 3 * WINDOW);
        exchange(client, server);
        assertThat(sent).isEqualTo(WINDOW + 30_000);
        server.streams.get(0).consumed(sent);
        exchange(client, server);
        assertThat(send(one, 3 * WINDOW)).isEqualTo(WINDOW);
        exchange(client, server);
        assertThat(server.failure).isNull();
    }

    @Test
    void changesFollowEachOtherOneAtATime() {
        Http2Stream one = post();
        for (int i = 0; i < 10; i++) {
            server.h2.closeWindows();
            server.h2.openWindows();
        }
        server.h2.closeWindows();
        exchange(client, server);
        assertThat(one.room()).isZero();
        server.h2.openWindows();
        exchange(client, server);
        assertThat(send(one, 3 * WINDOW)).isEqualTo(WINDOW);
        exchange(client, server);
        assertThat(server.failure).isNull();
    }

    @Test
    void acknowledgementOfNothingCosts() {
        for (int i = 0; i < 100 && !server.h2.isFailed(); i++) {
            Buffer out = client.take();
            FrameEncoder.settingsAck(out);
            server.h2.receive(out);
        }
        assertThat(server.log).last().isEqualTo("failed ENHANCE_YOUR_CALM");
    }
}
