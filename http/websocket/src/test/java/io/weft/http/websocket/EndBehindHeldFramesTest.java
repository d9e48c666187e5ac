package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketFrame.Close;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// The end of the input in the batch of the last frames, as TLS tells a close_notify whoever
/// suspends reading: a listener that has paused hears of it behind them.
class EndBehindHeldFramesTest {
    /// Pauses with each text.
    private static class Pausing extends Heard {
        @Override
        public void onText(WebSocket from, String text) throws Exception {
            super.onText(from, text);
            from.pause();
        }
    }

    /// Ends the input with the first bytes.
    private static final class Ending implements ChannelHandler {
        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            ctx.fireChannelRead(message);
            ctx.fireChannelReadComplete();
            ctx.fireChannelInputClosed();
        }
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Peer peer(Role role, Heard heard) {
        Peer peer = new Peer(role, WebSocketSettings.DEFAULT, heard);
        peer.channel.pipeline().addFirst("ending", new Ending());
        return peer;
    }

    private static WebSocketFrame text(String text) {
        return WebSocketFrame.text(text);
    }

    private static Close goingAway() {
        return new Close(CloseStatus.GOING_AWAY);
    }

    @Test
    void statusIsThatOfTheCloseFrameWhichWaited() {
        Heard heard = new Pausing();
        try (Peer peer = peer(Role.SERVER, heard)) {
            peer.send(text("a"), text("b"), goingAway());
            assertThat(heard.events).containsExactly("open", "text a");
            heard.socket().resume();
            assertThat(heard.events).containsExactly("open", "text a", "text b");
            heard.socket().resume();
            assertThat(heard.events).containsExactly("open", "text a", "text b", "close 1001");
            assertThat(peer.received()).containsExactly("close 1001");
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @Test
    void endWithoutACloseFrameIsAbnormalBehindWhatWaited() {
        Heard heard = new Pausing();
        try (Peer peer = peer(Role.SERVER, heard)) {
            peer.send(text("a"), text("b"));
            heard.socket().resume();
            heard.socket().resume();
            assertThat(heard.events).containsExactly("open", "text a", "text b", "close 1006");
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @Test
    void clientWhoseServerHasEndedDoesNotWaitForIt() {
        Heard heard = new Pausing();
        try (Peer peer = peer(Role.CLIENT, heard)) {
            peer.send(text("a"), goingAway());
            heard.socket().resume();
            assertThat(heard.events).containsExactly("open", "text a", "close 1001");
            assertThat(peer.channel.isClosed()).isTrue();
        }
    }

    @Test
    void pauseThatEndsWithinAMessageHoldsNothingBack() {
        Heard heard =
                new Pausing() {
                    @Override
                    public void onText(WebSocket from, String text) throws Exception {
                        super.onText(from, text);
                        if (events.size() > 2) {
                            from.resume();
                        }
                    }
                };
        try (Peer peer = peer(Role.SERVER, heard)) {
            peer.send(text("a"), text("b"), text("c"), goingAway());
            heard.socket().resume();
            assertThat(heard.events)
                    .containsExactly("open", "text a", "text b", "text c", "close 1001");
        }
    }

    /// The server's own channel is not writable, so that it hears no more for now.
    @Test
    void framesThatWaitForThePeerToTakeAnswersComeBeforeTheEnd() {
        Heard heard =
                new Heard() {
                    @Override
                    public void onText(WebSocket from, String text) {
                        events.add("text of " + text.length());
                        from.sendText(text);
                    }
                };
        try (Peer peer = peer(Role.SERVER, heard)) {
            peer.channel.limitWindow(0);
            String large = "x".repeat(60_000);
            peer.send(text(large), text(large), text("last"), goingAway());
            assertThat(heard.events).doesNotContain("text of 4");
            peer.channel.openWindow(1 << 20);
            assertThat(heard.events).containsSubsequence("text of 4", "close 1001");
            assertThat(peer.received()).endsWith("data last", "close 1001");
        }
    }
}
