package io.weft.http.server;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assumptions.assumeThat;

import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The server and HTTP/2 clients of others: h2spec, which checks conformance, those of nghttp2,
/// curl, Go, Node and Python.
@Tag("peers")
class Http2PeersTest {
    private static final int LARGE = 3 << 20;
    private static final long MINUTES = 5;

    @TempDir private Path directory;
    private @Nullable HttpServer server;

    @BeforeEach
    void peersAreOn() {
        assumeThat(Boolean.getBoolean("peers"))
                .as("peers are off (-Dpeers=true switches them on)")
                .isTrue();
    }

    @AfterEach
    void end() {
        if (server != null) {
            server.close();
        }
    }

    /// Answers /, /large, and /echo with what is posted.
    private String serve(boolean tls) throws Exception {
        Body.Bytes large = Body.of(new byte[LARGE]);
        HttpServer.Builder builder =
                HttpServer.builder()
                        .port(0)
                        .loops(1)
                        .routes(
                                Routes.builder()
                                        .get("/", _ -> Response.text("hello"))
                                        .get(
                                                "/large",
                                                _ -> Response.of(Status.OK, Headers.EMPTY, large))
                                        .post(
                                                "/",
                                                request -> Response.text(request.body().asString()))
                                        .post("/echo")
                                        .blocking(
                                                request ->
                                                        Response.of(
                                                                Status.OK,
                                                                Headers.EMPTY,
                                                                request.body()))
                                        .build());
        if (tls) {
            Path key = directory.resolve("key.pem");
            Path certificate = directory.resolve("cert.pem");
            run(
                    "openssl",
                    ("req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=localhost -addext"
                                    + " subjectAltName=IP:127.0.0.1,DNS:localhost -keyout "
                                    + key
                                    + " -out "
                                    + certificate)
                            .split(" "));
            builder.tls(certificate, key);
        }
        server = builder.listen();
        return (tls ? "https" : "http") + "://127.0.0.1:" + port();
    }

    private String port() {
        return Integer.toString(Objects.requireNonNull(server).address().getPort());
    }

    private static String find(String program) {
        String home = System.getProperty("user.home");
        String path =
                String.join(
                        File.pathSeparator, System.getenv("PATH"), "/usr/sbin", home + "/go/bin");
        return Arrays.stream(path.split(File.pathSeparator, -1))
                .map(folder -> Path.of(folder, program))
                .filter(Files::isExecutable)
                .map(Path::toString)
                .findFirst()
                .orElse("");
    }

    /// Runs a program to its end, or for some minutes: what has never been compiled takes its time.
    ///
    /// @return what it printed
    private String run(String program, String... arguments) throws Exception {
        String found = find(program);
        assumeThat(found)
                .as(program + " is not on the PATH (dev/install-peers.sh installs it)")
                .isNotEmpty();
        List<String> command = new ArrayList<>(List.of(found));
        command.addAll(List.of(arguments));
        Path output = directory.resolve(program + ".txt");
        Process process =
                new ProcessBuilder(command)
                        .directory(directory.toFile())
                        .redirectErrorStream(true)
                        .redirectOutput(output.toFile())
                        .start();
        try {
            assertThat(process.waitFor(MINUTES, TimeUnit.MINUTES)).as(program + " ends").isTrue();
        } finally {
            process.descendants().forEach(ProcessHandle::destroyForcibly);
            process.destroyForcibly();
        }
        return Files.readString(output);
    }

    private String script(String name, String source) throws IOException {
        return Files.writeString(directory.resolve(name), source, UTF_8).toString();
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void h2specIsContentWithEverything(boolean tls) throws Exception {
        String _ = serve(tls);
        List<String> arguments = new ArrayList<>(List.of("-h", "127.0.0.1", "-p", port()));
        arguments.addAll(List.of("--strict", "-o", "30"));
        if (tls) {
            arguments.addAll(List.of("-t", "-k"));
        }
        String report = run("h2spec", arguments.toArray(new String[0]));
        assertThat(report).contains("146 tests, 146 passed, 0 skipped, 0 failed");
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void curl(boolean tls) throws Exception {
        String origin = serve(tls);
        Path upload = Files.write(directory.resolve("upload"), new byte[LARGE]);
        String version = tls ? "--http2" : "--http2-prior-knowledge";
        String format = "%{http_version} %{http_code} %{size_download}";
        for (String path : List.of("/", "/large")) {
            assertThat(run("curl", "-sk", version, "-o", "got", "-w", format, origin + path))
                    .isEqualTo("2 200 " + (path.equals("/") ? 5 : LARGE));
        }
        assertThat(
                        run(
                                "curl",
                                "-sk",
                                version,
                                "-o",
                                "got",
                                "-w",
                                format,
                                "--data-binary",
                                "@" + upload,
                                origin + "/echo"))
                .isEqualTo("2 200 " + LARGE);
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void nghttpAndH2load(boolean tls) throws Exception {
        String origin = serve(tls);
        assertThat(run("nghttp", "-n", "-s", origin + "/", origin + "/large"))
                .contains("200    5 /", "200   3M /large");
        assertThat(run("h2load", "-n", "2000", "-c", "10", "-m", "50", origin + "/"))
                .contains("2000 succeeded, 0 failed, 0 errored");
        assertThat(run("h2load", "-n", "20", "-c", "2", "-m", "5", origin + "/large"))
                .contains("20 succeeded, 0 failed, 0 errored");
    }

    /// A client whose windows never close says nothing while it receives: the server goes on by
    /// itself, on an engine that sends at once what is flushed.
    @Test
    void h2loadTakesMuchOnOneConnection() throws Exception {
        String origin = serve(true);
        assertThat(run("h2load", "-n", "40", "-c", "1", "-m", "20", origin + "/large"))
                .contains("40 succeeded, 0 failed, 0 errored");
    }

    @Test
    void go() throws Exception {
        String origin = serve(true);
        String source =
                """
                package main

                import (
                	"bytes"
                	"crypto/tls"
                	"fmt"
                	"io"
                	"net/http"
                	"os"
                	"sync"
                )

                func main() {
                	t := &http.Transport{TLSClientConfig: &tls.Config{InsecureSkipVerify: true}, ForceAttemptHTTP2: true}
                	c := &http.Client{Transport: t}
                	var all sync.WaitGroup
                	for i := 0; i < 20; i++ {
                		all.Add(1)
                		go func() {
                			defer all.Done()
                			sent := make([]byte, 500000)
                			r, err := c.Post(os.Args[1]+"/echo", "application/octet-stream", bytes.NewReader(sent))
                			if err != nil {
                				fmt.Println(err)
                				return
                			}
                			got, err := io.ReadAll(r.Body)
                			fmt.Println(r.Proto, len(got), err)
                		}()
                	}
                	all.Wait()
                }
                """;
        String output = run("go", "run", script("client.go", source), origin);
        assertThat(output.lines()).hasSize(20).containsOnly("HTTP/2.0 500000 <nil>");
    }

    @Test
    void node() throws Exception {
        String source =
                """
                const client = require('http2').connect(process.argv[2]);
                let left = 20;
                for (let i = 0; i < 20; i++) {
                  const request = client.request({ ':path': '/echo', ':method': 'POST' });
                  let length = 0;
                  request.on('data', (piece) => { length += piece.length; });
                  request.on('end', () => {
                    console.log('echoed ' + length);
                    if (--left === 0) client.close();
                  });
                  request.end(Buffer.alloc(300000));
                }
                """;
        String output = run("node", script("client.js", source), serve(false));
        assertThat(output.lines()).hasSize(20).containsOnly("echoed 300000");
    }

    @Test
    void python() throws Exception {
        String source =
                """
                import socket, sys
                try:
                    import h2.connection, h2.events
                except ImportError:
                    print('no h2')
                    sys.exit()
                s = socket.create_connection(('127.0.0.1', int(sys.argv[1])), 60)
                c = h2.connection.H2Connection()
                c.initiate_connection()
                head = [(':method', 'POST'), (':scheme', 'http'), (':authority', 'x'), (':path', '/')]
                for stream in range(1, 21, 2):
                    c.send_headers(stream, head)
                    c.send_data(stream, b'hello', pad_length=3)
                    c.send_headers(stream, [('sum', '5')], end_stream=True)
                s.sendall(c.data_to_send())
                ended = 0
                while ended < 10:
                    for event in c.receive_data(s.recv(65536)):
                        if isinstance(event, h2.events.DataReceived):
                            print(event.data.decode())
                            c.acknowledge_received_data(event.flow_controlled_length, event.stream_id)
                        elif isinstance(event, h2.events.StreamEnded):
                            ended += 1
                    s.sendall(c.data_to_send())
                """;
        String _ = serve(false);
        String output = run("python3", script("client.py", source), port());
        assumeThat(output).as("h2 is not installed (pip install h2)").doesNotContain("no h2");
        assertThat(output.lines()).hasSize(10).containsOnly("hello");
    }

    @Test
    void bothProtocolsOnOnePort() throws Exception {
        String origin = serve(false);
        assertThat(
                        Stream.of("--http1.1", "--http2-prior-knowledge")
                                .map(version -> version(version, origin)))
                .containsExactly("1.1", "2");
    }

    private String version(String option, String origin) {
        try {
            return run("curl", "-s", option, "-o", "got", "-w", "%{http_version}", origin + "/");
        } catch (Exception e) {
            throw new AssertionError(e);
        }
    }
}
