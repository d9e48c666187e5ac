package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.EveryTransport;
import io.weft.conformance.rig.Rig;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A server on loops that are not its own ends by itself: answers under way are finished, and the
/// loops and other servers go on.
@EveryTransport
class HttpServerOnGivenLoopsTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final Duration LONG = Duration.ofSeconds(Rig.PATIENCE_SECONDS);

    private final Rig rig;

    HttpServerOnGivenLoopsTest(String transport) throws IOException {
        rig = Rig.ofSockets(transport, 2);
    }

    @AfterEach
    void close() throws IOException {
        rig.close();
    }

    private HttpServer.Builder server() {
        return HttpServer.builder().group(rig.group).host(InetAddress.getLoopbackAddress());
    }

    private static String answer(Socket peer) throws IOException {
        StringBuilder answer = new StringBuilder();
        while (answer.indexOf("hello") < 0) {
            answer.append(Rig.receive(peer, 1));
        }
        return answer.toString();
    }

    @Test
    void loopsAndOtherServersOutliveIt() throws Exception {
        HttpServer one = server().handler(_ -> Response.text("hello")).listen();
        HttpServer other = server().handler(_ -> Response.text("hello")).listen();
        Socket idle = rig.connect(one.address());
        Rig.send(idle, GET);
        assertThat(answer(idle)).startsWith("HTTP/1.1 200");
        CompletionStage<Void> ended = one.shutdownGracefully(LONG);
        assertThat(Rig.receiveAll(idle)).isEmpty();
        idle.close();
        Rig.await(ended.toCompletableFuture());
        Socket peer = rig.connect(other.address());
        Rig.send(peer, GET);
        assertThat(answer(peer)).startsWith("HTTP/1.1 200");
    }

    @Test
    void answersUnderWayAreFinished() throws Exception {
        CompletableFuture<Void> asked = new CompletableFuture<>();
        CompletableFuture<Response> answer = new CompletableFuture<>();
        HttpServer server =
                server().async(
                                _ -> {
                                    asked.complete(null);
                                    return answer;
                                })
                        .listen();
        Socket peer = rig.connect(server.address());
        Rig.send(peer, GET);
        Rig.await(asked);
        CompletionStage<Void> ended = server.shutdownGracefully(LONG);
        answer.complete(Response.text("hello"));
        assertThat(Rig.receiveAll(peer)).startsWith("HTTP/1.1 200").endsWith("hello");
        peer.close();
        Rig.await(ended.toCompletableFuture());
    }
}
