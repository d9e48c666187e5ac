package io.weft.examples;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Ledger;
import io.weft.http.forms.FormStorage;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.Socket;
import java.net.SocketException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.net.http.WebSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.concurrent.LinkedBlockingQueue;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Every example does what it says, on every engine that works here.
@ParameterizedClass
@ValueSource(strings = {"io_uring", "epoll", "nio"})
record ExamplesTest(String transport) {
    private static final int MANY = 1 << 20;

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static byte[] randomBytes(int count) {
        byte[] bytes = new byte[count];
        new Random(1).nextBytes(bytes);
        return bytes;
    }

    /// Sends from another thread, as a peer that only sends may be stopped by one that does not
    /// take the echo.
    private static CompletableFuture<Void> send(Socket socket, byte[] bytes) {
        return CompletableFuture.runAsync(
                () -> {
                    try {
                        socket.getOutputStream().write(bytes);
                        socket.shutdownOutput();
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                });
    }

    /// The answer to one request, with its head.
    private static String ask(Served server, String request) throws Exception {
        try (Socket client = server.connect()) {
            client.getOutputStream().write(request.replace("\n", "\r\n").getBytes(US_ASCII));
            return new String(client.getInputStream().readAllBytes(), US_ASCII);
        }
    }

    @Test
    void httpSnoopSaysWhatWasAsked() throws Exception {
        try (Served snoop = Served.start(HttpSnoop::start, transport)) {
            String answer =
                    ask(
                            snoop,
                            """
                            PUT /a?b HTTP/1.1
                            Host: x
                            X-Quote: "
                            Transfer-Encoding: chunked
                            Connection: close

                            3
                            abc
                            0
                            x-t: 1

                            """);
            assertThat(answer)
                    .contains("content-type: application/json")
                    .endsWith(
                            "{\"method\":\"PUT\",\"target\":\"/a?b\",\"version\":\"HTTP/1.1\","
                                    + "\"headers\":[[\"host\",\"x\"],[\"x-quote\",\"\\\"\"],"
                                    + "[\"transfer-encoding\",\"chunked\"],[\"connection\",\"close\"]],"
                                    + "\"bodyLength\":3,\"bodySha256\":\"ba7816bf8f01cfea414140de5dae2223"
                                    + "b00361a396177a9cb410ff61f20015ad\",\"trailers\":[[\"x-t\",\"1\"]]}");
        }
    }

    @Test
    void httpUploadGivesBackWhatItGot() throws Exception {
        try (Served upload = Served.start(HttpUpload::start, transport)) {
            String close = " HTTP/1.1\nHost: x\nConnection: close\n";
            assertThat(ask(upload, "PUT /..%2Fa" + close + "Content-Length: 4\n\nabcd"))
                    .startsWith("HTTP/1.1 201 ");
            assertThat(ask(upload, "GET /..%2Fa" + close + "Range: bytes=1-2\n\n"))
                    .startsWith("HTTP/1.1 206 ")
                    .endsWith("bc");
            assertThat(ask(upload, "GET /b" + close + "\n")).startsWith("HTTP/1.1 404 ");
        }
    }

    /// RFC 9110, 9.3.4.
    @Test
    void httpUploadTellsReplacedFilesFromNewOnes() throws Exception {
        try (Served upload = Served.start(HttpUpload::start, transport)) {
            String put = "PUT /a HTTP/1.1\nHost: x\nConnection: close\nContent-Length: 2\n";
            assertThat(ask(upload, put + "\nab")).startsWith("HTTP/1.1 201 ");
            assertThat(ask(upload, put + "\ncd")).startsWith("HTTP/1.1 204 ");
            assertThat(ask(upload, put + "Content-Range: bytes 0-1/4\n\nef"))
                    .startsWith("HTTP/1.1 400 ");
            assertThat(ask(upload, "GET /a HTTP/1.1\nHost: x\nConnection: close\n\n"))
                    .endsWith("cd");
        }
    }

    @Test
    void httpUploadTakesForms() throws Exception {
        try (Served upload = Served.start(HttpUpload::start, transport)) {
            String close = " HTTP/1.1\nHost: x\nConnection: close\n";
            String form =
                    """
                    --B
                    Content-Disposition: form-data; name="f"; filename="../a"

                    abc
                    --B--
                    """;
            String answer =
                    ask(
                            upload,
                            "POST /"
                                    + close
                                    + "Content-Type: multipart/form-data; boundary=B\n"
                                    + "Content-Length: "
                                    + form.replace("\n", "\r\n").length()
                                    + "\n\n"
                                    + form);
            assertThat(answer)
                    .startsWith("HTTP/1.1 200 ")
                    .contains("{\"name\":\"f\",\"fileName\":\"../a\",\"type\":null,\"length\":3");
            assertThat(ask(upload, "GET /a" + close + "\n")).endsWith("\r\n\r\nabc");
            assertThat(ask(upload, "POST /" + close + "Content-Length: 0\n\n"))
                    .startsWith("HTTP/1.1 415 ");
        }
    }

    @Test
    void anUploadThatBreaksOffLeavesNothingOnDisk() throws Exception {
        String head =
                """
                POST / HTTP/1.1
                Host: x
                Content-Type: multipart/form-data; boundary=B
                Content-Length: 1000000

                --B
                Content-Disposition: form-data; name="f"; filename="f"

                """;
        try (Served upload = Served.start(HttpUpload::start, transport)) {
            try (Socket socket = upload.connect()) {
                socket.getOutputStream().write(head.replace("\n", "\r\n").getBytes(US_ASCII));
                socket.getOutputStream().write(new byte[500_000]);
                while (FormStorage.DEFAULT.used() == 0) {
                    Thread.onSpinWait();
                }
            }
            while (FormStorage.DEFAULT.used() > 0) {
                Thread.onSpinWait();
            }
        }
    }

    @Test
    void httpFilesServesTheDirectory(@TempDir Path directory) throws Exception {
        Files.writeString(directory.resolve("a.txt"), "content");
        try (Served files =
                Served.start(options -> HttpFiles.start(options, directory), transport)) {
            String rest = " HTTP/1.1\nHost: x\nConnection: close\n\n";
            assertThat(ask(files, "GET /a.txt" + rest)).contains(" 200 ").endsWith("content");
            assertThat(ask(files, "GET /../a.txt" + rest)).contains(" 404 ");
        }
    }

    @Test
    void httpCorsAnswersAPreflight() throws Exception {
        try (Served cors = Served.start(HttpCors::start, transport)) {
            assertThat(
                            ask(
                                    cors,
                                    """
                                    OPTIONS /time HTTP/1.1
                                    Host: x
                                    Origin: https://a
                                    Access-Control-Request-Method: PUT
                                    Connection: close

                                    """))
                    .contains("access-control-allow-origin: *")
                    .contains("access-control-allow-methods: DELETE, GET, HEAD, POST, PUT");
        }
    }

    @Test
    void helloHttpAnswersEveryRequestOfAConnection() throws Exception {
        try (Served hello = Served.start(HelloHttp::start, transport);
                Socket client = hello.connect()) {
            String request = "GET / HTTP/1.1\r\nHost: localhost\r\n\r\n";
            String last = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
            client.getOutputStream().write((request + request + last).getBytes(US_ASCII));
            String answers = new String(client.getInputStream().readAllBytes(), US_ASCII);
            assertThat(answers.split("HTTP/1\\.1 200 OK\r\n", -1))
                    .hasSize(4)
                    .filteredOn(answer -> !answer.isEmpty())
                    .allSatisfy(
                            answer ->
                                    assertThat(answer)
                                            .contains("content-type: text/plain")
                                            .endsWith("\r\n\r\nHello, World!"));
        }
    }

    @Test
    void wsEchoSendsBackMessages() throws Exception {
        CompletableFuture<String> heard = new CompletableFuture<>();
        WebSocket.Listener listener =
                new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(
                            WebSocket from, CharSequence text, boolean last) {
                        heard.complete(text.toString());
                        from.request(1);
                        return null;
                    }
                };
        try (Served echo = Served.start(WsEcho::start, transport);
                HttpClient client = HttpClient.newHttpClient()) {
            URI uri = URI.create("ws://127.0.0.1:" + echo.address().getPort() + "/any");
            WebSocket socket = client.newWebSocketBuilder().buildAsync(uri, listener).join();
            socket.sendText("hello", true).join();
            assertThat(heard.join()).isEqualTo("hello");
            socket.sendClose(WebSocket.NORMAL_CLOSURE, "").join();
        }
    }

    @Test
    void wsChatServesAPageAndPassesOnWhatIsSaid() throws Exception {
        BlockingQueue<String> heard = new LinkedBlockingQueue<>();
        WebSocket.Listener listener =
                new WebSocket.Listener() {
                    @Override
                    public @Nullable CompletionStage<?> onText(
                            WebSocket from, CharSequence text, boolean last) {
                        heard.add(text.toString());
                        from.request(1);
                        return null;
                    }
                };
        try (Served chat = Served.start(WsChat::start, transport);
                HttpClient client = HttpClient.newHttpClient()) {
            String address = "127.0.0.1:" + chat.address().getPort() + "/";
            String page =
                    client.send(
                                    HttpRequest.newBuilder(URI.create("http://" + address)).build(),
                                    HttpResponse.BodyHandlers.ofString())
                            .body();
            assertThat(page).contains("new WebSocket");
            URI uri = URI.create("ws://" + address);
            WebSocket one = client.newWebSocketBuilder().buildAsync(uri, listener).join();
            WebSocket other =
                    client.newWebSocketBuilder()
                            .buildAsync(uri, new WebSocket.Listener() {})
                            .join();
            one.sendText("in", true).join();
            assertThat(heard.take()).isEqualTo("in");
            other.sendText("hello", true).join();
            assertThat(heard.take()).isEqualTo("hello");
            one.abort();
            other.abort();
        }
    }

    @Test
    void webSocketsAreServedOverTls() throws Exception {
        for (Example.Start example : List.<Example.Start>of(WsEcho::start, WsChat::start)) {
            Example.Start secure =
                    o ->
                            example.start(
                                    new Options(
                                            o.host(), o.port(), o.transport(), o.loops(), true));
            try (Served served = Served.start(secure, transport)) {
                assertThat(handshake(served, "https"))
                        .isEqualTo("HTTP/1.1 101 Switching Protocols");
            }
        }
        Example.Start chat =
                o -> WsChat.start(new Options(o.host(), o.port(), o.transport(), o.loops(), true));
        try (Served served = Served.start(chat, transport)) {
            assertThat(handshake(served, "http")).isEqualTo("HTTP/1.1 403 Forbidden");
        }
    }

    private static String handshake(Served served, String scheme) throws Exception {
        String request =
                """
                GET / HTTP/1.1
                Host: a
                Origin: SCHEME://a
                Connection: Upgrade
                Upgrade: websocket
                Sec-WebSocket-Version: 13
                Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==

                """;
        try (Socket socket = Tls.over(served.connect())) {
            socket.getOutputStream()
                    .write(
                            request.replace("SCHEME", scheme)
                                    .replace("\n", "\r\n")
                                    .getBytes(US_ASCII));
            return String.valueOf(Tls.lines(socket).readLine());
        }
    }

    @Test
    void echoSendsBackWhatItGets() throws Exception {
        try (Served echo = Served.start(Echo::start, transport);
                Socket client = echo.connect()) {
            byte[] sent = randomBytes(MANY);
            CompletableFuture<Void> sending = send(client, sent);
            byte[] received = client.getInputStream().readNBytes(MANY);
            sending.join();
            assertThat(received).isEqualTo(sent);
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void discardTakesAllAndSaysNothing() throws Exception {
        try (Served discard = Served.start(Discard::start, transport);
                Socket client = discard.connect()) {
            send(client, randomBytes(MANY)).join();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void closingEndsConnectionsThatWait() throws Exception {
        Served echo = Served.start(Echo::start, transport);
        try (echo;
                Socket client = echo.connect()) {
            client.getOutputStream().write('a');
            assertThat(client.getInputStream().read()).isEqualTo('a');
            echo.close();
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void telnetAnswersLines() throws Exception {
        try (Served telnet = Served.start(Telnet::start, transport);
                Socket client = telnet.connect()) {
            client.getOutputStream().write("hi\r\n\nbye\n".getBytes(US_ASCII));
            assertThat(
                            new String(client.getInputStream().readAllBytes(), US_ASCII)
                                    .strip()
                                    .split("\r\n", -1))
                    .containsExactly(
                            "Welcome! Say something; \"bye\" ends it.",
                            "Did you say \"hi\"?",
                            "Please say something.",
                            "Have a good day!");
        }
    }

    @Test
    void echoBlockingSendsLinesBack() throws Exception {
        try (Served echo = Served.start(EchoBlocking::start, transport);
                Socket client = echo.connect()) {
            client.getOutputStream().write("hi\r\nthere\n".getBytes(US_ASCII));
            client.shutdownOutput();
            assertThat(new String(client.getInputStream().readAllBytes(), US_ASCII))
                    .isEqualTo("hi\r\nthere\r\n");
        }
    }

    @Test
    void fileServerRawSendsFilesOfItsDirectoryOnly() throws Exception {
        byte[] pom = Files.readAllBytes(Path.of("pom.xml"));
        try (Served files = Served.start(FileServerRaw::start, transport);
                Socket client = files.connect()) {
            client.getOutputStream().write("pom.xml\n".getBytes(US_ASCII));
            byte[] head = (pom.length + "\r\n").getBytes(US_ASCII);
            assertThat(client.getInputStream().readNBytes(head.length)).isEqualTo(head);
            assertThat(client.getInputStream().readNBytes(pom.length)).isEqualTo(pom);
            for (String name : List.of("../pom.xml", "no/such", "/etc/passwd", "src", "")) {
                client.getOutputStream().write((name + "\n").getBytes(US_ASCII));
                byte[] error = "error: no such file\r\n".getBytes(US_ASCII);
                assertThat(client.getInputStream().readNBytes(error.length)).isEqualTo(error);
            }
        }
    }

    @Test
    void fileServerRawAnswersInOrderAndBeforeItHearsThatNothingMoreComes() throws Exception {
        byte[] pom = Files.readAllBytes(Path.of("pom.xml"));
        try (Served files = Served.start(FileServerRaw::start, transport);
                Socket client = files.connect()) {
            client.getOutputStream()
                    .write("pom.xml\nno/such\npom.xml\n".repeat(20).getBytes(US_ASCII));
            client.shutdownOutput();
            byte[] head = (pom.length + "\r\n").getBytes(US_ASCII);
            byte[] error = "error: no such file\r\n".getBytes(US_ASCII);
            for (int i = 0; i < 20; i++) {
                for (byte[] part : List.of(head, pom, error, head, pom)) {
                    assertThat(client.getInputStream().readNBytes(part.length)).isEqualTo(part);
                }
            }
            assertThat(client.getInputStream().read()).isEqualTo(-1);
        }
    }

    @Test
    void secureChatTellsTheOthers() throws Exception {
        try (Served chat = Served.start(SecureChat::start, transport);
                Socket one = Tls.over(chat.connect());
                Socket two = Tls.over(chat.connect())) {
            var first = Tls.lines(one);
            var second = Tls.lines(two);
            assertThat(first.readLine()).startsWith("Welcome! You are protected by TLS_");
            assertThat(second.readLine()).startsWith("Welcome!");
            one.getOutputStream().write("hello\n".getBytes(US_ASCII));
            assertThat(first.readLine()).isEqualTo("you: hello");
            assertThat(second.readLine()).isEqualTo("> hello");
            two.getOutputStream().write("bye\n".getBytes(US_ASCII));
            assertThat(second.readLine()).isNull();
        }
    }

    @Test
    void portUnificationTellsProtocolsApart() throws Exception {
        try (Served unified = Served.start(PortUnification::start, transport)) {
            for (boolean secure : new boolean[] {false, true}) {
                String get = "GET / HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
                try (Socket http = connect(unified, secure)) {
                    http.getOutputStream().write(get.getBytes(US_ASCII));
                    assertThat(new String(http.getInputStream().readAllBytes(), US_ASCII))
                            .startsWith("HTTP/1.1 200 OK\r\n")
                            .endsWith(secure ? "over TLS" : "in the clear");
                }
                try (Socket factorial = connect(unified, secure)) {
                    byte[] seven = {'F', 0, 0, 0, 1, 7};
                    factorial.getOutputStream().write(seven);
                    assertThat(factorial.getInputStream().readNBytes(6)).isEqualTo(seven);
                }
                try (Socket echo = connect(unified, secure)) {
                    byte[] bytes = "GET out".getBytes(US_ASCII);
                    echo.getOutputStream().write(bytes, 1, 6);
                    assertThat(echo.getInputStream().readNBytes(6))
                            .isEqualTo("ET out".getBytes(US_ASCII));
                }
            }
        }
    }

    private static Socket connect(Served served, boolean secure) throws Exception {
        return secure ? Tls.over(served.connect()) : served.connect();
    }

    @Test
    void factorialMultiplies() throws Exception {
        try (Served factorial = Served.start(Factorial::start, transport);
                Socket client = factorial.connect()) {
            var in = new java.io.DataInputStream(client.getInputStream());
            var product = java.math.BigInteger.ONE;
            for (int n = 1; n <= 100; n++) {
                client.getOutputStream().write(new byte[] {'F', 0, 0, 0, 1, (byte) n});
                product = product.multiply(java.math.BigInteger.valueOf(n));
                assertThat(in.readByte()).isEqualTo((byte) 'F');
                byte[] bytes = new byte[in.readInt()];
                in.readFully(bytes);
                assertThat(new java.math.BigInteger(bytes)).isEqualTo(product);
            }
            client.getOutputStream().write(new byte[] {'G', 0, 0, 0, 0});
            assertEnds(in);
        }
    }

    /// The reset that a corrupted number earns may come before the end is read.
    private static void assertEnds(InputStream in) throws IOException {
        try {
            assertThat(in.read()).isEqualTo(-1);
        } catch (SocketException e) {
            assertThat(e).hasMessageContaining("reset");
        }
    }
}
