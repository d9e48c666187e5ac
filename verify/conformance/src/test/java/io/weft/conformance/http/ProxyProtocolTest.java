package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// The PROXY protocol before the HTTP server, on every engine.
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"io_uring", "epoll", "nio"})
@Timeout(300)
class ProxyProtocolTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n";

    private final String transport;

    ProxyProtocolTest(String transport) {
        this.transport = transport;
    }

    private HttpServer.Builder server() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport(transport)
                .loops(1)
                .handler(
                        request ->
                                Response.text(
                                        "you are "
                                                + Objects.requireNonNull(request.peer())
                                                        .address()));
    }

    private static String exchange(HttpServer server, String... pieces) throws IOException {
        try (Socket socket =
                new Socket(InetAddress.getLoopbackAddress(), server.address().getPort())) {
            socket.setSoTimeout(60_000);
            for (String piece : pieces) {
                socket.getOutputStream().write(piece.getBytes(ISO_8859_1));
                socket.getOutputStream().flush();
            }
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        } catch (SocketException e) {
            return "reset";
        }
    }

    @Test
    void requestHasTheClientsAddress() throws IOException {
        try (HttpServer server = server().proxyProtocol("127.0.0.0/8", "::1").listen()) {
            assertThat(exchange(server, "PROXY TCP4 192.0.2.1 192.0.2.2 5 80\r\n" + GET))
                    .endsWith("you are /192.0.2.1:5");
            assertThat(exchange(server, "PROXY TCP6 2001:db8::1 ", "::1 5 80\r", "\n" + GET))
                    .endsWith("you are /[2001:db8:0:0:0:0:0:1]:5");
            assertThat(
                            exchange(
                                    server,
                                    "\r\n\r\n\0\r\nQUIT\n\41\21\0\14\300\0\2\1\300\0\2\2\0\5\0\120",
                                    GET))
                    .endsWith("you are /192.0.2.1:5");
            assertThat(exchange(server, "PROXY UNKNOWN\r\n", GET)).contains("you are /127.0.0.1:");
        }
    }

    @Test
    void connectionWithoutAHeaderGetsNoAnswer() throws IOException {
        try (HttpServer server = server().proxyProtocol("127.0.0.0/8", "::1").listen()) {
            assertThat(exchange(server, GET)).isIn("", "reset");
        }
    }

    @Test
    void headerOfAPeerThatIsNotTrustedGetsNoAnswer() throws IOException {
        try (HttpServer server = server().proxyProtocol("192.0.2.0/24").listen()) {
            assertThat(exchange(server, "PROXY TCP4 192.0.2.1 192.0.2.2 5 80\r\n" + GET))
                    .isIn("", "reset");
        }
    }

    @Test
    void requestWithoutAProxyHasTheConnectionsAddress() throws IOException {
        try (HttpServer server = server().listen()) {
            assertThat(exchange(server, GET)).contains("you are /127.0.0.1:");
        }
    }
}
