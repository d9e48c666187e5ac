package io.weft.examples;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The page of the chat in a headless Chromium.
@Tag("peers")
@EnabledIfSystemProperty(named = "peers", matches = "true")
class WsChatPeersTest {
    private static final String IS_OPEN = "socket.readyState === WebSocket.OPEN";
    private static final String LINES =
            "[...document.querySelectorAll('#heard li')].map(line => line.textContent)";

    @TempDir Path directory;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Served chat(boolean tls) {
        return Served.start(o -> WsChat.start(tls ? o.withTls() : o), "nio");
    }

    private static String url(Served chat, String scheme) {
        InetSocketAddress address = chat.address();
        return scheme + "://127.0.0.1:" + address.getPort() + "/";
    }

    private static String say(String text) {
        return "document.getElementById('said').value = '%s',".formatted(text)
                + " document.querySelector('button').click(), 'said'";
    }

    private static String hears(Chromium.Page page, int lines) throws Exception {
        return page.evaluateWhen(LINES + ".length >= " + lines, LINES + ".join('|')");
    }

    @ParameterizedTest
    @ValueSource(strings = {"http", "https"})
    void twoVisitorsSeeEachOthersLines(String scheme) throws Exception {
        try (Served chat = chat(scheme.equals("https"));
                Chromium browser = Chromium.start(directory)) {
            Chromium.Page one = browser.open(url(chat, scheme));
            Chromium.Page other = browser.open(url(chat, scheme));
            assertThat(one.evaluateWhen(IS_OPEN, "'open'")).isEqualTo("open");
            assertThat(other.evaluateWhen(IS_OPEN, "'open'")).isEqualTo("open");

            assertThat(one.evaluate(say("hello <b>"))).isEqualTo("said");
            assertThat(hears(one, 1)).isEqualTo("hello <b>");
            assertThat(hears(other, 1)).isEqualTo("hello <b>");
            assertThat(other.evaluate(say("\\u2603".repeat(200)))).isEqualTo("said");
            String snow = "hello <b>|" + "\\u2603".repeat(200); // as JSON has it
            assertThat(hears(other, 2)).isEqualTo(snow);
            assertThat(hears(one, 2)).isEqualTo(snow);
        }
    }

    /// A browser that has the page over HTTP/2 opens its WebSocket on a stream of that connection
    /// (RFC 8441), which is answered with 200.
    @Test
    void pageOverHttp2HasItsWebSocketThere() throws Exception {
        try (Served chat = chat(true);
                Chromium browser = Chromium.start(directory)) {
            Chromium.Page page = browser.open(url(chat, "https"));
            assertThat(page.evaluateWhen(IS_OPEN, "'open'")).isEqualTo("open");
            page.call("Network.enable", "{}");
            page.call("Page.reload", "{}");
            String answer =
                    page.event(e -> e.contains("Network.webSocketHandshakeResponseReceived"));
            assertThat(answer).contains("\"status\":200,");
            assertThat(page.evaluateWhen(IS_OPEN, "'open'")).isEqualTo("open");
            assertThat(page.evaluate(say("hello"))).isEqualTo("said");
            assertThat(hears(page, 1)).isEqualTo("hello");
        }
    }
}
