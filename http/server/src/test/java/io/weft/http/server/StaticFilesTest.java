package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.HttpDate;
import io.weft.http.model.Method;
import io.weft.http.model.Request;
import io.weft.http.model.RequestTarget;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.time.Instant;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;

class StaticFilesTest {
    private static final Instant TIME = Instant.parse("2026-01-02T03:04:05.678Z");

    @TempDir private Path directory;
    private @Nullable StaticFiles files;

    @BeforeEach
    void fill() throws Exception {
        Path root = Files.createDirectories(directory.resolve("root/sub"));
        Files.writeString(directory.resolve("secret.txt"), "secret");
        Files.writeString(directory.resolve("root/.hidden"), "hidden");
        Files.writeString(directory.resolve("root/a.txt"), "0123456789");
        Files.writeString(directory.resolve("root/a b.json"), "{}");
        Files.writeString(root.resolve("index.html"), "<p>");
        Files.createDirectories(directory.resolve("root/empty"));
        Files.createSymbolicLink(directory.resolve("root/out"), directory.resolve("secret.txt"));
        Files.createSymbolicLink(directory.resolve("root/in.txt"), directory.resolve("root/a.txt"));
        Files.setLastModifiedTime(directory.resolve("root/a.txt"), FileTime.from(TIME));
        files = StaticFiles.of(directory.resolve("root"));
    }

    private Response get(String target, String... fields) throws Exception {
        return ask(Method.GET, target, fields);
    }

    private Response ask(Method method, String target, String... fields) throws Exception {
        Request request = Request.of(method, RequestTarget.of(target));
        for (String field : fields) {
            String[] parts = field.split(": ", 2);
            request = request.withHeader(parts[0], parts[1]);
        }
        return Objects.requireNonNull(files).handle(request);
    }

    @ParameterizedTest
    @CsvSource({
        "/a.txt, 0123456789, text/plain; charset=utf-8",
        "/a%20b.json, {}, application/json",
        "/sub/, <p>, text/html; charset=utf-8",
        "/in.txt, 0123456789, text/plain; charset=utf-8"
    })
    void servesFiles(String target, String content, String type) throws Exception {
        Response response = get(target);
        assertThat(response.status().code()).isEqualTo(200);
        assertThat(response.headers().first("content-type")).isEqualTo(type);
        assertThat(response.headers().first("x-content-type-options")).isEqualTo("nosniff");
        assertThat(response.body().length()).isEqualTo(content.length());
        assertThat(response.body().asString()).isEqualTo(content);
    }

    /// RFC 3986, 2.2: an encoded slash is no delimiter.
    @ParameterizedTest
    @CsvSource({
        "/files/a.txt, 200",
        "/files/sub/, 200",
        "/files/sub, 301",
        "/files/a.txt%2F, 404",
        "/files/sub%2F, 404",
        "/files/sub%2findex.html, 404",
        "/files/%2F, 404",
        "/x%2Fy/files/sub/index.html, 200",
        "/x%2Fy/files/sub%2Findex.html, 404"
    })
    void encodedSlashesBehindRoutesAreNotServed(String target, int status) throws Exception {
        HttpHandler handler = Objects.requireNonNull(files);
        Routes routes =
                Routes.builder()
                        .get("/files/{path...}", handler)
                        .get("/{of}/files/{path...}", handler)
                        .build();
        Request request = Request.get(target);
        request = request.withParameters(routes.match(request).parameters());
        assertThat(handler.handle(request).status().code()).isEqualTo(status);
    }

    @Test
    void theRootOfRoutesIsItsIndex() throws Exception {
        Files.writeString(directory.resolve("root/index.html"), "<h1>");
        HttpHandler handler = Objects.requireNonNull(files);
        Routes routes = Routes.builder().get("/{path...}", handler).build();
        try (EmbeddedChannel channel = Http1Channels.of(new Application.Routed(routes::match))) {
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\n\r\n");
            String answer = channel.takeOutboundText();
            while (answer.isEmpty()) {
                Thread.onSpinWait(); // a thread opens the file
                channel.runPending();
                answer = channel.takeOutboundText();
            }
            assertThat(answer)
                    .startsWith("HTTP/1.1 200 ")
                    .contains("\r\ncontent-type: text/html; charset=utf-8\r\n")
                    .contains("\r\ncontent-length: 4\r\n");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "/a.txt/",
                "/none",
                "/",
                "/empty/",
                "/.hidden",
                "/../secret.txt",
                "/sub/../a.txt",
                "/out",
                "/%2e%2e/secret.txt",
                "/..%2Fsecret.txt",
                "/a.txt%00",
                "//a.txt",
                "/sub//index.html",
                "/a.txt/x",
                "/sub%5Cindex.html",
                "/./a.txt"
            })
    void nothingElseIsFound(String target) throws Exception {
        assertThat(get(target).status().code()).isEqualTo(404);
    }

    @Test
    void aDirectoryWithoutItsSlashIsRedirected() throws Exception {
        Response response = get("/sub");
        assertThat(response.status().code()).isEqualTo(301);
        assertThat(response.headers().first("location")).isEqualTo("/sub/");
        assertThat(get("/sub?a=%20b").headers().first("location")).isEqualTo("/sub/?a=%20b");
    }

    @Test
    void otherMethodsAreNotAllowed() throws Exception {
        assertThat(ask(Method.POST, "/a.txt").status().code()).isEqualTo(405);
    }

    @ParameterizedTest
    @CsvSource({
        "bytes=0-3, 206, 0123, bytes 0-3/10",
        "bytes=4-, 206, 456789, bytes 4-9/10",
        "bytes=-3, 206, 789, bytes 7-9/10",
        "bytes=-30, 206, 0123456789, bytes 0-9/10",
        "bytes=8-100, 206, 89, bytes 8-9/10",
        "bytes=9-9, 206, 9, bytes 9-9/10",
        "bytes=10-, 416, '', bytes */10",
        "bytes=-0, 416, '', bytes */10",
        "bytes=3-2, 200, 0123456789,",
        "BYTES=0-3, 206, 0123, bytes 0-3/10",
        "'bytes=0-1,1-4', 206, 01234, bytes 0-4/10",
        "'bytes=5-6,1-9', 206, 123456789, bytes 1-9/10",
        "'bytes=20-,1-2', 206, 12, bytes 1-2/10",
        "'bytes=20-,30-40', 416, '', bytes */10",
        "'bytes=0-1,x', 200, 0123456789,",
        "'bytes=0-1,', 200, 0123456789,",
        "'bytes=0-1,3-2', 200, 0123456789,",
        "'bytes=0-5,1-2,2-3,3-4', 200, 0123456789,",
        "'bytes=0-0,2-2,4-4,6-6,8-8,0-0,2-2,4-4,6-6,8-8,0-0,2-2,4-4,6-6,8-8,0-0,2-2', 200, 0123456789,",
        "lines=0-1, 200, 0123456789,",
        "bytes=-, 200, 0123456789,",
        "bytes=99999999999999999999-, 200, 0123456789,"
    })
    void ranges(String range, int status, String content, @Nullable String contentRange)
            throws Exception {
        Response response = get("/a.txt", "range: " + range);
        assertThat(response.status().code()).isEqualTo(status);
        assertThat(response.headers().first("content-range")).isEqualTo(contentRange);
        assertThat(response.body().asString()).isEqualTo(content);
    }

    @ParameterizedTest
    @ValueSource(strings = {"bytes=0-", "bytes=0-99", "bytes=-5", "bytes=-0", "bytes=0-0,2-2"})
    void noPartOfAnEmptyFileIsAllOfIt(String range) throws Exception {
        Files.writeString(directory.resolve("root/none.txt"), "");
        Response response = get("/none.txt", "range: " + range);
        assertThat(response.status().code()).isEqualTo(200);
        assertThat(response.headers().contains("content-range")).isFalse();
        assertThat(response.body().length()).isZero();
    }

    @ParameterizedTest
    @CsvSource({
        "'bytes=0-1,3-4', 0-1:01 3-4:34",
        "'bytes=-1, 0-0', 9-9:9 0-0:0",
        "'bytes=8-,0-1,\t5-5', 8-9:89 0-1:01 5-5:5",
        "'bytes=0-1,20-30,5-6', 0-1:01 5-6:56",
        "'bytes=4-5,0-1,5-6', 4-6:456 0-1:01",
        "'bytes=0-0,1-1', 0-0:0 1-1:1"
    })
    void severalRangesComeInParts(String range, String expected) throws Exception {
        Response response = get("/a.txt", "range: " + range);
        assertThat(response.status()).isSameAs(Status.PARTIAL_CONTENT);
        assertThat(response.headers().contains("content-range")).isFalse();
        String type = Objects.requireNonNull(response.headers().first("content-type"));
        assertThat(type).startsWith("multipart/byteranges; boundary=");
        String boundary = type.substring(type.indexOf('=') + 1);
        StringBuilder body = new StringBuilder();
        for (String part : expected.split(" ", -1)) {
            String[] content = part.split(":", -1);
            body.append(body.isEmpty() ? "--" : "\r\n--").append(boundary);
            body.append("\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes ");
            body.append(content[0]).append("/10\r\n\r\n").append(content[1]);
        }
        body.append("\r\n--").append(boundary).append("--\r\n");
        assertThat(response.body().length()).isEqualTo(body.length());
        assertThat(response.body().asString()).isEqualTo(body.toString());
    }

    @Test
    void conditionsAreEvaluatedInOrder() throws Exception {
        String etag = get("/a.txt").headers().first("etag");
        String time = HttpDate.format(TIME);
        String before = HttpDate.format(TIME.minusSeconds(1));
        assertThat(get("/a.txt").headers().first("last-modified")).isEqualTo(time);
        assertStatus(304, "if-none-match: " + etag);
        assertStatus(304, "if-none-match: \"x\", W/" + etag);
        assertStatus(304, "if-none-match: *");
        assertStatus(200, "if-none-match: \"x\"");
        assertStatus(200, "if-none-match: \"x\"", "if-modified-since: " + time);
        assertStatus(304, "if-modified-since: " + time);
        assertStatus(200, "if-modified-since: " + before);
        assertStatus(200, "if-modified-since: nonsense");
        assertStatus(412, "if-match: \"x\"");
        assertStatus(412, "if-match: W/" + etag);
        assertStatus(200, "if-match: " + etag);
        assertStatus(200, "if-match: *", "if-unmodified-since: " + before);
        assertStatus(412, "if-unmodified-since: " + before);
        assertStatus(200, "if-unmodified-since: " + time);
        assertStatus(206, "range: bytes=0-1", "if-range: " + etag);
        assertStatus(206, "range: bytes=0-1", "if-range: " + time);
        assertStatus(200, "range: bytes=0-1", "if-range: \"x\"");
        assertStatus(200, "range: bytes=0-1", "if-range: W/" + etag);
        assertStatus(200, "range: bytes=0-1", "if-range: " + before);
    }

    private void assertStatus(int status, String... fields) throws Exception {
        assertThat(get("/a.txt", fields).status().code())
                .as("%s", (Object) fields)
                .isEqualTo(status);
    }

    @Test
    void aRouteNamesTheFile() throws Exception {
        Request request =
                Request.get("/x/sub/index.html").withParameters(Map.of("path", "sub/index.html"));
        assertThat(Objects.requireNonNull(files).handle(request).body().asString())
                .isEqualTo("<p>");
    }
}
