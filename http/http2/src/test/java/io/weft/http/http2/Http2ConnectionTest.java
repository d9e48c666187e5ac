package io.weft.http.http2;

import static io.weft.http.http2.Side.exchange;
import static io.weft.http.http2.Side.get;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.Method;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import java.util.HexFormat;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/// A client's and a server's machine, back to back.
class Http2ConnectionTest {
    private final Side client = Side.client();
    private final Side server = Side.server();

    @BeforeEach
    void settle() {
        exchange(client, server);
        assertThat(client.h2.isSettled()).isTrue();
        assertThat(server.h2.isSettled()).isTrue();
    }

    @AfterEach
    void close() {
        client.close();
        server.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    @Test
    void requestAndResponseEndTheirStream() {
        Http2Stream asked = client.h2.request(get("/a?b"), true);
        exchange(client, server);
        server.streams.getFirst().response(Status.OK, Headers.of("a", "b"), true);
        exchange(client, server);

        assertThat(server.log).containsExactly("request 1 GET http /a?b end");
        assertThat(client.log).containsExactly("response 1 200 end");
        assertThat(asked.state()).isEqualTo(StreamState.CLOSED);
        assertThat(client.h2.openStreams() + server.h2.openStreams()).isZero();
    }

    private static Buffer frame(String hex) {
        byte[] bytes = HexFormat.of().parseHex(hex);
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    @Test
    void lastStreamOfGoawayDoesNotRise() {
        client.h2.request(get("/1"), true);
        exchange(client, server);
        server.h2.finishShutdown();
        client.h2.request(get("/3"), true);
        server.h2.receive(client.take());
        server.h2.receive(frame("000004" + "08" + "00" + "00000000" + "00000000"));
        assertThat(server.h2.isFailed()).isTrue();
        exchange(client, server);
        assertThat(client.log).contains("goaway 1 NO_ERROR", "goaway 1 PROTOCOL_ERROR");
    }

    @Test
    void streamThatIsIdleIsNotReset() {
        for (String malformed : new String[] {"000004" + "08" + "00", "000004" + "02" + "00"}) {
            try (Side other = Side.server();
                    Side peer = Side.client()) {
                exchange(peer, other);
                other.h2.receive(frame(malformed + "00000005" + "00000000"));
                exchange(peer, other);
                assertThat(peer.log).last().asString().startsWith("goaway 0 ");
                assertThat(peer.h2.isFailed()).isFalse();
            }
        }
    }

    @Test
    void bodiesAndTrailersGoBothWays() {
        Http2Stream asked =
                client.h2.request(
                        Side.request(Method.POST, "/", Headers.of("content-length", "5")), false);
        asked.data(Side.bytes("hello"), false);
        asked.trailers(Headers.of("sum", "1"));
        exchange(client, server);
        Http2Stream answered = server.streams.getFirst();
        answered.response(Status.EARLY_HINTS, Headers.of("link", "x"), false);
        answered.response(Status.OK, Headers.EMPTY, false);
        answered.data(Side.bytes("world"), false);
        answered.end();
        exchange(client, server);

        assertThat(server.log)
                .containsExactly(
                        "request 1 POST http /", "data 1 hello", "trailers 1 Headers[sum]");
        assertThat(client.log)
                .containsExactly("response 1 103", "response 1 200", "data 1 world", "data 1  end");
    }

    @Test
    void fieldsOfAConnectionAreLeftOutAndHostStandsForAuthority() {
        client.h2.request(
                Side.request(
                        Method.GET,
                        "/",
                        Headers.of("connection", "x-hop, upgrade")
                                .with("upgrade", "h2c")
                                .with("x-hop", "1")
                                .with("keep", "2")),
                true);
        exchange(client, server);
        assertThat(server.log).containsExactly("request 1 GET http / end");
        assertThat(server.failure).isNull();
    }

    @Test
    void fullWindowStopsTheSenderUntilTheReceiverHasConsumed() {
        server.consumes = false;
        Http2Stream asked = client.h2.request(Side.request(Method.POST, "/", Headers.EMPTY), false);
        int sent = fill(asked);
        assertThat(sent).isEqualTo(Http2Limits.DEFAULT.streamWindow());
        exchange(client, server);
        asked.wantsToSend();
        client.h2.serve(() -> true);
        assertThat(client.log).isEmpty();

        server.streams.getFirst().consumed(sent);
        exchange(client, server);
        client.h2.serve(() -> true);
        assertThat(client.log).containsExactly("send 1 16384");
    }

    /// The owner of the machine may find within an event that it has to give the connection up,
    /// while what came behind is in the buffer that is being decoded.
    @Test
    void nothingIsToldOrHeldBehindAnEventThatGivesUp() {
        client.h2.request(get("/a"), true);
        client.h2.request(get("/b"), true);
        client.h2.ping(1);
        server.givesUp = true;
        server.h2.receive(client.take());
        assertThat(server.log).containsExactly("request 1 GET http /a end");

        server.h2.receive(Side.bytes("more"));
        assertThat(server.h2.undecoded()).isZero();
    }

    @Test
    void contentThatGivesUpIsTheLastThatIsTold() {
        Http2Stream asked = client.h2.request(Side.request(Method.POST, "/", Headers.EMPTY), false);
        exchange(client, server);
        server.log.clear();
        asked.data(Side.bytes("hello"), false);
        asked.data(Side.bytes(""), true);
        server.givesUp = true;
        server.h2.receive(client.take());
        assertThat(server.log).containsExactly("data 1 hello");
    }

    @Test
    void pongThatGivesUpIsTheLastThatIsTold() {
        client.h2.ping(7);
        server.h2.receive(client.take());
        client.givesUp = true;
        server.h2.ping(8);
        client.h2.receive(server.take());
        assertThat(client.log).containsExactly("pong 7");
        assertThat(client.h2.undecoded()).isZero();
    }

    private static int fill(Http2Stream stream) {
        int sent = 0;
        while (stream.room() > 0) {
            int length = stream.room();
            stream.data(Side.bytes("x".repeat(length)), false);
            sent += length;
        }
        return sent;
    }

    /// The output of a transport that has gone is drained no more.
    @Test
    void contentThatIsConsumedBehindTheEndOfTheTransportOpensNoWindow() {
        server.consumes = false;
        Http2Stream upload =
                client.h2.request(Side.request(Method.POST, "/", Headers.EMPTY), false);
        while (upload.room() > 0) {
            upload.data(Side.bytes("x".repeat(upload.room())), false);
            server.h2.receive(client.take());
        }
        server.h2.close();
        server.take().release();
        server.streams.getFirst().consumed(64 << 10);
        try (Buffer written = server.take()) {
            assertThat(written.readableBytes()).isZero();
        }
    }

    @Test
    void resetByOneSideIsToldToTheOther() {
        Http2Stream asked = client.h2.request(get("/"), true);
        exchange(client, server);
        asked.reset(ErrorCode.CANCEL);
        exchange(client, server);
        assertThat(server.log).containsExactly("request 1 GET http / end", "reset 1 CANCEL");
        server.streams.getFirst().response(Status.OK, Headers.EMPTY, true);
        try (Buffer written = server.take()) {
            assertThat(written.isReadable()).isFalse();
        }
    }

    @Test
    void streamsBeyondTheLimitWaitAtTheClient() {
        for (int i = 0; i < 100; i++) {
            client.h2.request(get("/" + i), true);
        }
        assertThat(client.h2.mayOpen()).isFalse();
        exchange(client, server);
        server.streams.getFirst().response(Status.OK, Headers.EMPTY, true);
        exchange(client, server);
        assertThat(client.h2.mayOpen()).isTrue();
    }

    @Test
    void shutdownFinishesWhatWasAskedBefore() {
        client.h2.request(get("/"), true);
        server.h2.shutdown();
        exchange(client, server);
        assertThat(client.log).containsExactly("goaway 2147483647 NO_ERROR", "goaway 1 NO_ERROR");
        assertThat(client.h2.mayOpen()).isFalse();
        assertThat(server.h2.isDrained()).isFalse();
        server.streams.getFirst().response(Status.OK, Headers.EMPTY, true);
        exchange(client, server);
        assertThat(client.log).endsWith("response 1 200 end");
        assertThat(server.h2.isDrained()).isTrue();
    }

    /// DATA on streams that GOAWAY has refused is dropped, but not for ever.
    @Test
    void contentWithoutEndOnARefusedStreamIsCutOff() {
        client.h2.request(get("/"), true);
        server.h2.shutdown();
        exchange(client, server);
        int frames = 0;
        while (!server.h2.isFailed() && frames < 1000) {
            Buffer out = client.take();
            if (frames == 0) {
                try (Buffer head = Side.bytes("\u0083\u0086\u0084")) {
                    FrameEncoder.headers(3, false, head, 16_384, out); // POST http /
                }
            }
            FrameEncoder.dataHeader(3, 1000, false, out);
            server.h2.receive(out.writeBytes(new byte[1000]));
            if (frames++ == 100) {
                assertThat(server.h2.isFailed()).isFalse(); // as much may be under way
            }
        }
        assertThat(frames).isLessThan(600);
        assertThat(server.log).contains("failed ENHANCE_YOUR_CALM");
    }

    @Test
    void urgentStreamsAreServedFirst() {
        Http2Stream slow = post("u=7");
        Http2Stream plain = post("u=3");
        Http2Stream urgent = post("u=0, i");
        for (Http2Stream stream : new Http2Stream[] {slow, plain, urgent}) {
            stream.wantsToSend();
        }
        client.h2.serve(() -> true);
        assertThat(client.log).containsExactly("send 5 16384", "send 3 16384", "send 1 16384");
    }

    /// RFC 9218, 7.1: the client has changed its mind.
    @Test
    void updateOfAPriorityTurnsTheOrder() {
        for (int i = 0; i < 3; i++) {
            client.h2.request(Side.get("/"), true);
        }
        exchange(client, server);
        Buffer update = client.take();
        FrameEncoder.priorityUpdate(5, "u=0", update);
        FrameEncoder.priorityUpdate(1, "u=6", update);
        FrameEncoder.priorityUpdate(99, "u=0", update); // of no stream yet: of no effect
        server.h2.receive(update);
        server.log.clear();
        for (Http2Stream stream : server.streams) {
            stream.response(Status.OK, Headers.EMPTY, false);
            stream.wantsToSend();
        }
        server.h2.serve(() -> true);
        assertThat(server.log).containsExactly("send 5 16384", "send 3 16384", "send 1 16384");
        assertThat(server.failure).isNull();
    }

    private Http2Stream post(String priority) {
        return client.h2.request(
                Side.request(Method.POST, "/", Headers.EMPTY.with(HeaderName.PRIORITY, priority)),
                false);
    }

    /// RFC 9113, 8.3.1.
    @Test
    void optionsOfTheServerHaveAnAsteriskForAPath() {
        RequestHead head =
                new RequestHead(
                        Method.OPTIONS,
                        "http",
                        RequestTarget.of("http://weft.test"),
                        null,
                        Headers.EMPTY,
                        -1);
        client.h2.request(head, true);
        exchange(client, server);
        assertThat(server.log).containsExactly("request 1 OPTIONS http * end");
    }

    /// RFC 7541, 4.2: the peer has dropped its entries at the least size, and hears of both.
    @Test
    void severalTableSizesInOneFrameAreToldFromTheLeastOn() {
        client.h2.request(get("/"), true);
        exchange(client, server);
        server.streams.getFirst().response(Status.OK, Headers.of("a", "b"), false);
        exchange(client, server);
        String frame = "00000c040000000000" + "0001" + "00000000" + "0001" + "00000400";
        server.h2.receive(
                BufferAllocator.pooled().allocate(21).writeBytes(HexFormat.of().parseHex(frame)));
        server.take().release(); // the acknowledgement
        server.streams.getFirst().trailers(Headers.of("a", "b"));
        try (Buffer headers = server.take()) {
            byte[] bytes = new byte[headers.readableBytes()];
            headers.readBytes(bytes);
            // Sizes of 0 and 1024, then the field with its name, which is in no table any more.
            assertThat(HexFormat.of().formatHex(bytes, 9, bytes.length)).startsWith("203fe10740");
        }
    }

    @Test
    void pingIsAnswered() {
        client.h2.ping(42);
        exchange(client, server);
        assertThat(client.log).containsExactly("pong 42");
    }

    @Test
    void contentBeyondItsAnnouncedLengthResetsTheStream() {
        Http2Stream asked =
                client.h2.request(
                        Side.request(Method.POST, "/", Headers.of("content-length", "3")), false);
        asked.data(Side.bytes("hello"), true);
        exchange(client, server);
        assertThat(server.log).containsExactly("request 1 POST http /", "reset 1 PROTOCOL_ERROR");
        assertThat(client.log).containsExactly("reset 1 PROTOCOL_ERROR");
    }

    /// Eight sections of 16 KiB: what the heads of open requests may take.
    @Test
    void requestIsRefusedWhenTheHeadsOfOthersTakeTooMuch() {
        Headers large = Headers.of("x-large", "x".repeat(10_000));
        for (int i = 0; i < 14; i++) {
            client.h2.request(Side.request(Method.GET, "/", large), true);
            exchange(client, server);
        }
        assertThat(server.streams).hasSize(13);
        assertThat(client.log).containsExactly("reset 27 REFUSED_STREAM");
        server.streams.getFirst().response(Status.OK, Headers.EMPTY, true);
        client.h2.request(Side.request(Method.GET, "/", large), true);
        exchange(client, server);
        assertThat(server.streams).hasSize(14);
    }
}
