package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import java.io.ByteArrayOutputStream;
import java.io.PrintStream;
import java.net.InetAddress;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

class H2ClientTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private int run(String... args) {
        return H2Client.run(
                new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), args);
    }

    private static HttpServer hello() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .loops(1)
                .handler(r -> Response.text("hello"))
                .listen();
    }

    @Test
    void requestsTakeOneConnection() {
        try (HttpServer server = hello()) {
            String url = "http://127.0.0.1:" + server.address().getPort() + "/";
            assertThat(run("-n", "50", url)).isZero();
            assertThat(out.toString(UTF_8))
                    .isEqualToIgnoringNewLines(
                            "50 responses, 250 bytes,"
                                    + " HttpClient[connections=1, idle=1, waiting=0]");
            assertThat(err.toString(UTF_8)).isEmpty();
        }
    }

    @Test
    void serverThatIsNotThereIsSaidInOneLine() {
        String url;
        try (HttpServer server = hello()) {
            url = "http://127.0.0.1:" + server.address().getPort() + "/";
        }
        assertThat(run(url)).isEqualTo(1);
        assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains("127.0.0.1");
    }

    @ParameterizedTest
    @CsvSource({
        "'', no URL",
        "-n 0 http://a/, -n: 0",
        "-n x http://a/, -n: x",
        "http://a/ http://b/, no URL",
        "a#b, request target"
    })
    void wrongArgumentsAreSaidInOneLine(String arguments, String message) {
        String[] args = arguments.isEmpty() ? new String[0] : arguments.split(" ", -1);
        assertThat(run(args)).isEqualTo(2);
        assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains(message);
    }

    @Test
    void helpIsNoMistake() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(UTF_8)).startsWith("options: [-n COUNT]");
    }
}
