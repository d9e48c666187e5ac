package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.codec.brotli.BrotliCompressor;
import io.weft.codec.brotli.BrotliDecompressor;
import io.weft.codec.compression.Compressor;
import io.weft.codec.compression.Deflate;
import io.weft.codec.compression.DeflateCompressor;
import io.weft.codec.zstd.ZstdCompressor;
import io.weft.codec.zstd.ZstdDecompressor;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException.TooLarge;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.AsyncHttpHandler;
import io.weft.http.server.Decompression;
import io.weft.http.server.HttpServer;
import java.io.ByteArrayOutputStream;
import java.net.InetAddress;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.Arguments;
import org.junit.jupiter.params.provider.MethodSource;

/// Bodies that expand a thousandfold, by every content coding, over both versions of HTTP, towards
/// a server and towards a client.
class HttpBombTest {
    private static final int PIECE = 512 << 10;
    private static final int PIECES = 256;
    private static final int COLLECTED = 64 << 20;

    private static final Map<String, Supplier<Compressor>> CODINGS =
            Map.of(
                    "gzip",
                    () -> new DeflateCompressor(Deflate.GZIP),
                    "deflate",
                    () -> new DeflateCompressor(Deflate.ZLIB),
                    "br",
                    BrotliCompressor::new,
                    "zstd",
                    ZstdCompressor::new);

    static List<Arguments> cases() {
        return CODINGS.keySet().stream()
                .flatMap(
                        coding ->
                                Stream.of(HttpProtocol.HTTP_1_1, HttpProtocol.HTTP_2)
                                        .map(version -> Arguments.of(coding, version)))
                .toList();
    }

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    /// So many times 512 KiB of zeros, compressed.
    private static byte[] zeros(String coding, int pieces) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        Compressor compressor = CODINGS.get(coding).get();
        try (Buffer out = BufferAllocator.pooled().allocate(64 << 10)) {
            for (int i = 0; i < pieces; i++) {
                try (Buffer in = BufferAllocator.pooled().allocate(PIECE)) {
                    in.writeBytes(new byte[PIECE]);
                    compressor.compress(in, out);
                }
                drain(out, all);
            }
            compressor.finish(out);
            drain(out, all);
        } finally {
            compressor.close();
        }
        return all.toByteArray();
    }

    private static void drain(Buffer out, ByteArrayOutputStream to) {
        byte[] bytes = new byte[out.readableBytes()];
        out.readBytes(bytes);
        to.writeBytes(bytes);
        out.clear();
    }

    private static HttpClient client(HttpProtocol version) {
        return HttpClient.builder()
                .protocol(version)
                .decoder("br", BrotliDecompressor::new)
                .decoder("zstd", ZstdDecompressor::new)
                .build();
    }

    private static HttpServer server(AsyncHttpHandler handler) {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .loops(1)
                .filter(
                        Decompression.DEFAULT
                                .withCoding("br", BrotliDecompressor::new)
                                .withCoding("zstd", ZstdDecompressor::new))
                .async(handler)
                .listen();
    }

    private static String uri(HttpServer server) {
        return "http://127.0.0.1:" + server.address().getPort() + "/";
    }

    private static CompletionStage<Response> length(Request request) {
        return request.body()
                .collect(COLLECTED)
                .thenApply(body -> Response.text("bytes: " + body.length()));
    }

    @ParameterizedTest
    @MethodSource("cases")
    void bombTowardsAServerIsRefused(String coding, HttpProtocol version) throws Exception {
        byte[] bomb = zeros(coding, PIECES);
        assertThat(bomb.length).isLessThan(PIECES << 11);
        try (HttpServer server = server(HttpBombTest::length);
                HttpClient client = client(version)) {
            assertThat(client.send(post(server, coding, bomb)).status())
                    .isEqualTo(Status.CONTENT_TOO_LARGE);
            byte[] small = zeros(coding, 1);
            assertThat(client.send(post(server, coding, small)).body().asString())
                    .isEqualTo("bytes: " + PIECE);
        }
    }

    private static Request post(HttpServer server, String coding, byte[] body) {
        return Request.post(uri(server), Body.wrap(body)).withHeader("content-encoding", coding);
    }

    @ParameterizedTest
    @MethodSource("cases")
    void bombTowardsAClientIsRefused(String coding, HttpProtocol version) throws Exception {
        byte[] bomb = zeros(coding, PIECES);
        byte[] small = zeros(coding, 1);
        AsyncHttpHandler handler =
                request ->
                        CompletableFuture.completedFuture(
                                Response.of(
                                        Status.OK,
                                        Headers.of("content-encoding", coding),
                                        Body.wrap(request.path().equals("/") ? bomb : small)));
        try (HttpServer server = server(handler);
                HttpClient client = client(version)) {
            assertThatThrownBy(() -> client.get(uri(server))).isInstanceOf(TooLarge.class);
            assertThat(client.get(uri(server) + "small").body().length()).isEqualTo(PIECE);
        }
    }
}
