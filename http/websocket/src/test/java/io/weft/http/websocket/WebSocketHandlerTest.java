package io.weft.http.websocket;

import static io.weft.http.websocket.Peer.buffer;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.channel.EmbeddedChannel;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Pong;
import io.weft.codec.websocket.WebSocketFrame.Text;
import io.weft.loop.Promise;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketHandlerTest {
    private static final WebSocketSettings SETTINGS = WebSocketSettings.DEFAULT;

    /// Sends back what it hears.
    private static class Echo extends Heard {
        @Override
        public void onText(WebSocket from, String text) throws Exception {
            super.onText(from, text);
            from.sendText(text);
        }
    }

    private final Heard heard = new Heard();

    private Peer server() {
        return new Peer(Role.SERVER, SETTINGS, heard);
    }

    private static WebSocketFrame text(String text) {
        return WebSocketFrame.text(text);
    }

    @Test
    void messagesAreHeardWholeAndPingsAnswered() {
        try (Peer peer = server()) {
            peer.send(
                    text("one"),
                    new Text(buffer("t"), false, 0),
                    new Ping(buffer("?")),
                    new Continuation(buffer("wo"), true, 0),
                    new Pong(buffer("!")),
                    new Binary(buffer("3"), true, 0));
            assertThat(heard.events)
                    .containsExactly(
                            "open", "text one", "ping ?", "text two", "pong !", "binary 3");
            assertThat(peer.received()).containsExactly("pong ?");
        }
    }

    @Test
    void answersOfOneReadAreSentTogether() {
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, new Echo())) {
            peer.send(text("a"), text("b"));
            assertThat(peer.received()).containsExactly("data a", "data b");
        }
    }

    /// A thread that sends sees of the channel only if it is writable.
    @Test
    void framesThatWaitForAFlushCountInWritability() {
        try (Peer peer = server()) {
            peer.channel.channel().write(text("12345"));
            assertThat(peer.channel.channel().pendingBytes()).isEqualTo(7); // with a header of 2
            peer.channel.channel().flush();
            assertThat(peer.received()).containsExactly("data 12345");
            assertThat(peer.channel.channel().pendingBytes()).isZero();
        }
    }

    @Test
    void piecesAreHeardAsTheyCome() {
        try (Peer peer = new Peer(Role.SERVER, SETTINGS.pieces(true), heard)) {
            peer.send(new Text(buffer("a"), false, 0), new Continuation(buffer("b"), true, 0));
            assertThat(heard.events).containsExactly("open", "begun a", "more b.");
        }
    }

    @Test
    void serverAnswersACloseAndClosesTheConnection() {
        try (Peer peer = server()) {
            peer.sendClose(CloseStatus.GOING_AWAY.because("bye"));
            assertThat(heard.events).containsExactly("open", "close 1001");
            assertThat(peer.received()).containsExactly("close 1001");
            assertThat(peer.channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void clientWaitsForTheServerToCloseTheConnection() {
        try (Peer peer = new Peer(Role.CLIENT, SETTINGS, heard)) {
            peer.sendClose(CloseStatus.NORMAL);
            assertThat(peer.received()).containsExactly("close 1000");
            assertThat(peer.channel.isOutputShutdown()).isFalse();
            peer.channel.receiveEnd();
            assertThat(peer.channel.isClosed()).isTrue();
            assertThat(peer.channel.isReset()).isFalse();
        }
    }

    @Test
    void clientClosesTheConnectionWhenTheServerDoesNot() {
        try (Peer peer = new Peer(Role.CLIENT, SETTINGS, heard)) {
            peer.sendClose(CloseStatus.NORMAL);
            peer.channel.advance(Duration.ofSeconds(10));
            assertThat(peer.channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void messagesAreHeardUntilTheCloseIsAnswered() {
        try (Peer peer = server()) {
            heard.socket().close();
            assertThat(heard.socket().isOpen()).isFalse();
            assertThat(peer.received()).containsExactly("close 1000");
            peer.send(text("late"), new Ping(buffer("?")));
            peer.sendClose(CloseStatus.NORMAL);
            assertThat(heard.events).containsExactly("open", "text late", "ping ?", "close 1000");
            assertThat(peer.received()).isEmpty();
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @Test
    void closeThatIsNotAnsweredEndsTheConnection() {
        try (Peer peer = server()) {
            heard.socket().close(CloseStatus.GOING_AWAY);
            peer.channel.advance(Duration.ofSeconds(10));
            assertThat(heard.events).containsExactly("open", "close 1006");
            assertThat(peer.channel.isReset()).isTrue();
        }
    }

    @Test
    void secondCloseChangesNothing() {
        try (Peer peer = server()) {
            heard.socket().close();
            heard.socket().close(CloseStatus.GOING_AWAY);
            assertThat(peer.received()).containsExactly("close 1000");
        }
    }

    @Test
    void closeOfTheChannelIsAGoingAway() {
        try (Peer peer = server()) {
            var _ = peer.channel.channel().close();
            peer.channel.runPending();
            assertThat(peer.received()).containsExactly("close 1001");
            peer.sendClose(CloseStatus.GOING_AWAY);
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @Test
    void brokenProtocolIsAnsweredWithItsStatus() {
        try (Peer peer = server()) {
            peer.channel.receive(buffer("\u0081\u0001a")); // not masked
            assertThat(heard.events).containsExactly("open", "close 1002");
            assertThat(peer.received()).containsExactly("close 1002");
            assertThat(peer.channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void messageBeyondTheLimitIsAnsweredWith1009() {
        try (Peer peer = server()) {
            peer.channel.receive(buffer("\u0082\u00FF\0\0\0\0\0\1\0\1kkkk"));
            assertThat(peer.received()).containsExactly("close 1009");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Warns
    void failureOfTheListenerIsAnsweredWith1011(boolean ofAFile) {
        Heard failing =
                new Heard() {
                    @Override
                    public void onText(WebSocket from, String text) throws IOException {
                        if (ofAFile) {
                            throw new IOException("intended");
                        }
                        throw new IllegalStateException("intended");
                    }
                };
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, failing)) {
            peer.send(text("a"), text("b"));
            assertThat(failing.events).containsExactly("open", "close 1011");
            assertThat(peer.received()).containsExactly("close 1011");
        }
    }

    @Test
    @Warns
    void errorOfAListenerThatResumedIsAnsweredWith1011() {
        Heard failing =
                new Heard() {
                    @Override
                    public void onText(WebSocket from, String text) {
                        throw new AssertionError("intended");
                    }
                };
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, failing)) {
            failing.socket().pause();
            peer.send(text("a"));
            failing.socket().resume();
            assertThat(failing.events).containsExactly("open", "close 1011");
            assertThat(peer.received()).containsExactly("close 1011");
        }
    }

    @Test
    @Warns
    void exceptionOfOnWritableIsAnsweredWith1011() {
        Echo failing =
                new Echo() {
                    @Override
                    public void onWritable(WebSocket from) throws IOException {
                        throw new IOException("intended");
                    }
                };
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, failing)) {
            peer.channel.limitWindow(0);
            String large = "x".repeat(60_000);
            peer.send(text(large), text(large));
            peer.channel.openWindow(1 << 20);
            assertThat(peer.received()).endsWith("close 1011");
            assertThat(failing.events).endsWith("close 1011");
        }
    }

    @ParameterizedTest
    @EnumSource(Role.class)
    @Warns
    void connectionEndsThoughOnCloseThrowsAnError(Role role) {
        WebSocketListener failing =
                new WebSocketListener() {
                    @Override
                    public void onClose(WebSocket from, CloseStatus status) {
                        throw new AssertionError("intended");
                    }
                };
        try (Peer peer = new Peer(role, SETTINGS, failing)) {
            peer.sendClose(CloseStatus.NORMAL);
            assertThat(peer.received()).containsExactly("close 1000");
            peer.channel.advance(Duration.ofSeconds(10)); // a client waits for the server's end
            assertThat(peer.channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void endWithoutACloseIsAbnormal() {
        try (Peer peer = server()) {
            peer.channel.receiveEnd();
            assertThat(heard.events).containsExactly("open", "close 1006");
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @Test
    void sendingBehindAClosedConnectionFails() {
        try (Peer peer = server()) {
            peer.sendClose(CloseStatus.NORMAL);
            Promise<Void> promise = peer.channel.channel().newPromise();
            heard.socket().sendText("late", promise);
            heard.socket().sendBinary(buffer("late"));
            assertThat(promise.cause()).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void frameWithoutAPlaceFailsAndTheConnectionGoesOn() {
        try (Peer peer = server()) {
            Promise<Void> promise = peer.channel.channel().newPromise();
            heard.socket().send(new Continuation(buffer("a"), true, 0), promise);
            assertThat(promise.cause()).isInstanceOf(IllegalStateException.class);
            heard.socket().sendText("b");
            assertThat(peer.received()).containsExactly("data b");
            assertThatIllegalArgumentException()
                    .isThrownBy(() -> heard.socket().close(CloseStatus.ABNORMAL));
        }
    }

    @Test
    void promiseIsKeptWhenTheMessageIsSent() {
        try (Peer peer = server()) {
            Promise<Void> promise = peer.channel.channel().newPromise();
            heard.socket().sendText("x".repeat(200_000), promise);
            assertThat(promise.isSuccess()).isTrue();
            assertThat(peer.received()).hasSize(4);
        }
    }

    @Test
    void pausedListenerHearsNothingUntilItResumes() {
        try (Peer peer = server()) {
            heard.socket().pause();
            peer.send(text("a"), text("b"));
            assertThat(heard.events).containsExactly("open");
            heard.socket().resume();
            peer.channel.runPending();
            assertThat(heard.events).containsExactly("open", "text a", "text b");
        }
    }

    @Test
    void listenerMayPauseBetweenTwoMessagesOfOneRead() {
        Heard pausing =
                new Heard() {
                    @Override
                    public void onText(WebSocket from, String text) throws Exception {
                        super.onText(from, text);
                        from.pause();
                    }
                };
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, pausing)) {
            peer.send(text("a"), text("b"));
            assertThat(pausing.events).containsExactly("open", "text a");
            pausing.socket().resume();
            assertThat(pausing.events).containsExactly("open", "text a", "text b");
        }
    }

    @Test
    void peerThatTakesNothingIsNotHeard() {
        Echo echo = new Echo();
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, echo)) {
            peer.channel.limitWindow(0);
            String large = "x".repeat(60_000);
            peer.send(text(large), text(large), new Ping(buffer("1")), text("behind"));
            assertThat(echo.events).doesNotContain("text behind");
            peer.channel.openWindow(1 << 20);
            assertThat(echo.events).contains("text behind", "writable");
            assertThat(peer.received()).endsWith("pong 1", "data behind");
        }
    }

    @Test
    void pongThatWaitedGoesWhenThereIsRoom() {
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, new Echo())) {
            peer.channel.limitWindow(0);
            String large = "x".repeat(60_000);
            peer.send(text(large), text(large), new Ping(buffer("1")));
            peer.channel.openWindow(1 << 20);
            assertThat(peer.received()).endsWith("pong 1");
        }
    }

    @Test
    void peerThatTakesNothingIsGivenUp() {
        Echo echo = new Echo();
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, echo)) {
            peer.channel.limitWindow(0);
            String large = "x".repeat(60_000);
            peer.send(text(large), text(large));
            peer.channel.advance(Duration.ofSeconds(29));
            peer.channel.openWindow(1000);
            peer.channel.advance(Duration.ofSeconds(30));
            assertThat(peer.channel.isClosed()).isFalse(); // it has taken something
            peer.channel.advance(Duration.ofSeconds(30));
            assertThat(peer.channel.isReset()).isTrue();
            assertThat(echo.events).endsWith("close 1006");
        }
    }

    @Test
    void slowPeerThatCatchesUpIsKept() {
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, new Echo())) {
            peer.channel.limitWindow(0);
            String large = "x".repeat(60_000);
            peer.send(text(large), text(large));
            peer.channel.openWindow(1 << 20);
            peer.channel.advance(Duration.ofHours(1));
            assertThat(peer.channel.isClosed()).isFalse();
            assertThat(peer.received()).hasSize(2);
        }
    }

    /// Such as an answer that is being sent while the connection is upgraded.
    @Test
    void peerThatTookNothingBeforeTheHandshakeIsGivenUp() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.limitWindow(0);
            channel.channel().writeAndFlush(buffer("x".repeat(100_000)));
            WebSocketHandler handler =
                    new WebSocketHandler(Role.SERVER, SETTINGS, new Agreement(null, null), heard);
            channel.channel().pipeline().addLast(handler);
            channel.advance(Duration.ofSeconds(30));
            assertThat(channel.isReset()).isTrue();
            assertThat(heard.events).containsExactly("close 1006");
        }
    }

    @Test
    void silentPeerIsAskedAndThenGivenUp() {
        WebSocketTimeouts timeouts = WebSocketTimeouts.DEFAULT.ping(Duration.ofSeconds(30));
        try (Peer peer = new Peer(Role.SERVER, SETTINGS.timeouts(timeouts), heard)) {
            peer.channel.advance(Duration.ofSeconds(30));
            assertThat(peer.received()).containsExactly("ping ");
            peer.send(new Pong(buffer("")));
            peer.channel.advance(Duration.ofSeconds(30));
            assertThat(peer.received()).containsExactly("ping ");
            peer.channel.advance(Duration.ofSeconds(30));
            assertThat(peer.channel.isReset()).isTrue();
            assertThat(heard.events).containsExactly("open", "pong ", "close 1006");
        }
    }

    @Test
    void peerIsNotGivenUpWhileItsMessagesAreNotAskedFor() {
        WebSocketTimeouts timeouts = WebSocketTimeouts.DEFAULT.ping(Duration.ofSeconds(30));
        try (Peer peer = new Peer(Role.SERVER, SETTINGS.timeouts(timeouts), heard)) {
            peer.channel.advance(Duration.ofSeconds(30));
            heard.socket().pause();
            assertThat(peer.received()).containsExactly("ping ");
            peer.send(new Pong(buffer("")));
            peer.channel.advance(Duration.ofMinutes(10));
            assertThat(peer.channel.isClosed()).isFalse();

            peer.channel.advance(Duration.ofSeconds(29));
            heard.socket().resume();
            peer.channel.advance(Duration.ofSeconds(30));
            assertThat(peer.channel.isClosed()).isFalse();
            assertThat(heard.events).containsExactly("open", "pong ");
            peer.channel.advance(Duration.ofSeconds(60));
            assertThat(peer.channel.isReset()).isTrue();
        }
    }

    @Test
    void peerThatIsReadOnRequestIsNotGivenUpBetweenReads() {
        WebSocketTimeouts timeouts = WebSocketTimeouts.DEFAULT.ping(Duration.ofSeconds(30));
        try (Peer peer = new Peer(Role.SERVER, SETTINGS.timeouts(timeouts), heard)) {
            peer.channel.channel().autoRead(false);
            peer.channel.advance(Duration.ofMinutes(10));
            assertThat(peer.channel.isClosed()).isFalse();
            assertThat(peer.received()).isEmpty();

            peer.channel.channel().read();
            peer.channel.advance(Duration.ofSeconds(30));
            assertThat(peer.received()).containsExactly("ping ");
            peer.channel.advance(Duration.ofSeconds(30));
            assertThat(peer.channel.isReset()).isTrue();
        }
    }

    @Test
    void peerThatTakesNothingIsNotGivenUpForItsSilence() {
        WebSocketTimeouts timeouts =
                WebSocketTimeouts.DEFAULT.ping(Duration.ofSeconds(10)).stall(Duration.ofMinutes(2));
        try (Peer peer = new Peer(Role.SERVER, SETTINGS.timeouts(timeouts), new Echo())) {
            peer.channel.limitWindow(0);
            String large = "x".repeat(60_000);
            peer.send(text(large), text(large));
            peer.channel.advance(Duration.ofSeconds(115));
            assertThat(peer.channel.isClosed()).isFalse();
            peer.channel.openWindow(1 << 20);
            peer.channel.advance(Duration.ofSeconds(10));
            assertThat(peer.received()).endsWith("ping ");
            peer.channel.advance(Duration.ofSeconds(10));
            assertThat(peer.channel.isReset()).isTrue();
        }
    }

    @Test
    void longMessagesAreCompressedWhereThatIsAgreedOn() {
        try (Peer peer = new Peer(Role.SERVER, SETTINGS, heard, DeflateParameters.DEFAULT)) {
            heard.socket().sendText("x".repeat(1000));
            heard.socket().sendText("short");
            assertThat(peer.received())
                    .satisfiesExactly(
                            first ->
                                    assertThat(first).startsWith("compressed ").hasSizeLessThan(50),
                            second -> assertThat(second).isEqualTo("data short"));
        }
    }

    @Test
    void framesOfAClientAreMasked() {
        try (Peer peer = new Peer(Role.CLIENT, SETTINGS, heard)) {
            heard.socket().ping(buffer("?"));

            assertThat(peer.channel.takeOutbound()[1]).isEqualTo((byte) 0x81);
        }
    }
}
