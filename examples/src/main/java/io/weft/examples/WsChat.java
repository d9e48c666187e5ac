package io.weft.examples;

import io.weft.codec.websocket.CloseStatus;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.websocket.ServerHandshake;
import io.weft.http.websocket.WebSocket;
import io.weft.http.websocket.WebSocketListener;
import io.weft.http.websocket.WebSocketSettings;
import io.weft.http.websocket.WebSocketUpgrade;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// A chat for browsers: a page at `/`, and behind it a WebSocket connection for each visitor.
public final class WsChat {
    private static final Response PAGE =
            Response.of(
                    Status.OK,
                    Headers.of("content-type", "text/html; charset=utf-8"),
                    Body.of(
                            """
                            <!doctype html>
                            <title>Weft chat</title>
                            <ol id="heard"></ol>
                            <form><input id="said" autofocus><button>Say</button></form>
                            <script>
                              const socket = new WebSocket(location.href.replace(/^http/, 'ws'));
                              socket.onmessage = message => {
                                const line = document.createElement('li');
                                line.textContent = message.data;
                                document.getElementById('heard').append(line);
                              };
                              document.forms[0].onsubmit = event => {
                                event.preventDefault();
                                const said = document.getElementById('said');
                                socket.send(said.value);
                                said.value = '';
                              };
                            </script>
                            """));

    private WsChat() {}

    public static void main(String[] args) {
        Example.main(Taken.SOCKETS, 8082, args, WsChat::start);
    }

    static Example.Running start(Options options) {
        // Pages of other sites could speak for their visitors: only our own may connect.
        WebSocketSettings settings = WebSocketSettings.DEFAULT.compressed().origin(WsChat::isOurs);
        Room room = new Room();
        return Example.http(
                options,
                server ->
                        server.handler(
                                request ->
                                        ServerHandshake.isOffered(request)
                                                ? WebSocketUpgrade.answer(request, settings, room)
                                                : PAGE));
    }

    private static boolean isOurs(Request request) {
        String origin = request.headers().first("origin");
        boolean secure = request.peer() != null && request.peer().tls() != null;
        String scheme = secure ? "https://" : "http://";
        return origin == null || origin.equals(scheme + request.headers().first("host"));
    }

    /// All visitors, on whatever loop.
    private static final class Room implements WebSocketListener {
        private final Crowd<WebSocket> visitors = new Crowd<>();
        private final Map<WebSocket, Crowd<WebSocket>.Member> members = new ConcurrentHashMap<>();

        @Override
        public void onOpen(WebSocket socket) {
            members.put(
                    socket,
                    visitors.join(
                            socket,
                            socket.channel().eventLoop(),
                            on -> {
                                if (on) {
                                    socket.resume();
                                } else {
                                    socket.pause();
                                }
                            }));
        }

        @Override
        public void onText(WebSocket socket, String text) {
            var member = members.get(socket);
            if (member != null) {
                member.tell(
                        to -> {
                            // A visitor who does not read misses messages.
                            if (to.isWritable()) {
                                to.sendText(text);
                            }
                        });
            }
        }

        @Override
        public void onClose(WebSocket socket, CloseStatus status) {
            var member = members.remove(socket);
            if (member != null) {
                member.leave();
            }
        }
    }
}
