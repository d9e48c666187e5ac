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
import org.junit.jupiter.params.provider.ValueSource;

class FetchUrlTest {
    private final ByteArrayOutputStream out = new ByteArrayOutputStream();
    private final ByteArrayOutputStream err = new ByteArrayOutputStream();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private int run(String... args) {
        return FetchUrl.run(
                new PrintStream(out, true, UTF_8), new PrintStream(err, true, UTF_8), args);
    }

    /// A server that says what it was asked.
    private static HttpServer mirror() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .loops(1)
                .handler(
                        r ->
                                Response.text(
                                                r.method()
                                                        + " "
                                                        + r.target()
                                                        + " "
                                                        + r.headers().first("x-a")
                                                        + " "
                                                        + r.headers().first("content-type")
                                                        + " "
                                                        + r.body().asString())
                                        .withHeader("x-b", "c"))
                .listen();
    }

    @Test
    void fetchesUrls() {
        try (HttpServer server = mirror()) {
            String url = "http://127.0.0.1:" + server.address().getPort();
            assertThat(run(url + "/a?b")).isZero();
            assertThat(run("-d", "x=y", "-H", "X-A: b", url)).isZero();
            assertThat(run("-X", "PUT", "-d", "1", "-H", "content-type:text/plain", url)).isZero();
            assertThat(out.toString(UTF_8))
                    .isEqualTo(
                            "GET /a?b null null "
                                    + "POST / b application/x-www-form-urlencoded x=y"
                                    + "PUT / null text/plain 1");
            out.reset();
            assertThat(run("-i", url)).isZero();
            assertThat(out.toString(UTF_8))
                    .startsWith("200 OK\n")
                    .contains("\nx-b: c\n")
                    .endsWith("\n\nGET / null null ");
            assertThat(err.toString(UTF_8)).isEmpty();
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"--http1.1", "--http2"})
    void versionIsChosen(String option) {
        try (HttpServer server = mirror()) {
            String url = "http://127.0.0.1:" + server.address().getPort();
            assertThat(run(option, "-d", "x=y", url + "/a")).isZero();
            assertThat(out.toString(UTF_8))
                    .isEqualTo("POST /a null application/x-www-form-urlencoded x=y");
        }
    }

    @Test
    void aServerThatIsNotThereIsSaidInOneLine() {
        String url;
        try (HttpServer server = mirror()) {
            url = "http://127.0.0.1:" + server.address().getPort();
        }
        assertThat(run(url)).isEqualTo(1);
        assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains(url);
    }

    @ParameterizedTest
    @CsvSource({
        "'', no URL",
        "-X, -X: no value",
        "--colour, --colour: unknown option",
        "http://a/ http://b/, http://b/: unknown option",
        "'http://a/ -X G(T', method",
        "'http://a/ -H a', header name",
        "a#b, request target"
    })
    void whatIsWrongIsSaidInOneLine(String arguments, String message) {
        String[] args = arguments.isEmpty() ? new String[0] : arguments.split(" ", -1);
        assertThat(run(args)).isEqualTo(2);
        assertThat(err.toString(UTF_8).lines()).singleElement().asString().contains(message);
    }

    @Test
    void helpIsNoMistake() {
        assertThat(run("--help")).isZero();
        assertThat(out.toString(UTF_8)).startsWith("options: [-X method]");
    }
}
