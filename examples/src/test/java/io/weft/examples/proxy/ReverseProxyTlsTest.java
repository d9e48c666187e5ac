package io.weft.examples.proxy;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.examples.Extras;
import io.weft.examples.Options;
import io.weft.examples.Served;
import io.weft.http.client.HttpProtocol;
import io.weft.http.model.Response;
import io.weft.http.server.HttpServer;
import io.weft.tls.machine.TlsContext;
import io.weft.tls.x509.CertificateBuilder;
import io.weft.tls.x509.TlsIdentity;
import java.net.InetAddress;
import java.net.Socket;
import java.net.SocketException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// [ReverseProxy] before servers over TLS.
@Timeout(300)
class ReverseProxyTlsTest {
    private static final String GET = "GET /a HTTP/1.1\r\nHost: example.org\r\n";
    private static final String CLOSE = "Connection: close\r\n\r\n";

    private final List<String> seen = new CopyOnWriteArrayList<>();

    @TempDir Path folder;

    /// A server for `host` over TLS, which answers with what it was asked.
    private HttpServer upstream(TlsIdentity identity) throws Exception {
        return HttpServer.builder()
                .host(InetAddress.getLoopbackAddress())
                .transport("nio")
                .loops(1)
                .tls(TlsContext.server(identity).applicationProtocols("h2", "http/1.1").build())
                .blocking(
                        request -> {
                            byte[] body = request.body().asInputStream().readAllBytes();
                            seen.add(request.method() + " " + request.target());
                            return Response.text(
                                    request.version()
                                            + " "
                                            + request.headers().first("host")
                                            + " "
                                            + body.length);
                        })
                .listen();
    }

    private Path authority(TlsIdentity identity) throws Exception {
        String text =
                Base64.getMimeEncoder().encodeToString(identity.chain().getFirst().getEncoded());
        return Files.writeString(
                folder.resolve("ca.pem"),
                "-----BEGIN CERTIFICATE-----\n" + text + "\n-----END CERTIFICATE-----\n");
    }

    /// Starts a proxy that trusts the certificate of an authority alone.
    private Served proxy(HttpServer server, TlsIdentity authority, String version)
            throws Exception {
        return PlayedServer.proxy(
                "--to",
                "https://127.0.0.1:" + server.address().getPort(),
                "--upstream-ca",
                authority(authority).toString(),
                "--upstream-http",
                version);
    }

    private static String exchange(Served proxy, String wire) throws Exception {
        try (Socket socket = proxy.connect()) {
            socket.getOutputStream().write(wire.getBytes(ISO_8859_1));
            return new String(socket.getInputStream().readAllBytes(), ISO_8859_1);
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"1.1", "2"})
    void serversOverTlsAreAsked(String version) throws Exception {
        TlsIdentity identity = CertificateBuilder.selfSigned("127.0.0.1");
        try (HttpServer server = upstream(identity);
                Served proxy = proxy(server, identity, version)) {
            assertThat(exchange(proxy, GET + CLOSE))
                    .startsWith("HTTP/1.1 200")
                    .contains("HTTP/" + version, "example.org 0");
            String posted = "POST /a HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n" + CLOSE;
            assertThat(exchange(proxy, posted + "3\r\nabc\r\n0\r\n\r\n"))
                    .startsWith("HTTP/1.1 200")
                    .endsWith(" x 3");
        }
    }

    /// Attack class: a request that hides in the body of another, towards a server over TLS.
    @ParameterizedTest
    @ValueSource(strings = {"1.1", "2"})
    void malformedFramingIsNotPassedOn(String version) throws Exception {
        String hidden = "GET /smuggled HTTP/1.1\r\nHost: x\r\n\r\n";
        TlsIdentity identity = CertificateBuilder.selfSigned("127.0.0.1");
        try (HttpServer server = upstream(identity);
                Served proxy = proxy(server, identity, version)) {
            for (String framing :
                    List.of(
                            "Content-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                            "Transfer-Encoding: chunked\r\nContent-Length: 40\r\n\r\n0\r\n\r\n",
                            "Transfer-Encoding : chunked\r\n\r\n0\r\n\r\n",
                            "X: y\r\n Transfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                            "Content-Length: 0\r\nContent-Length: 40\r\n\r\n",
                            "Transfer-Encoding: chunked\r\n\r\n0\n\n",
                            "Transfer-Encoding: chunked\r\n\r\n1\r\nZZ\r\n0\r\n\r\n")) {
                String wire = "POST / HTTP/1.1\r\nHost: x\r\n" + framing + hidden;
                try (Socket socket = proxy.connect()) {
                    socket.getOutputStream().write(wire.getBytes(ISO_8859_1));
                    socket.shutdownOutput();
                    assertThat(socket.getInputStream().read()).isNotZero();
                } catch (SocketException reset) {
                    // an answer too
                }
                assertThat(seen).noneMatch(request -> request.contains("smuggled"));
            }
            assertThat(exchange(proxy, GET + CLOSE)).startsWith("HTTP/1.1 200");
        }
    }

    @Test
    void certificatesOfOtherHostsAndAuthoritiesAreRefused() throws Exception {
        TlsIdentity other = CertificateBuilder.selfSigned("example.org");
        TlsIdentity here = CertificateBuilder.selfSigned("127.0.0.1");
        try (HttpServer server = upstream(other);
                HttpServer foreign = upstream(here);
                Served proxy =
                        PlayedServer.proxy(
                                "--to",
                                "https://127.0.0.1:" + server.address().getPort(),
                                "--to",
                                "https://127.0.0.1:" + foreign.address().getPort(),
                                "--upstream-ca",
                                authority(other).toString())) {
            assertThat(exchange(proxy, GET + CLOSE)).startsWith("HTTP/1.1 502");
            assertThat(seen).isEmpty();
        }
    }

    /// One of the two would be spoken to as the other is.
    @Test
    void aServerIsNamedOnce() {
        Extras twice = ReverseProxy.extras("--to", "127.0.0.1:1", "--to", "https://127.0.0.1:1");
        assertThatThrownBy(() -> UpstreamTls.of(twice, HttpProtocol.HTTP_1_1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("--to: https://127.0.0.1:1 (expected: a server once)");
    }

    @Test
    void optionsThatContradictAreRefused() {
        Options options = Options.parse(0, "--transport", "nio");
        Extras headed = ReverseProxy.extras("--to", "https://127.0.0.1:1", "--send-proxy", "v2");
        assertThatThrownBy(() -> ReverseProxy.start(options, headed))
                .hasMessageContaining("--send-proxy: before TLS");
        Extras missing =
                ReverseProxy.extras(
                        "--to", "https://127.0.0.1", "--upstream-ca", folder + "/none.pem");
        assertThatThrownBy(() -> ReverseProxy.start(options, missing))
                .hasMessageContaining("--upstream-ca: ");
    }
}
