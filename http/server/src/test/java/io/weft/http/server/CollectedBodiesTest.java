package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.exchange.Application;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// The memory of bodies that one connection of HTTP/2 has collected, and who goes on with them.
class CollectedBodiesTest {
    private final List<Request> requests = new ArrayList<>();
    private final List<CompletableFuture<Response>> answers = new ArrayList<>();
    private final Application slow =
            new Application.Async(
                    request -> {
                        requests.add(request);
                        answers.add(new CompletableFuture<>());
                        return answers.getLast();
                    });
    private final List<Http2Stream> uploads = new ArrayList<>();
    private final List<Integer> left = new ArrayList<>();
    private final Http2Client client =
            new Http2Client(slow, HttpServerLimits.DEFAULT, Http2Limits.DEFAULT);
    private long sent;

    @BeforeEach
    void settle() {
        client.run();
    }

    @AfterEach
    void everyBufferWasReleased() {
        client.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private void upload(int length, boolean announced) {
        Headers headers = announced ? Headers.of("content-length", "" + length) : Headers.EMPTY;
        uploads.add(client.post("/", headers));
        left.add(length);
    }

    /// Sends what the server takes, a frame of each upload by turns.
    private void send() {
        boolean more = true;
        while (more) {
            more = false;
            for (int i = 0; i < uploads.size(); i++) {
                int length = Math.min(left.get(i), uploads.get(i).room());
                if (length > 0) {
                    left.set(i, left.get(i) - length);
                    sent += length;
                    Http2Client.data(uploads.get(i), "x".repeat(length), left.get(i) == 0);
                    more = true;
                }
            }
            client.run();
        }
    }

    private long held() {
        return sent - requests.stream().mapToLong(r -> r.body().length()).sum();
    }

    @Test
    void hundredUploadsHoldWhatIsCollectedWhatWasUnderWayAndOneBody() {
        for (int i = 0; i < 100; i++) {
            upload(1 << 20, false);
        }
        // All at once: what the client may send before it hears of anything.
        for (int i = 0; i < 100; i++) {
            while (uploads.get(i).room() > 0) {
                int length = uploads.get(i).room();
                left.set(i, left.get(i) - length);
                sent += length;
                Http2Client.data(uploads.get(i), "x".repeat(length), false);
            }
        }
        client.run();
        send();
        assertThat(requests).hasSize(1);
        assertThat(held()).isLessThanOrEqualTo(256 << 10);
        assertThat(client.log).isEmpty();
    }

    @Test
    void uploadsOfKnownLengthGoOnTogether() {
        for (int i = 0; i < 100; i++) {
            upload(5000, true);
        }
        send();
        assertThat(requests).hasSizeBetween(20, 256 * 1024 / 5000);
        for (int i = 0; i < 100; i++) {
            assertThat(requests).hasSizeGreaterThan(i);
            answers.get(i).complete(Response.text("done"));
            client.run();
            send();
        }
        assertThat(requests).hasSize(100);
        assertThat(client.log).hasSize(200).allMatch(l -> l.endsWith("200") || l.endsWith("end"));
    }

    /// The length that a client announces has no padding in it, which windows count.
    @Test
    void paddedUploadGoesOn() {
        for (int i = 0; i < 30; i++) {
            upload(5000, true);
        }
        send();
        assertThat(requests).hasSize(30);
        Http2Stream stream = client.post("/", Headers.of("content-length", "500"));
        client.run();
        assertThat(stream.room()).isZero();
        for (int i = 0; stream.room() == 0; i++) {
            answers.get(i).complete(Response.text("done"));
            client.run();
        }
        int used = 0; // of the window, of which the client's machine knows nothing
        int rest = 500;
        while (rest > 0) {
            int room = stream.room() - used;
            assertThat(room).isPositive();
            int length = Math.min(5, room);
            int padding = Math.min(60, room - length - 1);
            rest -= length;
            used += length + padding + 1;
            boolean last = rest == 0;
            client.raw(() -> padded(stream.id(), length, padding, last));
            client.run();
        }
        assertThat(client.log).noneMatch(l -> l.contains("reset") || l.contains("goaway"));
        assertThat(requests).hasSize(31);
    }

    /// @param padding -1 for a frame without
    private static Buffer padded(int stream, int length, int padding, boolean end) {
        Buffer out = BufferAllocator.pooled().allocate(9 + 1 + length + padding);
        int flags = (padding < 0 ? 0 : 8) | (end ? 1 : 0);
        out.writeMedium(1 + length + padding).writeByte(0).writeByte(flags).writeInt(stream);
        if (padding >= 0) {
            out.writeByte(padding);
        }
        for (int i = 0; i < length + Math.max(0, padding); i++) {
            out.writeByte(i < length ? 'x' : 0);
        }
        return out;
    }

    @Test
    void handlerThatWaitsForAnotherUploadGetsItInTheEnd() {
        for (int i = 0; i < 3; i++) {
            upload(400_000, false);
        }
        send();
        assertThat(requests).hasSize(1);
        client.channel.advance(Duration.ofSeconds(31));
        client.run();
        send();
        assertThat(requests).hasSize(2);
        client.channel.advance(Duration.ofSeconds(31));
        client.run();
        send();
        assertThat(requests).hasSize(3);
        assertThat(client.log).isEmpty();
        answers.forEach(a -> a.complete(Response.text("done")));
        client.run();
        assertThat(client.log).hasSize(6);
    }

    /// Nothing else happens that would have it looked at: the favoured body may never be answered.
    @Test
    void shortUploadGoesOnWhenALongOneClosesTheWindows() {
        Http2Stream small = client.post("/", Headers.of("content-length", "20"));
        Http2Client.data(small, "0123456789", false);
        upload(400_000, false);
        send();
        assertThat(requests).hasSize(1);
        assertThat(small.room()).isEqualTo(10);
        Http2Client.data(small, "0123456789", true);
        client.run();
        assertThat(requests.getLast().body().length()).isEqualTo(20);
    }

    @Test
    void windowsOpenAgainWhenTheBodiesAreGone() {
        upload(200_000, false);
        upload(200_000, false);
        send();
        answers.getFirst().complete(Response.text("done"));
        client.run();
        send();
        answers.getLast().complete(Response.text("done"));
        client.run();
        upload(1000, false);
        assertThat(uploads.getLast().room()).isEqualTo(16_384); // a frame, without a round trip
        send();
        assertThat(requests).hasSize(3);
    }

    /// The client has a tunnel say something, which waits for no room.
    @Test
    void tunnelThatBeginsMeanwhileHasAWindow() {
        for (int i = 0; i < 3; i++) {
            upload(60_000, true);
        }
        send();
        Http2Stream tunnel = client.connect("weft.test:443");
        client.run();
        assertThat(tunnel.room()).isPositive();
        answers.getLast()
                .complete(Upgrade.connected(channel -> channel.pipeline().addLast(echo())));
        client.run();
        Http2Client.data(tunnel, "hello", false);
        client.run();
        assertThat(client.log).containsExactly(tunnel.id() + " 200", tunnel.id() + " hello");
    }

    private static ChannelHandler echo() {
        return new ChannelHandler() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                ctx.writeAndFlush(message);
            }
        };
    }

    @Test
    void uploadThatIsGivenUpMakesRoom() {
        for (int i = 0; i < 3; i++) {
            upload(200_000, false);
        }
        send();
        uploads.get(0).reset(ErrorCode.CANCEL);
        left.set(0, 0);
        client.run();
        send();
        answers.forEach(a -> a.complete(Response.text("done")));
        client.run();
        send();
        assertThat(requests).hasSize(2);
    }

    @Test
    void clientThatAcknowledgesNothingIsCutOff() {
        upload(60_000, false);
        upload(60_000, false);
        send();
        Http2Stream third = client.post("/", Headers.EMPTY);
        while (third.room() > 0) {
            Http2Client.data(third, "x".repeat(third.room()), false);
        }
        deliver();
        client.channel.takeOutbound(); // it never reads the SETTINGS
        client.channel.advance(Duration.ofSeconds(33));
        assertThat(client.channel.isOutputShutdown() || client.channel.isClosed()).isTrue();
    }

    /// Settings follow one another, so that there is always something to acknowledge: each has the
    /// time of its own.
    @Test
    void clientThatAcknowledgesInTimeIsKept() {
        int rounds = 40;
        for (int i = 0; i < rounds; i++) {
            upload(45_000, true);
            upload(45_000, true);
            send();
            Http2Stream third = client.post("/", Headers.of("content-length", "45000"));
            for (int rest = 45_000; rest > 0; ) {
                int length = Math.min(rest, third.room());
                rest -= length;
                Http2Client.data(third, "x".repeat(length), rest == 0);
            }
            deliver(); // the windows close
            acknowledgeLate();
            answers.forEach(a -> a.complete(Response.text("done")));
            answers.clear();
            client.channel.runPending(); // the windows open
            acknowledgeLate();
        }
        client.run();
        assertThat(requests).hasSize(3 * rounds);
        assertThat(client.log).noneMatch(line -> line.startsWith("goaway"));
    }

    private void acknowledgeLate() {
        client.channel.advance(Duration.ofMillis(500));
        client.take();
        deliver();
    }

    /// The server gets what the client has written, which does not read what comes.
    private void deliver() {
        Buffer written = client.out;
        client.out = BufferAllocator.pooled().allocate(256);
        client.channel.receive(written);
        client.channel.runPending();
    }
}
