package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.http.model.Peer;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.tls.machine.ClientAuth;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.X509Certificate;
import java.util.Base64;
import java.util.Objects;
import javax.net.ssl.KeyManager;
import javax.net.ssl.KeyManagerFactory;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLParameters;
import javax.net.ssl.SSLSocket;
import javax.net.ssl.TrustManagerFactory;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

class HttpServerTlsTest {
    @TempDir private Path directory;

    private static void pem(Path file, String kind, byte[] der) throws Exception {
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(der);
        Files.writeString(
                file, "-----BEGIN " + kind + "-----\n" + text + "\n-----END " + kind + "-----\n");
    }

    private void write(TlsIdentity identity) throws Exception {
        pem(directory.resolve("cert.pem"), "CERTIFICATE", identity.chain().getFirst().getEncoded());
        pem(directory.resolve("key.pem"), "PRIVATE KEY", identity.key().getEncoded());
    }

    private HttpServer.Builder server() throws Exception {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport("nio")
                .loops(1)
                .handler(request -> Response.text("hello"));
    }

    private HttpServer.Builder tlsOfFiles() throws Exception {
        return server().tls(directory.resolve("cert.pem"), directory.resolve("key.pem"));
    }

    private static SSLContext context(X509Certificate trusted, KeyManager @Nullable [] own)
            throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        store.load(null, null);
        store.setCertificateEntry("a", trusted);
        TrustManagerFactory trust = TrustManagerFactory.getInstance("PKIX");
        trust.init(store);
        SSLContext context = SSLContext.getInstance("TLS");
        context.init(own, trust.getTrustManagers(), null);
        return context;
    }

    /// Asks for `/` over TLS, and trusts one certificate.
    private static String get(HttpServer server, X509Certificate trusted) throws Exception {
        return get(server, trusted, null);
    }

    /// As above, and shows a certificate.
    private static String get(
            HttpServer server, X509Certificate trusted, KeyManager @Nullable [] own)
            throws Exception {
        SSLContext context = context(trusted, own);
        try (SSLSocket socket =
                (SSLSocket)
                        context.getSocketFactory()
                                .createSocket(
                                        server.address().getAddress(),
                                        server.address().getPort())) {
            SSLParameters parameters = socket.getSSLParameters();
            parameters.setApplicationProtocols(new String[] {"http/1.1"});
            socket.setSSLParameters(parameters);
            socket.startHandshake();
            socket.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                                    .getBytes(US_ASCII));
            String answer = new String(socket.getInputStream().readAllBytes(), US_ASCII);
            return socket.getApplicationProtocol() + " " + answer;
        }
    }

    @Test
    void servesACertificateOfFilesAndReadsThemAgain() throws Exception {
        TlsIdentity first = CertificateBuilder.selfSigned("localhost");
        TlsIdentity second = CertificateBuilder.selfSigned("localhost");
        write(first);
        try (HttpServer server = tlsOfFiles().listen()) {
            assertThat(get(server, first.chain().getFirst()))
                    .startsWith("http/1.1 HTTP/1.1 200 ")
                    .endsWith("hello");
            write(second);
            server.reloadTls();
            assertThat(get(server, second.chain().getFirst())).endsWith("hello");

            Files.writeString(directory.resolve("key.pem"), "nothing");
            assertThatThrownBy(server::reloadTls).isInstanceOf(GeneralSecurityException.class);
            assertThat(get(server, second.chain().getFirst())).endsWith("hello");
        }
    }

    @Test
    void servesAContextAndReplacesIt() throws Exception {
        TlsIdentity first = CertificateBuilder.selfSigned("localhost");
        TlsIdentity second = CertificateBuilder.selfSigned("localhost");
        try (TlsContext one = TlsContext.server(first).applicationProtocols("http/1.1").build();
                TlsContext two =
                        TlsContext.server(second).applicationProtocols("http/1.1").build();
                HttpServer server = server().tls(one).listen()) {
            assertThat(get(server, first.chain().getFirst())).endsWith("hello");
            server.replaceTls(two);
            assertThat(get(server, second.chain().getFirst())).endsWith("hello");
            assertThatThrownBy(server::reloadTls).isInstanceOf(IllegalStateException.class);
        }
    }

    @Test
    void requestsTellTheParametersOfTheirConnection() throws Exception {
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost");
        TlsIdentity client = CertificateBuilder.selfSigned("client");
        KeyStore keys = KeyStore.getInstance("PKCS12");
        keys.load(null, null);
        keys.setKeyEntry(
                "a", client.key(), new char[0], client.chain().toArray(X509Certificate[]::new));
        KeyManagerFactory own = KeyManagerFactory.getInstance("PKIX");
        own.init(keys, new char[0]);
        try (TlsContext context =
                        TlsContext.server(identity)
                                .clientAuth(ClientAuth.WANT)
                                .trust(client.certificate())
                                .applicationProtocols("http/1.1")
                                .build();
                HttpServer server =
                        server().blocking(HttpServerTlsTest::tells).tls(context).listen()) {
            assertThat(get(server, identity.certificate(), own.getKeyManagers()))
                    .endsWith("TLSv1.3 TLS_AES_128_GCM_SHA256 " + client.certificate().hashCode());
            assertThat(get(server, identity.certificate()))
                    .endsWith("TLSv1.3 TLS_AES_128_GCM_SHA256 none");
        }
        try (HttpServer server = server().blocking(HttpServerTlsTest::tells).listen();
                Socket socket =
                        new Socket(server.address().getAddress(), server.address().getPort())) {
            socket.getOutputStream()
                    .write(
                            "GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
                                    .getBytes(US_ASCII));
            assertThat(new String(socket.getInputStream().readAllBytes(), US_ASCII))
                    .endsWith("null from " + socket.getLocalSocketAddress());
        }
    }

    @Test
    void requestsOfHttp2TellTheParametersOfTheirConnection() throws Exception {
        TlsIdentity identity = CertificateBuilder.selfSigned("localhost");
        try (TlsContext tls =
                        TlsContext.server(identity).applicationProtocols("h2", "http/1.1").build();
                HttpServer server = server().blocking(HttpServerTlsTest::tells).tls(tls).listen();
                HttpClient client =
                        HttpClient.newBuilder()
                                .sslContext(context(identity.certificate(), null))
                                .build()) {
            HttpRequest request =
                    HttpRequest.newBuilder(
                                    URI.create(
                                            "https://localhost:"
                                                    + server.address().getPort()
                                                    + "/"))
                            .build();
            HttpResponse<String> response = client.send(request, BodyHandlers.ofString());
            assertThat(response.version()).isSameAs(HttpClient.Version.HTTP_2);
            assertThat(response.body()).isEqualTo("TLSv1.3 TLS_AES_128_GCM_SHA256 none");
        }
    }

    private static Response tells(Request request) {
        Peer peer = Objects.requireNonNull(request.peer());
        Peer.Tls tls = peer.tls();
        if (tls == null) {
            return Response.text("null from " + peer.address());
        }
        String certificate =
                tls.certificates().isEmpty()
                        ? "none"
                        : "" + tls.certificates().getFirst().hashCode();
        return Response.text(tls.protocol() + " " + tls.cipherSuite() + " " + certificate);
    }

    @Test
    void refusesFilesThatAreNoCertificate() throws Exception {
        assertThatThrownBy(this::tlsOfFiles).isInstanceOf(UncheckedIOException.class);
        Files.writeString(directory.resolve("cert.pem"), "nothing");
        Files.writeString(directory.resolve("key.pem"), "nothing");
        assertThatThrownBy(this::tlsOfFiles)
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("PEM");
        try (TlsContext client = TlsContext.client().build()) {
            assertThatThrownBy(() -> server().tls(client))
                    .isInstanceOf(IllegalArgumentException.class);
        }
        try (HttpServer plain = server().listen()) {
            assertThatThrownBy(plain::reloadTls).isInstanceOf(IllegalStateException.class);
        }
    }
}
