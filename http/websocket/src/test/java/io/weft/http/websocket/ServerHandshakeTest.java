package io.weft.http.websocket;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.http.model.Body;
import io.weft.http.model.HeaderName;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Version;
import io.weft.http.websocket.ServerHandshake.Accepted;
import io.weft.http.websocket.ServerHandshake.Refused;
import java.util.Objects;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class ServerHandshakeTest {
    /// The example of RFC 6455, 1.3.
    private static final String EXAMPLE =
            """
            Host: server.example.com
            Upgrade: websocket
            Connection: Upgrade
            Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==
            Origin: http://example.com
            Sec-WebSocket-Protocol: chat, superchat
            Sec-WebSocket-Version: 13
            """;

    private static Request request(String fields) {
        return request(Method.GET, Version.HTTP_1_1, fields);
    }

    private static Request request(Method method, Version version, String fields) {
        HeadersBuilder headers = Headers.builder();
        fields.lines()
                .forEach(
                        line -> {
                            int colon = line.indexOf(':');
                            headers.add(
                                    line.substring(0, colon), line.substring(colon + 1).strip());
                        });
        return Request.of(method, RequestTarget.ROOT, version, headers.build(), Body.empty());
    }

    private static Accepted accepted(Request request, WebSocketSettings settings) {
        return (Accepted) ServerHandshake.of(request, settings);
    }

    private static Response refused(Request request) {
        return ((Refused) ServerHandshake.of(request, WebSocketSettings.DEFAULT)).response();
    }

    @Test
    void exampleOfTheRfcIsAnswered() {
        Accepted accepted =
                accepted(
                        request(EXAMPLE),
                        WebSocketSettings.DEFAULT.subprotocols("superchat", "chat"));
        assertThat(accepted.headers().first(HeaderName.SEC_WEBSOCKET_ACCEPT))
                .isEqualTo("s3pPLMBiTxaQ9kYGzzhZRbK+xOo=");
        assertThat(accepted.headers().first(HeaderName.SEC_WEBSOCKET_PROTOCOL)).isEqualTo("chat");
        assertThat(accepted.agreement()).isEqualTo(new Agreement("chat", null));
    }

    @Test
    void subprotocolThatIsUnknownIsNotAnswered() {
        Accepted accepted =
                accepted(request(EXAMPLE), WebSocketSettings.DEFAULT.subprotocols("other"));
        assertThat(accepted.headers().contains(HeaderName.SEC_WEBSOCKET_PROTOCOL)).isFalse();
    }

    @ParameterizedTest
    @ValueSource(strings = {"Upgrade: h2c, WebSocket", "Upgrade: foo\nUpgrade: websocket"})
    void upgradeIsAListInAnyCase(String upgrade) {
        Request request =
                request(
                        EXAMPLE.replace("Upgrade: websocket", upgrade)
                                .replace("Connection: Upgrade", "Connection: keep-alive, upgrade"));
        assertThat(ServerHandshake.of(request, WebSocketSettings.DEFAULT))
                .isInstanceOf(Accepted.class);
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "Host: server.example.com | | 400",
                "Host: server.example.com | Host: a~Host: b | 400",
                "Upgrade: websocket | | 426",
                "Upgrade: websocket | Upgrade: websockets | 426",
                "Connection: Upgrade | | 400",
                "Connection: Upgrade | Connection: close | 400",
                "Sec-WebSocket-Version: 13 | | 426",
                "Sec-WebSocket-Version: 13 | Sec-WebSocket-Version: 8 | 426",
                "Sec-WebSocket-Version: 13 | Sec-WebSocket-Version: 13, 8 | 426",
                "Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ== | | 400",
                "dGhlIHNhbXBsZSBub25jZQ== | dGhlIHNhbXBsZSBub25jZQ | 400",
                "dGhlIHNhbXBsZSBub25jZQ== | dGhlIHNhbXBsZSBub25jZR== | 400",
                "dGhlIHNhbXBsZSBub25jZQ== | dGhlIHNhbXBsZSBub25jZTE= | 400",
                "Origin: | Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==~Origin: | 400",
                "chat, superchat | chat, chat | 400",
                "chat, superchat | chat, | 400",
                "chat, superchat | a b | 400",
                "Origin: | Sec-WebSocket-Extensions: ;~Origin: | 400",
            })
    void brokenHandshakeIsRefused(String part, String by, int status) {
        String fields =
                by == null
                        ? EXAMPLE.replace(part + "\n", "")
                        : EXAMPLE.replace(part, by.replace('~', '\n'));
        assertThat(fields).isNotEqualTo(EXAMPLE);
        assertThat(refused(request(fields)).status().code()).isEqualTo(status);
    }

    @Test
    void refusalOfAVersionNamesTheOneThatWouldDo() {
        Response response = refused(request(EXAMPLE.replace("13", "8")));
        assertThat(response.headers().first(HeaderName.SEC_WEBSOCKET_VERSION)).isEqualTo("13");
        assertThat(response.headers().first(HeaderName.UPGRADE)).isEqualTo("websocket");
    }

    @Test
    void requestIsAGetOfHttp11WithoutContent() {
        assertThat(refused(request(Method.POST, Version.HTTP_1_1, EXAMPLE)).status().code())
                .isEqualTo(405);
        assertThat(refused(request(Method.GET, Version.HTTP_1_0, EXAMPLE)).status().code())
                .isEqualTo(400);
        assertThat(refused(request(EXAMPLE).withBody(Body.of("x"))).status().code()).isEqualTo(400);
    }

    @Test
    void originThatIsNotAllowedIsForbidden() {
        WebSocketSettings settings = WebSocketSettings.DEFAULT.origins("http://example.com");
        assertThat(ServerHandshake.of(request(EXAMPLE), settings)).isInstanceOf(Accepted.class);
        for (String other :
                new String[] {"http://example.com.evil", "null", "https://example.com"}) {
            Request request = request(EXAMPLE.replace("http://example.com", other));
            Refused refused = (Refused) ServerHandshake.of(request, settings);
            assertThat(refused.response().status().code()).isEqualTo(403);
        }
        Request without = request(EXAMPLE.replace("Origin: http://example.com\n", ""));
        assertThat(ServerHandshake.of(without, settings)).isInstanceOf(Refused.class);
    }

    @Test
    void compressionIsAgreedOnWhereBothWantIt() {
        Request request = request(EXAMPLE + "Sec-WebSocket-Extensions: permessage-deflate\n");
        Accepted with = accepted(request, WebSocketSettings.DEFAULT.compressed());
        assertThat(with.headers().first(HeaderName.SEC_WEBSOCKET_EXTENSIONS))
                .isEqualTo("permessage-deflate");
        assertThat(Objects.requireNonNull(with.agreement().deflate()).serverMaxWindowBits())
                .isEqualTo(15);
        Accepted without = accepted(request, WebSocketSettings.DEFAULT);
        assertThat(without.headers().contains(HeaderName.SEC_WEBSOCKET_EXTENSIONS)).isFalse();
        assertThat(without.agreement().deflate()).isNull();
    }

    @Test
    void subprotocolsOfSettingsAreTokens() {
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebSocketSettings.DEFAULT.subprotocols("a, b"));
        assertThatIllegalArgumentException()
                .isThrownBy(() -> WebSocketSettings.DEFAULT.subprotocols("a", "a"));
    }
}
