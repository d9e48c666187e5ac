package io.weft.http.server;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Deflate;
import io.weft.codec.compression.DeflateDecompressor;
import io.weft.http.model.Body;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.exchange.Application;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.zip.DeflaterOutputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

class DecompressionTest {
    private static final String TEXT = "0123456789\n".repeat(3000);

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static EmbeddedChannel connection(Application application, HttpFilter filter) {
        Application filtered = new Application.Filtered(application, List.of(filter));
        return Http1Channels.of(filtered);
    }

    private static byte[] compressed(String coding, byte[] bytes) {
        ByteArrayOutputStream to = new ByteArrayOutputStream();
        try (OutputStream out =
                coding.equals("gzip") ? new GZIPOutputStream(to) : new DeflaterOutputStream(to)) {
            out.write(bytes);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return to.toByteArray();
    }

    private static String post(String coding, byte[] body) {
        return "POST / HTTP/1.1\r\nHost: x\r\nContent-Encoding: "
                + coding
                + "\r\nContent-Length: "
                + body.length
                + "\r\n\r\n"
                + new String(body, ISO_8859_1);
    }

    private static void receive(EmbeddedChannel channel, byte... bytes) {
        Buffer in = BufferAllocator.pooled().allocate(bytes.length);
        channel.receive(in.writeBytes(bytes));
    }

    private static Application collected() {
        return new Application.Direct(DecompressionTest::said);
    }

    private static Application streamed() {
        return new Application.Async(
                r -> r.body().collect(128 << 20).thenApply(b -> said(r.withBody(b))), true);
    }

    private static Response said(Request request) {
        return Response.text(
                request.headers() + "|" + request.body().length() + "|" + head(request.body()));
    }

    private static String head(Body body) {
        String text = body.asString(UTF_8);
        return text.substring(0, Math.min(5, text.length()));
    }

    private static String ask(Application application, HttpFilter filter, String request) {
        try (EmbeddedChannel channel = connection(application, filter)) {
            receive(channel, request.getBytes(ISO_8859_1));
            channel.runPending();
            return new String(channel.takeOutbound(), ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"gzip", "deflate", "GZIP", " x-gzip"})
    void bodiesAreExpandedInMemoryAndAsStreams(String coding) {
        String format = coding.equals("deflate") ? "deflate" : "gzip";
        String request = post(coding, compressed(format, TEXT.getBytes(UTF_8)));
        for (Application application : List.of(collected(), streamed())) {
            assertThat(ask(application, Decompression.DEFAULT, request))
                    .startsWith("HTTP/1.1 200 ")
                    .doesNotContain("content-encoding")
                    .endsWith("|" + TEXT.length() + "|01234");
        }
    }

    @Test
    void aBodyByteByByteIsExpanded() {
        byte[] bytes = post("gzip", compressed("gzip", TEXT.getBytes(UTF_8))).getBytes(ISO_8859_1);
        try (EmbeddedChannel channel = connection(streamed(), Decompression.DEFAULT)) {
            for (byte b : bytes) {
                receive(channel, b);
            }
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("|" + TEXT.length() + "|01234");
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"br", "gzip, gzip", "gzip, deflate", "identity, gzip", "nonsense"})
    void anotherCodingIsRefusedWithThoseThatAreServed(String coding) {
        HttpFilter filter =
                Decompression.DEFAULT.withCoding(
                        "X", limits -> new DeflateDecompressor(Deflate.GZIP, limits));
        assertThat(ask(collected(), filter, post(coding, new byte[1])))
                .startsWith("HTTP/1.1 415 ")
                .contains("accept-encoding: gzip, deflate, x\r\n");
    }

    @ParameterizedTest
    @ValueSource(strings = {"identity", ""})
    void aBodyWithoutACodingStaysAsItIs(String coding) {
        assertThat(ask(collected(), Decompression.DEFAULT, post(coding, new byte[] {'a'})))
                .endsWith("|1|a");
    }

    @Test
    void anEmptyBodyIsEmptyWhateverItsCoding() {
        for (Application application : List.of(collected(), streamed())) {
            assertThat(ask(application, Decompression.DEFAULT, post("gzip", new byte[0])))
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("|0|");
        }
    }

    @Test
    void aMalformedBodyIsABadRequest() {
        byte[] good = compressed("gzip", TEXT.getBytes(UTF_8));
        byte[] cut = Arrays.copyOf(good, good.length - 1);
        byte[] more = Arrays.copyOf(good, good.length + 1);
        for (byte[] bad : List.of("nonsense, not gzip".getBytes(UTF_8), cut, more)) {
            for (Application application : List.of(collected(), streamed())) {
                assertThat(ask(application, Decompression.DEFAULT, post("gzip", bad)))
                        .startsWith("HTTP/1.1 400 ");
            }
        }
    }

    @Test
    void aBombIsRefused() {
        byte[] bomb = compressed("gzip", new byte[8 << 20]);
        assertThat(bomb.length).isLessThan(16 << 10);
        for (Application application : List.of(collected(), streamed())) {
            assertThat(ask(application, Decompression.DEFAULT, post("gzip", bomb)))
                    .startsWith("HTTP/1.1 413 ");
        }
    }

    @Test
    void theTotalIsLimited() {
        HttpFilter filter =
                Decompression.DEFAULT.withLimits(DecompressionLimits.DEFAULT.total(1000));
        byte[] body = compressed("gzip", TEXT.getBytes(UTF_8));
        for (Application application : List.of(collected(), streamed())) {
            assertThat(ask(application, filter, post("gzip", body))).startsWith("HTTP/1.1 413 ");
        }
        HttpFilter small = Decompression.DEFAULT.withInMemory(1000);
        assertThat(ask(collected(), small, post("gzip", body))).startsWith("HTTP/1.1 413 ");
        assertThat(ask(streamed(), small, post("gzip", body))).startsWith("HTTP/1.1 200 ");
        assertThatThrownBy(() -> Decompression.DEFAULT.withInMemory(0))
                .isInstanceOf(IllegalArgumentException.class);
    }

    @Test
    void aBodyThatIsNotReadToItsEndLeavesNothing() {
        byte[] body = compressed("gzip", TEXT.getBytes(UTF_8));
        CompletableFuture<Response> answer = new CompletableFuture<>();
        try (EmbeddedChannel channel = connection(readsSome(answer), Decompression.DEFAULT)) {
            receive(channel, post("gzip", body).getBytes(ISO_8859_1));
            answer.complete(Response.text("enough"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("enough");
        }
    }

    @Test
    void aConnectionThatBreaksWithinABodyLeavesNothing() {
        byte[] body = compressed("gzip", TEXT.getBytes(UTF_8));
        Application application = readsSome(new CompletableFuture<>());
        try (EmbeddedChannel channel = connection(application, Decompression.DEFAULT)) {
            receive(channel, post("gzip", body).substring(0, 150).getBytes(ISO_8859_1));
        }
    }

    private static Application readsSome(CompletableFuture<Response> answer) {
        return new Application.Async(
                r -> {
                    try (Buffer out = BufferAllocator.pooled().allocate(100)) {
                        var _ = ((Body.Stream) r.body()).source().read(out);
                    }
                    return answer;
                },
                true);
    }

    @Test
    void withoutItABodyComesAsItIs() {
        HttpFilter none = new HttpFilter() {};
        byte[] body = compressed("gzip", TEXT.getBytes(UTF_8));
        assertThat(ask(collected(), none, post("gzip", body)))
                .contains("content-encoding")
                .contains("|" + body.length + "|");
    }
}
