package io.weft.http.client;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.weft.http.model.Body;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.testkit.Ports;
import io.weft.tls.machine.TlsContext;
import java.io.BufferedReader;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.function.UnaryOperator;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The client over HTTP/2 and real servers: those of Go and Node, nghttpd and nginx.
@Tag("peers")
class Http2ClientPeersTest {
    private static final String LARGE = "0123456789abcdef".repeat(1 << 18);

    private static final String GO_HANDLERS =
            """
            large := strings.Repeat("0123456789abcdef", 1<<18)
            http.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) {
              if r.ProtoMajor != 2 { w.WriteHeader(505) }; io.WriteString(w, "hello") })
            http.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, large) })
            http.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "hello", 302) })
            http.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { b, _ := io.ReadAll(r.Body); w.Write(b) })
            http.HandleFunc("/trailer", func(w http.ResponseWriter, r *http.Request) {
              w.Header().Set("Trailer", "X-Sum"); io.WriteString(w, "hello"); w.Header().Set("X-Sum", "1") })
            """;

    @TempDir private Path directory;
    private @Nullable PeerServers servers;

    @BeforeEach
    void peersAreOn() {
        PeerServers.assumeOn();
        servers = new PeerServers(directory);
    }

    @AfterEach
    void end() {
        if (servers != null) {
            servers.close();
        }
    }

    private PeerServers servers() {
        return Objects.requireNonNull(servers);
    }

    private static HttpClient client(UnaryOperator<HttpClient.Builder> change) {
        return change.apply(HttpClient.builder().loops(1)).build();
    }

    private static HttpClient client() {
        return client(b -> b.protocol(HttpProtocol.HTTP_2));
    }

    /// Every server here knows /hello and /large.
    private static void talk(HttpClient client, String origin) throws Exception {
        assertThat(client.get(origin + "/hello").body().asString()).isEqualTo("hello");
        assertThat(client.get(origin + "/large").body().asString()).isEqualTo(LARGE);
        Request head = Request.of(Method.HEAD, RequestTarget.of(origin + "/large"));
        assertThat(client.send(head).body().length()).isZero();
        assertThat(client.get(origin + "/none").status()).isSameAs(Status.NOT_FOUND);
        List<CompletableFuture<Response>> many = new ArrayList<>();
        for (int i = 0; i < 500; i++) {
            String path = i % 50 == 0 ? "/large" : "/hello";
            many.add(client.sendAsync(Request.get(origin + path)));
        }
        for (CompletableFuture<Response> future : many) {
            assertThat(future.get(60, TimeUnit.SECONDS).status()).isSameAs(Status.OK);
        }
        StreamedResponse givenUp = client.open(Request.get(origin + "/large"));
        assertThat(givenUp.inputStream().read()).isEqualTo('0');
        givenUp.close();
        assertThat(client.get(origin + "/hello").body().asString()).isEqualTo("hello");
    }

    private static void upload(HttpClient client, String origin) throws IOException {
        assertThat(client.post(origin + "/echo", Body.of(LARGE)).body().asString())
                .isEqualTo(LARGE);
        Request streamed =
                Request.post(origin + "/echo", Body.of(RequestSender.source(Body.of(LARGE))));
        assertThat(client.send(streamed).body().asString()).isEqualTo(LARGE);
        Request expecting =
                Request.post(origin + "/echo", Body.of("hello"))
                        .withHeader("expect", "100-continue");
        assertThat(client.send(expecting).body().asString()).isEqualTo("hello");
        assertThat(client.get(origin + "/moved").body().asString()).isEqualTo("hello");
    }

    private static void trailers(HttpClient client, String origin) throws IOException {
        try (StreamedResponse response = client.open(Request.get(origin + "/trailer"))) {
            assertThat(response.inputStream().readAllBytes()).hasSize(5);
            assertThat(response.trailers().first("x-sum")).isEqualTo("1");
        }
    }

    @Test
    void goByPriorKnowledge() throws Exception {
        BufferedReader out =
                servers()
                        .run(
                                """
                                package main
                                import ("fmt"; "io"; "net"; "net/http"; "strings")
                                func main() {
                                  %s
                                  l, _ := net.Listen("tcp", "127.0.0.1:0")
                                  fmt.Println(l.Addr().(*net.TCPAddr).Port)
                                  var p http.Protocols
                                  p.SetUnencryptedHTTP2(true)
                                  s := http.Server{Protocols: &p}
                                  s.Serve(l)
                                }
                                """
                                        .formatted(GO_HANDLERS),
                                "main.go",
                                "go",
                                "run",
                                "main.go");
        String port = out.readLine();
        assumeThat(port).as("go is older than 1.24, which has http.Protocols").isNotNull();
        String origin = "http://127.0.0.1:" + port;
        try (HttpClient client = client()) {
            talk(client, origin);
            upload(client, origin);
            trailers(client, origin);
        }
    }

    @Test
    void goByAlpn() throws Exception {
        BufferedReader out =
                servers()
                        .run(
                                """
                                package main
                                import ("encoding/base64"; "fmt"; "io"; "net/http"; "net/http/httptest"; "strings")
                                func main() {
                                  %s
                                  s := httptest.NewUnstartedServer(http.DefaultServeMux)
                                  s.EnableHTTP2 = true
                                  s.StartTLS()
                                  fmt.Println(s.URL)
                                  fmt.Println(base64.StdEncoding.EncodeToString(s.Certificate().Raw))
                                  select {}
                                }
                                """
                                        .formatted(GO_HANDLERS),
                                "main.go",
                                "go",
                                "run",
                                "main.go");
        String origin = out.readLine();
        byte[] certificate = Base64.getDecoder().decode(out.readLine());
        TlsContext tls =
                TlsContext.client()
                        .trust(
                                (X509Certificate)
                                        CertificateFactory.getInstance("X.509")
                                                .generateCertificate(
                                                        new ByteArrayInputStream(certificate)))
                        .applicationProtocols("h2", "http/1.1")
                        .build();
        try (HttpClient client = client(b -> b.tls(tls))) {
            talk(client, origin);
            upload(client, origin);
            trailers(client, origin);
        }
    }

    /// A session of Node's ends with an internal error when more than 10 MB of responses wait in it,
    /// unless it may have more: ten of 4 MiB are asked for at once.
    @Test
    void node() throws Exception {
        String origin =
                servers()
                        .serve(
                                """
                                const http2 = require('http2');
                                const large = '0123456789abcdef'.repeat(1 << 18);
                                const s = http2.createServer({maxSessionMemory: 100}, (q, r) => {
                                  if (q.url == '/hello') r.end('hello');
                                  else if (q.url == '/large') r.end(large);
                                  else if (q.url == '/moved') { r.writeHead(307, {Location: '/hello'}); r.end(); }
                                  else if (q.url == '/echo') { let b = []; q.on('data', d => b.push(d)); q.on('end', () => r.end(Buffer.concat(b))); }
                                  else if (q.url == '/trailer') { r.write('hello'); r.addTrailers({'x-sum': '1'}); r.end(); }
                                  else { r.statusCode = 404; r.end('no'); }
                                });
                                s.on('sessionError', () => {});
                                s.listen(0, '127.0.0.1', () => console.log(s.address().port));
                                """,
                                "main.js",
                                "node",
                                "main.js");
        try (HttpClient client = client()) {
            talk(client, origin);
            upload(client, origin);
            trailers(client, origin);
        }
    }

    /// It tells no port that it chose, so it is given one.
    @Test
    void nghttpd() throws Exception {
        Files.writeString(directory.resolve("hello"), "hello");
        Files.writeString(directory.resolve("large"), LARGE);
        int port = Ports.free();
        Process nghttpd =
                servers()
                        .start(
                                "nghttpd",
                                "--no-tls",
                                "-a",
                                "127.0.0.1",
                                "--trailer=x-sum: 1",
                                "--max-concurrent-streams=20",
                                "-d",
                                directory.toString(),
                                Integer.toString(port));
        while (!listens(port)) {
            assertThat(nghttpd.isAlive()).as("nghttpd runs").isTrue();
            Thread.onSpinWait();
        }
        String origin = "http://127.0.0.1:" + port;
        try (HttpClient client = client()) {
            talk(client, origin);
            try (StreamedResponse response = client.open(Request.get(origin + "/hello"))) {
                assertThat(response.inputStream().readAllBytes()).hasSize(5);
                assertThat(response.trailers().first("x-sum")).isEqualTo("1");
            }
        }
    }

    private static boolean listens(int port) {
        try (Socket _ = new Socket(InetAddress.getLoopbackAddress(), port)) {
            return true;
        } catch (IOException e) {
            return false;
        }
    }

    /// Over a socket of the file system, and with a GOAWAY behind each 50th request.
    @Test
    void nginx() throws Exception {
        Path socket = directory.resolve("socket");
        Files.writeString(directory.resolve("hello"), "hello");
        Files.writeString(directory.resolve("large"), LARGE);
        Files.writeString(
                directory.resolve("nginx.conf"),
                """
                daemon off; pid pid; error_log error; worker_processes 1; user root;
                events {}
                http {
                  access_log off; default_type text/plain; gzip on; gzip_proxied any;
                  client_body_temp_path body; proxy_temp_path proxy; fastcgi_temp_path fastcgi;
                  uwsgi_temp_path uwsgi; scgi_temp_path scgi; keepalive_requests 50;
                  server { listen unix:%s http2; root %s; }
                }
                """
                        .formatted(socket, directory));
        Process nginx = servers().start("nginx", "-p", directory + "/", "-c", "nginx.conf");
        while (!Files.exists(socket)) {
            assertThat(nginx.isAlive()).as("nginx runs").isTrue();
            Thread.onSpinWait();
        }
        try (HttpClient client =
                client(
                        b ->
                                b.protocol(HttpProtocol.HTTP_2)
                                        .bootstrap(
                                                c ->
                                                        c.remoteAddress(
                                                                _ ->
                                                                        UnixDomainSocketAddress.of(
                                                                                socket))))) {
            talk(client, "http://nginx");
            Request part = Request.get("http://nginx/large").withHeader("range", "bytes=16-31");
            assertThat(client.send(part).body().asString()).isEqualTo("0123456789abcdef");
            servers().end(nginx);
        }
    }
}
