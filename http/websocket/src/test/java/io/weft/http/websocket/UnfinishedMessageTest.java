package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Text;
import io.weft.testkit.TakenMemory;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Peers that begin a message and do not go on with it, so that its beginning is held for them.
class UnfinishedMessageTest {
    private static final Duration TIME = WebSocketTimeouts.DEFAULT.message();
    private static final Duration LESS = TIME.minusSeconds(5);

    private final Heard heard = new Heard();

    private Peer peer(WebSocketSettings settings) {
        return new Peer(Role.SERVER, settings, heard);
    }

    private static WebSocketFrame begin(int length) {
        return new Text(Peer.buffer("x".repeat(length)), false, 0);
    }

    private static WebSocketFrame more(int length, boolean fin) {
        return new Continuation(Peer.buffer("x".repeat(length)), fin, 0);
    }

    @Test
    void messageWithoutItsEndIsNotHeldForEver() {
        try (Peer peer = peer(WebSocketSettings.DEFAULT)) {
            peer.send(begin(10));
            peer.channel.advance(LESS);
            assertThat(peer.received()).isEmpty();
            peer.send(new Ping(Peer.buffer("")));
            assertThat(peer.received()).containsExactly("pong ");
            peer.channel.advance(Duration.ofSeconds(10));
            assertThat(peer.received()).containsExactly("close 1008");
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {1, 7, 8, 2000, 60_000})
    void frameWithoutItsEndIsNotHeldForEver(int sent) {
        try (Peer peer = peer(WebSocketSettings.DEFAULT)) {
            peer.sendPart(new Text(Peer.buffer("x".repeat(60_000)), true, 0), sent);
            peer.channel.advance(LESS);
            assertThat(peer.received()).isEmpty();
            peer.channel.advance(Duration.ofSeconds(10));
            assertThat(peer.received()).containsExactly("close 1008");
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    /// The first frame of a compressed message may expand to nothing, and have memory reserved.
    @Test
    void compressedMessageWithoutItsEndIsNotHeldForEver() {
        try (Peer peer =
                new Peer(
                        Role.SERVER, WebSocketSettings.DEFAULT, heard, DeflateParameters.DEFAULT)) {
            peer.send(new Text(Peer.buffer(""), false, WebSocketFrame.RSV1));
            peer.channel.advance(TIME.plusSeconds(5));
            assertThat(peer.received()).containsExactly("close 1008");
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @Test
    void messageThatThereIsNoMemoryForIsRefusedAsThat() {
        try (Peer peer = peer(WebSocketSettings.DEFAULT)) {
            peer.send(begin(60_000), more(60_000, false), more(60_000, false));
            try (TakenMemory taken = TakenMemory.downTo(128 << 10)) {
                taken.giveBackOne(); // for what is sent
                for (int i = 0; i < 20; i++) {
                    peer.send(more(20_000, false));
                }
                assertThat(peer.received()).containsExactly("close 1013");
                assertThat(heard.events).doesNotContain("error");
            }
        }
    }

    @Test
    void messageThatComesOnIsAwaited() {
        try (Peer peer = peer(WebSocketSettings.DEFAULT)) {
            peer.send(begin(10));
            for (int i = 0; i < 10; i++) {
                peer.channel.advance(LESS);
                peer.send(more(1024, false));
            }
            peer.channel.advance(LESS);
            peer.send(more(0, true));
            peer.channel.advance(TIME.multipliedBy(10));
            assertThat(peer.received()).isEmpty();
            assertThat(peer.channel.isClosed()).isFalse();
        }
    }

    @Test
    void eachMessageHasItsTime() {
        try (Peer peer = peer(WebSocketSettings.DEFAULT)) {
            peer.send(begin(1));
            for (int i = 0; i < 10; i++) {
                peer.channel.advance(LESS);
                peer.send(more(1, true), begin(1));
            }
            assertThat(peer.channel.isClosed()).isFalse();
            peer.channel.advance(TIME.plusSeconds(5));
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @Test
    void piecesAreHeldByNobody() {
        try (Peer peer = peer(WebSocketSettings.DEFAULT.pieces(true))) {
            peer.send(begin(10));
            peer.channel.advance(TIME.multipliedBy(10));
            assertThat(peer.channel.isClosed()).isFalse();
        }
    }

    @Test
    void anyTimeMayBeAllowed() {
        WebSocketTimeouts timeouts = WebSocketTimeouts.DEFAULT.message(Duration.ZERO);
        try (Peer peer = peer(WebSocketSettings.DEFAULT.timeouts(timeouts))) {
            peer.send(begin(10));
            peer.channel.advance(TIME.multipliedBy(10));
            assertThat(peer.channel.isClosed()).isFalse();
        }
    }

    @Test
    void applicationThatDoesNotListenIsWaitedFor() {
        try (Peer peer = peer(WebSocketSettings.DEFAULT)) {
            peer.send(begin(10));
            heard.socket().pause();
            peer.channel.advance(TIME.multipliedBy(10));
            assertThat(peer.channel.isClosed()).isFalse();
            heard.socket().resume();
            peer.channel.advance(TIME.multipliedBy(3));
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }
}
