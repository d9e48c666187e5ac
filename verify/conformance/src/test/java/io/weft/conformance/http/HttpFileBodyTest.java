package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.HttpHandler;
import io.weft.http.server.HttpServer;
import io.weft.testkit.Warns;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.X509Certificate;
import java.util.Random;
import javax.net.ssl.SSLContext;
import javax.net.ssl.TrustManager;
import javax.net.ssl.X509TrustManager;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Files and streams of the JDK as bodies, over real sockets.
class HttpFileBodyTest {
    @TempDir private Path directory;
    private final byte[] content = new byte[300_000];

    @BeforeEach
    void write() throws Exception {
        new Random(Long.getLong("io.weft.test.seed", 1)).nextBytes(content);
        Files.write(directory.resolve("file"), content);
        Files.writeString(directory.resolve("empty"), "");
    }

    private HttpServer.Builder server() {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport("nio")
                .loops(1)
                .handler(this::answer);
    }

    private Response answer(Request request) throws Exception {
        Body body =
                switch (request.path()) {
                    case "/file" -> Body.of(directory.resolve("file"));
                    case "/part" -> Body.of(directory.resolve("file"), 100_000, 50_000);
                    case "/empty" -> Body.of(directory.resolve("empty"));
                    case "/short" -> Body.of(directory.resolve("file"), 0, 300_001);
                    case "/stream" -> Body.of(new ByteArrayInputStream(content));
                    case "/sized" -> Body.of(new ByteArrayInputStream(content), content.length);
                    default -> Body.of("x");
                };
        return Response.of(Status.OK, Headers.EMPTY, body);
    }

    private static String get(Socket socket, String... paths) throws Exception {
        StringBuilder asked = new StringBuilder();
        for (int i = 0; i < paths.length; i++) {
            asked.append("GET /").append(paths[i]).append(" HTTP/1.1\r\nHost: x\r\n");
            asked.append(i == paths.length - 1 ? "Connection: close\r\n\r\n" : "\r\n");
        }
        socket.getOutputStream().write(asked.toString().getBytes(US_ASCII));
        return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
    }

    private static Socket plain(HttpServer server) throws Exception {
        return new Socket(server.address().getAddress(), server.address().getPort());
    }

    private static Socket trusting(HttpServer server) throws Exception {
        X509TrustManager everybody =
                new X509TrustManager() {
                    @Override
                    public void checkClientTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public void checkServerTrusted(X509Certificate[] chain, String type) {}

                    @Override
                    public X509Certificate[] getAcceptedIssuers() {
                        return new X509Certificate[0];
                    }
                };
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(null, new TrustManager[] {everybody}, null);
        return context.getSocketFactory()
                .createSocket(server.address().getAddress(), server.address().getPort());
    }

    private void assertAnswers(Socket socket) throws Exception {
        String all = new String(content, ISO_8859_1);
        String got = get(socket, "file", "other", "part", "empty", "sized", "other");
        String bodies = got.replaceAll("HTTP/1.1 200 OK\r\n([a-z-]+: [^\r]*\r\n)*\r\n", "|");
        String expected = "|" + all + "|x|" + all.substring(100_000, 150_000) + "||" + all + "|x";
        assertThat(bodies.length()).isEqualTo(expected.length());
        assertThat(bodies.equals(expected)).isTrue();
    }

    @Test
    void filesAndStreamsAreSentInOrder() throws Exception {
        try (HttpServer server = server().listen();
                Socket socket = plain(server)) {
            assertAnswers(socket);
        }
    }

    @Test
    @Warns
    void fileThatCannotBeOpenedIsNotAnnounced() throws Exception {
        HttpHandler handler =
                _ -> {
                    Path file = Files.writeString(directory.resolve("gone"), "hello");
                    Body body = Body.of(file);
                    Files.delete(file);
                    return Response.of(Status.OK, Headers.EMPTY, body);
                };
        HttpServer.Builder blocking =
                HttpServer.builder()
                        .host(InetAddress.getLoopbackAddress())
                        .transport("nio")
                        .blocking(handler);
        try (HttpServer server = blocking.listen();
                Socket socket = plain(server)) {
            assertThat(get(socket, "gone")).startsWith("HTTP/1.1 500 ");
        }
    }

    @Test
    void filesAndStreamsAreSentOverTls() throws Exception {
        try (TlsContext context =
                        TlsContext.server(CertificateBuilder.selfSigned("localhost")).build();
                HttpServer server = server().tls(context).listen();
                Socket socket = trusting(server)) {
            assertAnswers(socket);
        }
    }

    @Test
    void aStreamOfUnknownLengthIsChunked() throws Exception {
        try (HttpServer server = server().listen();
                Socket socket = plain(server)) {
            assertThat(get(socket, "stream"))
                    .contains("transfer-encoding: chunked")
                    .contains("\r\n\r\n4000\r\n")
                    .endsWith("\r\n0\r\n\r\n");
        }
    }

    @Test
    void aFileThatIsShorterCutsTheAnswerOff() throws Exception {
        try (HttpServer server = server().listen();
                Socket socket = plain(server)) {
            int got = 0;
            try {
                got = get(socket, "short", "other").length();
            } catch (IOException e) {
                // A reset says so too.
            }
            assertThat(got).isLessThan(300_000);
        }
    }
}
