package io.weft.http.websocket;

import static io.weft.http.websocket.Peer.buffer;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.testkit.Warns;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class WebSocketStreamTest {
    /// Sends back what it reads when the batch is complete.
    private static final class Echo implements ChannelHandler {
        private final List<String> events = new ArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Buffer bytes = (Buffer) message;
            events.add(bytes.getString(bytes.readOffset(), bytes.readableBytes(), ISO_8859_1));
            ctx.write(bytes);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            events.add("complete");
            ctx.flush();
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            events.add("end");
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            events.add("inactive");
        }
    }

    private final Echo echo = new Echo();

    private Peer binary(boolean pieces) {
        return new Peer(
                Role.SERVER,
                WebSocketSettings.DEFAULT.pieces(pieces),
                WebSocketStream.binary(channel -> channel.pipeline().addLast(echo)));
    }

    private Peer text() {
        return new Peer(
                Role.SERVER,
                WebSocketSettings.DEFAULT,
                WebSocketStream.text(channel -> channel.pipeline().addLast(echo)));
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void messagesAreTheInputOfHandlersAndWritesAreMessages(boolean pieces) {
        try (Peer peer = binary(pieces)) {
            peer.send(WebSocketFrame.binary(buffer("a")), WebSocketFrame.binary(buffer("b")));
            assertThat(echo.events).containsExactly("a", "b", "complete");
            assertThat(peer.received()).containsExactly("data a", "data b");
        }
    }

    @Test
    void fragmentsAreReadAsTheyArrive() {
        try (Peer peer = binary(true)) {
            peer.send(new Binary(buffer("a"), false, 0));
            peer.send(new Continuation(buffer(""), false, 0));
            peer.send(new Continuation(buffer("b"), true, 0));
            assertThat(echo.events).containsExactly("a", "complete", "complete", "b", "complete");
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void textClosesAStreamOfBytes(boolean pieces) {
        try (Peer peer = binary(pieces)) {
            peer.send(WebSocketFrame.text("a"), WebSocketFrame.binary(buffer("b")));
            assertThat(peer.received()).containsExactly("close 1003");
            peer.sendClose(CloseStatus.UNSUPPORTED_DATA);
            assertThat(echo.events).startsWith("complete", "end").doesNotContain("a", "b");
        }
    }

    @Test
    void streamOfTextTakesBothAndSendsTextWhereItIsUtf8() {
        try (Peer peer = text()) {
            peer.send(WebSocketFrame.text("aé"), WebSocketFrame.binary(buffer("\u00ff")));
            assertThat(echo.events).containsExactly("aÃ©", "ÿ", "complete");
            assertThat(peer.received()).containsExactly("data aÃ©", "data ÿ");
        }
    }

    @Test
    void closeOfThePeerIsTheEndOfTheInput() {
        try (Peer peer = binary(true)) {
            peer.sendClose(CloseStatus.NORMAL);
            assertThat(echo.events).startsWith("end");
            assertThat(peer.received()).containsExactly("close 1000");
            peer.channel.receiveEnd();
            assertThat(echo.events).endsWith("inactive");
        }
    }

    @Test
    void closeOfTheChannelClosesTheWebSocket() {
        try (Peer peer = binary(true)) {
            var _ = peer.channel.channel().close();
            peer.channel.runPending();
            assertThat(peer.received()).containsExactly("close 1001");
        }
    }

    @Test
    void handlersReadOnWhenTheListenerIsResumed() {
        try (Peer peer = binary(true)) {
            peer.handler.pause();
            peer.send(WebSocketFrame.binary(buffer("a")), WebSocketFrame.binary(buffer("b")));
            assertThat(echo.events).doesNotContain("a", "b");
            echo.events.clear();
            peer.handler.resume();
            assertThat(echo.events).containsSubsequence("a", "b", "complete");
            assertThat(peer.received()).containsExactly("data a", "data b");
        }
    }

    @Test
    @Warns
    void listenerIsOfOneConnection() {
        WebSocketListener one = WebSocketStream.binary(_ -> {});
        try (Peer first = new Peer(Role.SERVER, WebSocketSettings.DEFAULT, one);
                Peer second = new Peer(Role.SERVER, WebSocketSettings.DEFAULT, one)) {
            assertThat(first.received()).isEmpty();
            assertThat(second.received()).containsExactly("close 1011");
        }
    }
}
