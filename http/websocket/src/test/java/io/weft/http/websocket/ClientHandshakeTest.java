package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weft.codec.websocket.DeflateParameters;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Status;
import io.weft.http.websocket.ServerHandshake.Accepted;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class ClientHandshakeTest {
    private static final WebSocketSettings SETTINGS =
            WebSocketSettings.DEFAULT.subprotocols("chat", "news").compressed();

    private static ClientHandshake handshake(WebSocketSettings settings) {
        return ClientHandshake.of(
                RequestTarget.of("/ws"), "example.com", Headers.of("origin", "http://a"), settings);
    }

    /// A server's answer, with one field set or removed.
    private static Headers answer(ClientHandshake handshake, HeaderName name, String value) {
        Accepted accepted = (Accepted) ServerHandshake.of(handshake.request(), SETTINGS);
        Headers whole =
                accepted.headers()
                        .plus(HeaderName.CONNECTION, "upgrade")
                        .plus(HeaderName.UPGRADE, "websocket");
        return value.isEmpty() ? whole.without(name) : whole.with(name, value);
    }

    @Test
    void ownServerAgrees() throws Exception {
        ClientHandshake handshake = handshake(SETTINGS);
        Headers answer = answer(handshake, HeaderName.SERVER, "");
        Agreement agreed = handshake.check(Status.SWITCHING_PROTOCOLS, answer);
        assertThat(agreed).isEqualTo(new Agreement("chat", DeflateParameters.DEFAULT));
        assertThat(handshake.request().headers().first("origin")).isEqualTo("http://a");
    }

    @Test
    void eachHandshakeHasAKeyOfItsOwn() {
        String first = key();
        assertThat(first).hasSize(24).isNotEqualTo(key());
    }

    private static String key() {
        Headers headers = handshake(SETTINGS).request().headers();
        return Objects.requireNonNull(headers.first(HeaderName.SEC_WEBSOCKET_KEY));
    }

    @Test
    void answerThatIsNoneIsRefused() {
        refused(Status.OK, HeaderName.SERVER, "", "101");
        refused(Status.SWITCHING_PROTOCOLS, HeaderName.UPGRADE, "", "upgrade");
        refused(Status.SWITCHING_PROTOCOLS, HeaderName.UPGRADE, "h2c", "upgrade");
        refused(Status.SWITCHING_PROTOCOLS, HeaderName.CONNECTION, "", "connection");
        refused(Status.SWITCHING_PROTOCOLS, HeaderName.CONNECTION, "close", "connection");
        refused(Status.SWITCHING_PROTOCOLS, HeaderName.SEC_WEBSOCKET_ACCEPT, "", "accept");
        refused(
                Status.SWITCHING_PROTOCOLS,
                HeaderName.SEC_WEBSOCKET_ACCEPT,
                "s3pPLMBiTxaQ9kYGzzhZRbK+xOo=",
                "accept");
        refused(Status.SWITCHING_PROTOCOLS, HeaderName.SEC_WEBSOCKET_PROTOCOL, "x", "protocol");
        refused(Status.SWITCHING_PROTOCOLS, HeaderName.SEC_WEBSOCKET_EXTENSIONS, "x", "extensions");
    }

    private static void refused(Status status, HeaderName name, String value, String what) {
        ClientHandshake handshake = handshake(SETTINGS);
        Headers answer = answer(handshake, name, value);
        assertThatExceptionOfType(WebSocketHandshakeException.class)
                .isThrownBy(() -> handshake.check(status, answer))
                .withMessageContaining(what)
                .satisfies(e -> assertThat(e.status()).isEqualTo(status));
    }

    @Test
    void extensionThatWasNotOfferedIsRefused() {
        ClientHandshake handshake = handshake(WebSocketSettings.DEFAULT);
        Headers answer =
                answer(handshake, HeaderName.SEC_WEBSOCKET_EXTENSIONS, "permessage-deflate");
        assertThatExceptionOfType(WebSocketHandshakeException.class)
                .isThrownBy(() -> handshake.check(Status.SWITCHING_PROTOCOLS, answer));
    }
}
