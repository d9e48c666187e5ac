package io.weft.http.server;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.channel.Channel;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.http.http2.ErrorCode;
import io.weft.http.http2.Http2Limits;
import io.weft.http.http2.Http2Stream;
import io.weft.http.server.exchange.Application;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The end of a tunnel's stream: as over TCP, what arrived before a reset is read before it is
/// told.
class Http2TunnelEndTest {
    private final List<Channel> tunnels = new ArrayList<>();
    private final List<String> log = new ArrayList<>();
    private final Http2Client client =
            new Http2Client(
                    new Application.Direct(_ -> Upgrade.connected(this::begin)),
                    HttpServerLimits.DEFAULT.withHttp2(
                            Http2Limits.DEFAULT.withBudgets(1000, 1000, Duration.ofSeconds(10))),
                    Http2Limits.DEFAULT);

    private void begin(Channel tunnel) {
        tunnels.add(tunnel);
        tunnel.pipeline().addLast(new Listener());
    }

    @AfterEach
    void everyBufferWasReleased() {
        client.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Logs what it hears, and answers what begins with a question mark.
    private final class Listener implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            try (Buffer in = (Buffer) message) {
                int length = in.readableBytes();
                String text = length > 40 ? length + " bytes" : in.readString(US_ASCII);
                log.add(text);
                if (text.startsWith("?")) {
                    ctx.writeAndFlush(Http2Client.bytes("an answer"));
                }
            }
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            log.add("complete");
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            log.add("end");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            log.add("failure " + cause.getMessage());
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            log.add("inactive");
        }
    }

    private Http2Stream connect() {
        Http2Stream stream = client.connect("weft.test:443");
        client.run();
        return stream;
    }

    private Channel tunnel() {
        return tunnels.getLast();
    }

    /// Sends what the windows allow.
    private int fill(Http2Stream stream) {
        int sent = 0;
        while (stream.room() > 0) {
            int length = stream.room();
            sent += length;
            Http2Client.data(stream, "x".repeat(length), false);
            client.run();
        }
        return sent;
    }

    private void read() {
        tunnel().autoRead(true);
        client.run();
    }

    @Test
    void resetDoesNotOvertakeContentOfTheSameBatch() {
        Http2Stream stream = connect();
        Http2Client.data(stream, "the last", false);
        stream.reset(ErrorCode.CANCEL);
        client.run();
        assertThat(log)
                .containsExactly(
                        "the last", "complete", "failure the stream was reset", "inactive");
    }

    @Test
    void contentAndEndThatArrivedBeforeAResetAreReadWithoutFailure() {
        Http2Stream stream = connect();
        tunnel().autoRead(false);
        Http2Client.data(stream, "the last", false);
        client.run();
        stream.end();
        stream.reset(ErrorCode.CANCEL);
        client.run();
        assertThat(log).isEmpty();
        read();
        assertThat(log).containsExactly("the last", "complete", "end");
        tunnel().writeAndFlush(Http2Client.bytes("too late"));
        client.run();
        assertThat(log).endsWith("end", "failure the stream was reset", "inactive");
    }

    @Test
    void failureFollowsTheLastContentThatIsRead() {
        Http2Stream stream = connect();
        tunnel().autoRead(false);
        int sent = fill(stream);
        stream.reset(ErrorCode.CANCEL);
        client.run();
        assertThat(tunnel().isActive()).isTrue();
        assertThat(log).isEmpty();
        read();
        assertThat(sent).isGreaterThan(60_000);
        assertThat(log).endsWith("complete", "failure the stream was reset", "inactive");
        assertThat(log.stream().filter(each -> each.endsWith(" bytes")).toList())
                .hasSize((sent + (16 << 10) - 1) / (16 << 10));
    }

    @Test
    void batchesThatAreAskedForComeBeforeTheFailure() {
        Http2Stream stream = connect();
        tunnel().autoRead(false);
        Http2Client.data(stream, "the last", false);
        stream.reset(ErrorCode.CANCEL);
        client.run();
        tunnel().read();
        client.run();
        assertThat(log).containsExactly("the last", "complete");
        tunnel().read();
        client.run();
        assertThat(log).endsWith("complete", "failure the stream was reset", "inactive");
    }

    @Test
    void resetIsToldAtOnceWhereNothingIsLeftToRead() {
        Http2Stream stream = connect();
        tunnel().autoRead(false);
        stream.reset(ErrorCode.CANCEL);
        client.run();
        assertThat(log).containsExactly("failure the stream was reset", "inactive");
    }

    @Test
    void sendThatFailsIsToldBehindWhatArrived() {
        Http2Stream stream = connect();
        Http2Client.data(stream, "?", false);
        client.run();
        log.clear();
        tunnel().autoRead(false);
        Http2Client.data(stream, "? again", false);
        client.run();
        Http2Client.data(stream, "x".repeat(5000), false);
        stream.reset(ErrorCode.CANCEL);
        client.run();
        read();
        assertThat(log)
                .containsExactly(
                        "? again",
                        "5000 bytes",
                        "complete",
                        "failure the stream was reset",
                        "inactive");
    }

    @Test
    void channelThatWaitsToSendAndDoesNotReadHearsOfAResetAtOnce() {
        client.consumes = false;
        Http2Stream stream = connect();
        tunnel().autoRead(false);
        tunnel().writeAndFlush(Http2Client.bytes("x".repeat(200_000)));
        Http2Client.data(stream, "unread", false);
        client.run();
        stream.reset(ErrorCode.CANCEL);
        client.run();
        assertThat(log).containsExactly("failure the stream was reset", "inactive");
    }

    @Test
    void sendThatWaitsFailsBehindTheEnd() {
        client.consumes = false;
        Http2Stream stream = connect();
        tunnel().writeAndFlush(Http2Client.bytes("x".repeat(70_000)));
        client.run();
        Http2Client.data(stream, "the last", true);
        stream.reset(ErrorCode.CANCEL);
        client.run();
        assertThat(log)
                .containsExactly(
                        "the last", "complete", "end", "failure the stream was reset", "inactive");
    }

    @Test
    void endOfTheConnectionDoesNotOvertakeWhatArrived() {
        Http2Stream stream = connect();
        tunnel().autoRead(false);
        Http2Client.data(stream, "the last", false);
        client.run();
        client.channel.receiveEnd();
        assertThat(log).isEmpty();
        read();
        assertThat(log).startsWith("the last", "complete").endsWith("inactive").hasSize(4);
    }

    @Test
    void failureOfTheConnectionDoesNotOvertakeWhatArrived() {
        Http2Stream stream = connect();
        tunnel().autoRead(false);
        Http2Client.data(stream, "the last", true);
        client.run();
        client.channel.fail(new IOException("reset by the peer"));
        client.channel.takeException();
        assertThat(log).isEmpty();
        read();
        assertThat(log)
                .startsWith("the last", "complete", "end")
                .endsWith("failure the connection has ended", "inactive")
                .hasSize(5);
    }

    @Test
    void channelThatClosesGivesUpWhatItDidNotRead() {
        Http2Stream stream = connect();
        tunnel().autoRead(false);
        Http2Client.data(stream, "unread", false);
        stream.reset(ErrorCode.CANCEL);
        client.run();
        tunnel().close();
        client.run();
        assertThat(log).containsExactly("inactive");
    }

    /// Kept content has its octets given back when the stream closes, and not again.
    @Test
    void windowOfTheConnectionGetsBackWhatIsKeptOnce() {
        for (int i = 0; i < 4; i++) {
            Http2Stream stream = connect();
            tunnel().autoRead(false);
            int sent = fill(stream);
            assertThat(sent).isEqualTo(64 << 10);
            stream.reset(ErrorCode.CANCEL);
            client.run();
        }
        for (Channel each : tunnels) {
            each.autoRead(true);
        }
        client.run();
        Http2Stream one = connect();
        tunnel().autoRead(false);
        fill(one);
        Http2Stream other = connect();
        tunnel().autoRead(false);
        fill(other);
        Http2Stream third = connect();
        assertThat(third.room()).isZero(); // the connection's window has no more than two of them
    }

    /// Streams that were reset count no longer among those that are open.
    @Test
    void peerThatResetsUnreadTunnelsHasThisSideKeepAsManyAsMayBeOpen() {
        for (int i = 0; i < 102; i++) {
            Http2Stream stream = connect();
            tunnel().autoRead(false);
            Http2Client.data(stream, "x", false);
            stream.reset(ErrorCode.CANCEL);
            client.run();
        }
        assertThat(tunnels.stream().map(Channel::isActive).toList())
                .startsWith(false, false, true)
                .hasSize(102);
        assertThat(tunnels.stream().filter(Channel::isActive)).hasSize(100);
    }

    @Test
    void contentOfTunnelsThatWereResetIsBoundedByTheWindowOfTheConnection() {
        for (int i = 0; i < 3; i++) {
            Http2Stream stream = connect();
            tunnel().autoRead(false);
            fill(stream);
            stream.reset(ErrorCode.CANCEL);
            client.run();
        }
        assertThat(tunnels.stream().map(Channel::isActive).toList())
                .containsExactly(false, true, true);
        tunnels.forEach(each -> each.autoRead(true));
        client.run();
        assertThat(tunnels.stream().filter(Channel::isOpen)).isEmpty();
    }
}
