package io.weft.conformance.http;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.conformance.rig.Programs;
import io.weft.http.server.HttpServer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// The server and clients of others: curl, Go's net/http, and requests, httpx and aiohttp of
/// Python.
@Tag("peers")
@Timeout(300)
class HttpClientsPeersTest {
    @TempDir Path directory;
    private final Programs programs = new Programs(() -> this.directory);
    private HttpServer server;
    private String origin;

    @BeforeEach
    void start() {
        Assumptions.assumeTrue(
                Boolean.getBoolean("peers"), "peers are off (-Dpeers=true switches them on)");
        server = EchoOrigin.start("nio");
        origin = "http://127.0.0.1:" + server.address().getPort();
    }

    @AfterEach
    void end() throws Exception {
        programs.end();
        if (server != null) {
            server.close();
        }
    }

    private String run(String... command) throws Exception {
        Process process = programs.start(command);
        String out = new String(process.getInputStream().readAllBytes(), UTF_8);
        assertThat(process.waitFor()).as(out).isZero();
        return out;
    }

    private String curl(String path, String... arguments) throws Exception {
        List<String> command = new ArrayList<>(List.of("curl", "-sS", "--max-time", "60"));
        command.addAll(List.of(arguments));
        command.add(origin + path);
        return run(command.toArray(String[]::new));
    }

    @Test
    void curlIsServed() throws Exception {
        Path large = directory.resolve("large");
        Files.writeString(large, "0123456789".repeat(50_000));
        String body = "@" + large;
        assertThat(curl("/hello")).isEqualTo("hello");
        assertThat(curl("/hello", "-0")).isEqualTo("hello");
        assertThat(curl("/hello", "-I"))
                .startsWith("HTTP/1.1 200 OK")
                .contains("content-length: 5");
        assertThat(curl("/hello", "-i", "-X", "OPTIONS")).contains("allow: ");
        assertThat(curl("/hello", "-i", "-X", "DELETE")).startsWith("HTTP/1.1 405 ");
        assertThat(curl("/hello", "-x", origin)).isEqualTo("hello"); // as a proxy: absolute-form
        assertThat(curl("/", "-i", "-X", "OPTIONS", "--request-target", "*"))
                .matches("(?s)HTTP/1.1 20[04] .*");
        assertThat(curl("/echo", "--data-binary", body)).isEqualTo(Files.readString(large));
        String[] chunked = {"-H", "Transfer-Encoding: chunked", "--data-binary", body};
        assertThat(curl("/echo", chunked)).isEqualTo(Files.readString(large));
        String[] waits = {"-v", "-H", "Expect: 100-continue", "--data-binary", body};
        assertThat(curl("/echo", waits)).contains("HTTP/1.1 100 Continue", "HTTP/1.1 200 OK");
        String[] magic = {"-i", "-H", "Expect: magic", "-d", "a"};
        assertThat(curl("/echo", magic)).startsWith("HTTP/1.1 417 ");
        assertThat(curl("/hello", "-i", "-H", "a: " + "b".repeat(20_000)))
                .startsWith("HTTP/1.1 431 ");
        assertThat(curl("/hello", origin + "/hello", origin + "/hello", "-v"))
                .contains("Re-using existing connection");
    }

    @Test
    void goIsServed() throws Exception {
        programs.write(
                "client.go",
                """
                package main
                import ("fmt"; "io"; "net/http"; "os"; "strings"; "sync")
                func get(r *http.Response, e error) string {
                  if e != nil { panic(e) }
                  b, e := io.ReadAll(r.Body)
                  if e != nil { panic(e) }
                  r.Body.Close()
                  return fmt.Sprint(r.StatusCode, " ", len(b))
                }
                func main() {
                  o := os.Args[1]
                  fmt.Println(get(http.Get(o + "/hello")), get(http.Get(o + "/large")), get(http.Head(o + "/large")), get(http.Get(o + "/none")))
                  text := strings.Repeat("0123456789", 50000)
                  fmt.Println(get(http.Post(o + "/echo", "text/plain", strings.NewReader(text))))
                  q, _ := http.NewRequest("POST", o + "/echo", io.MultiReader(strings.NewReader(text)))
                  q.Trailer = http.Header{"X-Sum": {"1"}}
                  fmt.Println(get(http.DefaultClient.Do(q)))
                  q, _ = http.NewRequest("POST", o + "/echo", strings.NewReader(text))
                  q.Header.Set("Expect", "100-continue")
                  fmt.Println(get(http.DefaultClient.Do(q)))
                  var all sync.WaitGroup
                  for i := 0; i < 50; i++ { all.Go(func() { if s := get(http.Get(o + "/hello")); s != "200 5" { panic(s) } }) }
                  all.Wait()
                }
                """);
        assertThat(run("go", "run", "client.go", origin).lines())
                .containsExactly(
                        "200 5 200 4194304 200 0 404 " + curl("/none").length(),
                        "200 500000",
                        "200 500008",
                        "200 500000");
    }

    @ParameterizedTest
    @ValueSource(strings = {"requests", "httpx"})
    void pythonIsServed(String module) throws Exception {
        programs.write(
                "client.py",
                """
                import importlib, sys
                client = importlib.import_module(sys.argv[1])
                origin = sys.argv[2]
                session = client.Session() if sys.argv[1] == 'requests' else client.Client()
                text = '0123456789' * 50000
                def chunks():
                    for i in range(0, len(text), 7000):
                        yield text[i:i + 7000].encode()
                body = {'data': chunks()} if sys.argv[1] == 'requests' else {'content': chunks()}
                assert session.get(origin + '/hello').text == 'hello'
                assert len(session.get(origin + '/large').text) == 4 << 20
                assert session.head(origin + '/large').headers['content-length'] == str(4 << 20)
                assert session.options(origin + '/hello').headers['allow']
                assert session.delete(origin + '/hello').status_code == 405
                assert session.post(origin + '/echo', data=text.encode()).text == text if sys.argv[1] == 'requests' \\
                    else session.post(origin + '/echo', content=text.encode()).text == text
                assert session.post(origin + '/echo', **body).text == text
                assert session.get(origin + '/hello', headers={'a': 'b' * 20000}).status_code == 431
                assert session.get(origin + '/hello').text == 'hello'
                print('served')
                """);
        assertThat(run("python3", "client.py", module, origin)).isEqualToIgnoringNewLines("served");
    }

    @Test
    void aiohttpIsServed() throws Exception {
        programs.write(
                "client.py",
                """
                import asyncio, sys, aiohttp
                origin = sys.argv[1]
                text = '0123456789' * 50000
                async def chunks():
                    for i in range(0, len(text), 7000):
                        yield text[i:i + 7000].encode()
                async def main():
                    async with aiohttp.ClientSession() as session:
                        async def get(path):
                            async with session.get(origin + path) as answer:
                                return await answer.text()
                        assert await asyncio.gather(*[get('/hello') for _ in range(50)]) == ['hello'] * 50
                        assert len(await get('/large')) == 4 << 20
                        for body, waits in ((text.encode(), False), (chunks(), False), (text.encode(), True)):
                            async with session.post(origin + '/echo', data=body, expect100=waits) as answer:
                                assert await answer.text() == text
                    print('served')
                asyncio.run(asyncio.wait_for(main(), 60))
                """);
        assertThat(run("python3", "client.py", origin)).isEqualToIgnoringNewLines("served");
    }
}
