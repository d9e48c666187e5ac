package io.weft.http.client;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.http.model.Body;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.io.IOException;
import java.net.UnixDomainSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The client and real servers: those of Go, Python and Node, and nginx.
@Tag("peers")
class HttpClientPeersTest {
    private static final String LARGE = "0123456789abcdef".repeat(1 << 18);

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

    private static HttpClient client() {
        return HttpClient.builder().loops(1).build();
    }

    private static Response head(HttpClient client, String url) throws IOException {
        return client.send(Request.of(Method.HEAD, RequestTarget.of(url)));
    }

    /// Every server here knows /hello, /large, /moved and /echo.
    private static void talk(HttpClient client, String origin) throws IOException {
        assertThat(client.get(origin + "/hello").body().asString()).isEqualTo("hello");
        assertThat(client.get(origin + "/large").body().asString()).isEqualTo(LARGE);
        assertThat(client.get(origin + "/moved").body().asString()).isEqualTo("hello");
        assertThat(head(client, origin + "/large").body().length()).isZero();
        assertThat(client.get(origin + "/none").status()).isSameAs(Status.NOT_FOUND);
        assertThat(client.post(origin + "/echo", Body.of(LARGE)).body().asString())
                .isEqualTo(LARGE);
        Request expecting =
                Request.post(origin + "/echo", Body.of("hello"))
                        .withHeader("expect", "100-continue");
        assertThat(client.send(expecting).body().asString()).isEqualTo("hello");
        assertThat(client).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
    }

    private static void upload(HttpClient client, String origin) throws IOException {
        Request chunked =
                Request.post(origin + "/echo", Body.of(RequestSender.source(Body.of(LARGE))));
        assertThat(client.send(chunked).body().asString()).isEqualTo(LARGE);
    }

    @Test
    void go() throws Exception {
        String origin =
                servers()
                        .serve(
                                """
                        package main
                        import ("fmt"; "io"; "net"; "net/http"; "strings"; "compress/gzip")
                        func main() {
                          large := strings.Repeat("0123456789abcdef", 1<<18)
                          http.HandleFunc("/hello", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, "hello") })
                          http.HandleFunc("/large", func(w http.ResponseWriter, r *http.Request) { io.WriteString(w, large) })
                          http.HandleFunc("/moved", func(w http.ResponseWriter, r *http.Request) { http.Redirect(w, r, "hello", 302) })
                          http.HandleFunc("/echo", func(w http.ResponseWriter, r *http.Request) { b, _ := io.ReadAll(r.Body); w.Write(b) })
                          http.HandleFunc("/gzip", func(w http.ResponseWriter, r *http.Request) {
                            w.Header().Set("Content-Encoding", "gzip"); z := gzip.NewWriter(w); for i := 0; i < 300000; i++ { fmt.Fprintf(z, "%d ", i) }; z.Close() })
                          http.HandleFunc("/trailer", func(w http.ResponseWriter, r *http.Request) {
                            w.Header().Set("Trailer", "X-Sum"); io.WriteString(w, "hello"); w.Header().Set("X-Sum", "1") })
                          l, _ := net.Listen("tcp", "127.0.0.1:0")
                          fmt.Println(l.Addr().(*net.TCPAddr).Port)
                          http.Serve(l, nil)
                        }
                        """,
                                "main.go", "go", "run", "main.go");
        try (HttpClient client = client()) {
            talk(client, origin);
            upload(client, origin);
            String numbers =
                    IntStream.range(0, 300_000)
                            .mapToObj(Integer::toString)
                            .collect(Collectors.joining(" ", "", " "));
            assertThat(client.get(origin + "/gzip").body().asString()).isEqualTo(numbers);
            try (StreamedResponse response = client.open(Request.get(origin + "/trailer"))) {
                assertThat(response.inputStream().readAllBytes()).hasSize(5);
                assertThat(response.trailers().first("x-sum")).isEqualTo("1");
            }
        }
    }

    @Test
    void python() throws Exception {
        String origin =
                servers()
                        .serve(
                                """
                        import socketserver
                        from http.server import *
                        class S(ThreadingHTTPServer):
                            server_bind = socketserver.TCPServer.server_bind # looks up no name
                        class H(BaseHTTPRequestHandler):
                            protocol_version = 'HTTP/1.1'
                            def log_message(self, *a): pass
                            def answer(self, code, body, field=None):
                                self.send_response(code)
                                if field: self.send_header(*field)
                                self.send_header('Content-Length', str(len(body)))
                                self.end_headers()
                                if self.command != 'HEAD': self.wfile.write(body)
                            def do_GET(self):
                                if self.path == '/hello': self.answer(200, b'hello')
                                elif self.path == '/large': self.answer(200, b'0123456789abcdef' * (1 << 18))
                                elif self.path == '/moved': self.answer(301, b'', ('Location', '/hello'))
                                else: self.answer(404, b'no')
                            do_HEAD = do_GET
                            def do_POST(self):
                                self.answer(200, self.rfile.read(int(self.headers['Content-Length'])))
                        s = S(('127.0.0.1', 0), H)
                        print(s.server_address[1], flush=True)
                        s.serve_forever()
                        """,
                                "main.py",
                                "python3",
                                "main.py");
        try (HttpClient client = client()) {
            talk(client, origin);
        }
    }

    @Test
    void node() throws Exception {
        String origin =
                servers()
                        .serve(
                                """
                        const http = require('http');
                        const large = '0123456789abcdef'.repeat(1 << 18);
                        const s = http.createServer((q, r) => {
                          if (q.url == '/hello') r.end('hello');
                          else if (q.url == '/large') r.end(large);
                          else if (q.url == '/moved') { r.writeHead(307, {Location: '/hello'}); r.end(); }
                          else if (q.url == '/echo') { let b = []; q.on('data', d => b.push(d)); q.on('end', () => r.end(Buffer.concat(b))); }
                          else { r.statusCode = 404; r.end('no'); }
                        });
                        s.listen(0, '127.0.0.1', () => console.log(s.address().port));
                        """,
                                "main.js",
                                "node",
                                "main.js");
        try (HttpClient client = client()) {
            talk(client, origin);
            upload(client, origin);
        }
    }

    /// Over a socket of the file system, since nginx does not tell a port that it chose.
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
                  uwsgi_temp_path uwsgi; scgi_temp_path scgi;
                  server {
                    listen unix:%s;
                    root %s;
                    location = /moved { return 302 hello; }
                  }
                }
                """
                        .formatted(socket, directory));
        Process nginx = servers().start("nginx", "-p", directory + "/", "-c", "nginx.conf");
        while (!Files.exists(socket)) {
            assertThat(nginx.isAlive()).as("nginx runs").isTrue();
            Thread.onSpinWait();
        }
        try (HttpClient client =
                HttpClient.builder()
                        .loops(1)
                        .bootstrap(b -> b.remoteAddress(_ -> UnixDomainSocketAddress.of(socket)))
                        .build()) {
            assertThat(client.get("http://nginx/hello").body().asString()).isEqualTo("hello");
            StreamedResponse large = client.open(Request.get("http://nginx/large"));
            assertThat(large.headers().contains("content-encoding")).isFalse();
            assertThat(new String(large.inputStream().readAllBytes(), UTF_8)).isEqualTo(LARGE);
            assertThat(head(client, "http://nginx/large").headers().contains("etag")).isTrue();
            assertThat(client.get("http://nginx/none").status()).isSameAs(Status.NOT_FOUND);
            Request part = Request.get("http://nginx/large").withHeader("range", "bytes=16-31");
            assertThat(client.send(part).body().asString()).isEqualTo("0123456789abcdef");
            assertThat(client).hasToString("HttpClient[connections=1, idle=1, waiting=0]");
            servers().end(nginx);
        }
    }
}
