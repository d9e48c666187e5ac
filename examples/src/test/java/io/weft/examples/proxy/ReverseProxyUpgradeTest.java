package io.weft.examples.proxy;

import static io.weft.examples.proxy.PlayedServer.send;
import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.examples.Served;
import java.io.IOException;
import java.net.Socket;
import java.net.SocketException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Upgrades through [ReverseProxy], before a server that is played line by line.
@Timeout(300)
class ReverseProxyUpgradeTest {
    private static final String ASKED =
            """
            GET /chat HTTP/1.1
            Host: example.org
            Connection: keep-alive, Upgrade
            TE: trailers
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
            Sec-WebSocket-Version: 13
            """
                    .replace("\n", "\r\n");
    private static final String AGREED =
            """
            HTTP/1.1 101 Switching Protocols
            Connection: Upgrade
            Upgrade: %s
            Sec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=

            """
                    .replace("\n", "\r\n");

    private final PlayedServer server = new PlayedServer();
    private final Served proxy = server.proxy();

    ReverseProxyUpgradeTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        server.close();
    }

    private static String receive(Socket from, int length) throws IOException {
        return new String(from.getInputStream().readNBytes(length), ISO_8859_1);
    }

    private static String head(Socket from) throws IOException {
        StringBuilder text = new StringBuilder();
        while (text.indexOf("\r\n\r\n") < 0) {
            int b = from.getInputStream().read();
            assertThat(b).as(text.toString()).isNotNegative();
            text.append((char) b);
        }
        return text.toString();
    }

    @Test
    void webSocketIsATunnelBothWays() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, ASKED + "Upgrade: websocket\r\n\r\nearly");
            try (Socket behind = server.accept()) {
                assertThat(head(behind))
                        .startsWith("GET /chat HTTP/1.1\r\n")
                        .containsIgnoringCase("connection: upgrade\r\n")
                        .containsIgnoringCase("upgrade: websocket\r\n")
                        .contains("dGhlIHNhbXBsZSBub25jZQ==")
                        .doesNotContainIgnoringCase("te: trailers")
                        .doesNotContainIgnoringCase("user-agent");
                send(behind, AGREED.formatted("websocket") + "first");
                assertThat(head(client))
                        .startsWith("HTTP/1.1 101 ")
                        .containsIgnoringCase("upgrade: websocket\r\n")
                        .contains("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
                assertThat(receive(client, 5)).isEqualTo("first");
                assertThat(receive(behind, 5)).isEqualTo("early");
                send(client, "GET / HTTP/1.1\r\n\r\n"); // no request, whatever it looks like
                assertThat(receive(behind, 18)).isEqualTo("GET / HTTP/1.1\r\n\r\n");
                client.shutdownOutput();
                assertThat(behind.getInputStream().read()).isEqualTo(-1);
                send(behind, "last");
            }
            assertThat(client.getInputStream().readAllBytes()).asString().isEqualTo("last");
        }
    }

    /// Attack class: a server that takes the end of a client's output and never ends its own.
    @Test
    void halfClosedTunnelThatNeverEndsIsAborted() throws Exception {
        try (Served impatient =
                PlayedServer.proxy("--to", server.address(), "--idle-timeout", "1")) {
            while (!isAbortedHalfClosed(impatient)) {
                // This machine stood still for the time-out before.
            }
        }
    }

    /// Returns false for a tunnel that is aborted before it is half-closed.
    private boolean isAbortedHalfClosed(Served impatient) throws Exception {
        try (Socket client = impatient.connect()) {
            send(client, ASKED + "Upgrade: websocket\r\n\r\n");
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, AGREED.formatted("websocket"));
                int end;
                try {
                    head(client);
                    client.shutdownOutput();
                    end = behind.getInputStream().read();
                } catch (SocketException e) {
                    return false;
                }
                assertThat(end).isEqualTo(-1);
                assertThatThrownBy(() -> client.getInputStream().read())
                        .isInstanceOf(SocketException.class);
                return true;
            }
        }
    }

    @Test
    void serverThatDoesNotAgreeAnswers() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, ASKED + "Upgrade: websocket\r\n\r\n");
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, "HTTP/1.1 426 Upgrade Required\r\nContent-Length: 2\r\n\r\nno");
                assertThat(head(client)).startsWith("HTTP/1.1 426 ");
                assertThat(receive(client, 2)).isEqualTo("no");
            }
        }
    }

    /// Attack class: bytes behind a 101 of another protocol, or of none that was asked for, pass as
    /// if they were of the one that the proxy knows.
    @Test
    void serverThatSwitchesToAnotherProtocolIsNotPassedOn() throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, ASKED + "Upgrade: websocket\r\n\r\n");
            try (Socket behind = server.accept()) {
                head(behind);
                send(behind, AGREED.formatted("h2c") + "evil");
                String head = head(client);
                assertThat(head).startsWith("HTTP/1.1 502 ");
            }
        }
    }

    /// Attack class: a tunnel of h2c, in which requests reach the server unseen.
    @ParameterizedTest
    @ValueSource(strings = {"h2c", "h2c, websocket", "websocket, h2c", "TLS/1.0", "websocket2"})
    void otherUpgradesAreNotPassedOn(String protocols) throws Exception {
        try (Socket client = proxy.connect()) {
            send(client, ASKED + "Upgrade: " + protocols + "\r\n\r\n");
            try (Socket behind = server.accept()) {
                assertThat(head(behind))
                        .doesNotContainIgnoringCase("\nupgrade:")
                        .doesNotContainIgnoringCase("connection: upgrade");
                send(behind, "HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok");
                assertThat(head(client)).startsWith("HTTP/1.1 200 ");
            }
        }
    }
}
