package io.weft.examples;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientLimits;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Pattern;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class H2TilesTest {
    private static final int ALL = 225;
    private static final Pattern IMAGE = Pattern.compile("img src=\"([^\"]+)\"");

    @TempDir Path directory;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static Served tiles(String transport) {
        return Served.start(options -> H2Tiles.start(options.withTls()), transport);
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void allImagesOfThePageComeOverOneConnection(String transport) throws Exception {
        try (Served served = tiles(transport);
                HttpClient client =
                        HttpClient.builder()
                                .loops(1)
                                .limits(HttpClientLimits.DEFAULT.withPerOrigin(1))
                                .protocol(HttpProtocol.HTTP_2)
                                .tls(Tls.context("h2"))
                                .build()) {
            String origin = "https://127.0.0.1:" + served.address().getPort();
            String page = client.send(Request.get(origin + "/")).body().asString();
            List<CompletableFuture<Response>> images =
                    IMAGE.matcher(page)
                            .results()
                            .map(m -> client.sendAsync(Request.get(origin + m.group(1))))
                            .toList();
            assertThat(images).hasSize(ALL);
            for (CompletableFuture<Response> image : images) {
                Response response = image.get(60, TimeUnit.SECONDS);
                assertThat(response.status()).isEqualTo(Status.OK);
                assertThat(response.body().asString()).startsWith("<svg");
            }
            assertThat(client).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
            Response none = client.send(Request.get(origin + "/tile/15/0"));
            assertThat(none.status()).isEqualTo(Status.NOT_FOUND);
        }
    }

    /// The page says itself how many images it shows, and how they came.
    @Test
    @Tag("peers")
    void chromiumShowsAllImages() throws Exception {
        try (Served served = tiles("nio")) {
            Process chromium =
                    Chromium.headless(
                                    directory,
                                    "--timeout=120000",
                                    "--virtual-time-budget=60000",
                                    "--dump-dom",
                                    "https://127.0.0.1:" + served.address().getPort() + "/")
                            .redirectError(directory.resolve("errors").toFile())
                            .start();
            try {
                CompletableFuture<String> page =
                        CompletableFuture.supplyAsync(
                                () -> {
                                    try {
                                        return new String(
                                                chromium.getInputStream().readAllBytes(), UTF_8);
                                    } catch (IOException e) {
                                        return e.toString();
                                    }
                                });
                assertThat(page.get(300, TimeUnit.SECONDS))
                        .as(() -> said(directory.resolve("errors")))
                        .contains(ALL + " tiles, " + ALL + " over HTTP/2");
            } finally {
                chromium.descendants().forEach(ProcessHandle::destroyForcibly);
                chromium.destroyForcibly().waitFor();
            }
        }
    }

    private static String said(Path errors) {
        try {
            return Files.readString(errors);
        } catch (IOException e) {
            return e.toString();
        }
    }
}
