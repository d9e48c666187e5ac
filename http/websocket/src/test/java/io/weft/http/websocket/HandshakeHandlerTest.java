package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOptions;
import io.weft.http.model.Headers;
import io.weft.http.model.RequestTarget;
import io.weft.http.websocket.ServerHandshake.Accepted;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A client's handshake, whose answer has the first message behind it.
class HandshakeHandlerTest {
    private final Heard heard = new Heard();

    @AfterEach
    void nothingLeaks() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// Runs the handshake of a connection, to the end of what the server sent.
    private static Future<WebSocket> connect(WebSocketListener listener) {
        WebSocketSettings settings = WebSocketSettings.DEFAULT;
        ClientHandshake handshake =
                ClientHandshake.of(RequestTarget.of("/ws"), "a", Headers.EMPTY, settings);
        Accepted accepted = (Accepted) ServerHandshake.of(handshake.request(), settings);
        StringBuilder answer =
                new StringBuilder(
                        "HTTP/1.1 101 -\r\nconnection: upgrade\r\nupgrade: websocket\r\n");
        accepted.headers().forEach(f -> answer.append(f.name() + ": " + f.value() + "\r\n"));
        answer.append("\r\n\u0082\1a");
        AtomicReference<Future<WebSocket>> connected = new AtomicReference<>();
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT,
                        ch -> {
                            Promise<WebSocket> promise = ch.newPromise();
                            connected.set(promise);
                            ch.pipeline()
                                    .addLast(
                                            new HandshakeHandler(
                                                    handshake, settings, listener, promise));
                        })) {
            channel.receive(Peer.buffer(answer.toString()));
        }
        return connected.get();
    }

    @Test
    void messageBehindTheAnswerIsHeard() {
        assertThat(connect(heard).isSuccess()).isTrue();
        assertThat(heard.events).startsWith("open", "binary a");
    }

    @Test
    void connectSucceedsWhenOnOpenAbortsTheChannel() {
        Heard aborting =
                new Heard() {
                    @Override
                    public void onOpen(WebSocket socket) throws Exception {
                        super.onOpen(socket);
                        socket.abort();
                    }
                };
        Future<WebSocket> connected = connect(aborting);
        assertThat(connected.isSuccess()).isTrue();
        assertThat(connected.join().isOpen()).isFalse();
        assertThat(aborting.events).containsExactly("open", "close 1006");
    }

    @Test
    void connectFailsWithTheErrorOfOnOpen() {
        Error error = new AssertionError("intended");
        Heard failing =
                new Heard() {
                    @Override
                    public void onOpen(WebSocket socket) throws Exception {
                        super.onOpen(socket);
                        throw error;
                    }
                };
        assertThat(connect(failing).cause()).isSameAs(error);
        assertThat(failing.events).containsExactly("open", "close 1006");
    }
}
