package io.weft.http.rtsp;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.BufferAllocator;
import io.weft.codec.Cumulation;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Status;
import java.io.File;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledIfSystemProperty;
import org.junit.jupiter.api.io.TempDir;

/// A client of others, libcurl, has a session with a server that is made of the codec.
@Tag("peers")
@EnabledIfSystemProperty(named = "peers", matches = "true")
@Timeout(value = 3, unit = TimeUnit.MINUTES, threadMode = Timeout.ThreadMode.SEPARATE_THREAD)
class RtspPeersTest {
    /// Exit status of the client when there is no libcurl, or none that speaks RTSP.
    private static final int SKIP = 77;

    private static final String SDP = "v=0\r\nm=video 0 RTP/AVP 96\r\na=control:track1\r\n";

    /// A session over libcurl's own interface; it prints what it gets. The numbers are libcurl's:
    /// options, and kinds of requests.
    private static final String CLIENT =
            """
            import ctypes, sys
            try:
                lib = ctypes.CDLL("libcurl.so.4")
            except OSError:
                sys.exit(77)
            lib.curl_easy_init.restype = ctypes.c_void_p
            lib.curl_easy_strerror.restype = ctypes.c_char_p
            url = sys.argv[1].encode()
            handle = ctypes.c_void_p(lib.curl_easy_init())
            kept = []

            def option(number, value):
                if isinstance(value, bytes):
                    value = ctypes.c_char_p(value)
                elif isinstance(value, int):
                    value = ctypes.c_long(value)
                kept.append(value)
                return lib.curl_easy_setopt(handle, ctypes.c_int(number), value)

            WRITE = ctypes.CFUNCTYPE(
                ctypes.c_size_t, ctypes.c_void_p, ctypes.c_size_t, ctypes.c_size_t, ctypes.c_void_p)
            content, packets = [], []

            def body(data, size, count, user):
                content.append(ctypes.string_at(data, size * count))
                return size * count

            def packet(data, size, count, user):
                packets.append(ctypes.string_at(data, size * count))
                return size * count

            option(10002, url)
            option(20011, WRITE(body))
            option(20196, WRITE(packet))
            option(13, 60)
            if option(10191, url) != 0:
                sys.exit(77)

            def ask(name, number, uri):
                del content[:]
                option(10191, uri)
                option(189, number)
                result = lib.curl_easy_perform(handle)
                status = ctypes.c_long()
                lib.curl_easy_getinfo(handle, ctypes.c_int(0x200002), ctypes.byref(status))
                if result == 1:
                    sys.exit(77)
                said = "" if result == 0 else lib.curl_easy_strerror(result).decode()
                print(name, status.value, said, len(b"".join(content)), flush=True)

            ask("OPTIONS", 1, url)
            ask("DESCRIBE", 2, url)
            option(10192, b"RTP/AVP/TCP;unicast;interleaved=0-1")
            ask("SETUP", 4, url + b"/track1")
            ask("PLAY", 5, url)
            while len(packets) < 3:
                ask("RECEIVE", 11, url)
            print("packets", " ".join(str(len(p)) for p in packets[:3]))
            ask("PAUSE", 6, url)
            ask("TEARDOWN", 7, url)
            """;

    @TempDir Path directory;

    /// Requests, by method, URI and number.
    private final List<String> asked = new CopyOnWriteArrayList<>();

    private final AtomicReference<Throwable> failure = new AtomicReference<>();

    @BeforeEach
    void pythonIsThere() {
        boolean there =
                Arrays.stream(System.getenv("PATH").split(File.pathSeparator, -1))
                        .anyMatch(d -> Files.isExecutable(Path.of(d, "python3")));
        Assumptions.assumeTrue(
                there, "python3 is not on the PATH (dev/install-peers.sh installs it)");
    }

    @Test
    void libcurlHasASession() throws Exception {
        Path program = Files.writeString(directory.resolve("client.py"), CLIENT);
        Path log = directory.resolve("log");
        @SuppressWarnings("resource") // closed before its thread is joined
        ServerSocket server = new ServerSocket(0, 10, InetAddress.getLoopbackAddress());
        Thread serving = Thread.ofVirtual().start(() -> serve(server));
        String url = "rtsp://127.0.0.1:" + server.getLocalPort() + "/film";
        Process client =
                new ProcessBuilder("python3", program.toString(), url)
                        .redirectErrorStream(true)
                        .redirectOutput(log.toFile())
                        .start();
        try {
            assertThat(client.waitFor(2, TimeUnit.MINUTES)).isTrue();
        } finally {
            client.destroyForcibly();
            server.close();
            serving.join();
        }
        Assumptions.assumeTrue(
                client.exitValue() != SKIP, "libcurl is not there, or speaks no RTSP");
        assertThat(failure.get()).isNull();
        String said = Files.readString(log);
        assertThat(client.exitValue()).as(said).isZero();
        assertThat(said.lines().filter(line -> !line.startsWith("RECEIVE")))
                .containsExactly(
                        "OPTIONS 200  0",
                        "DESCRIBE 200  " + SDP.length(),
                        "SETUP 200  0",
                        "PLAY 200  0",
                        "packets 16 304 65539",
                        "PAUSE 455  0",
                        "TEARDOWN 200  0");
        assertThat(asked)
                .containsExactly(
                        "OPTIONS " + url + " 1",
                        "DESCRIBE " + url + " 2",
                        "SETUP " + url + "/track1 3",
                        "PLAY " + url + " 4",
                        "PAUSE " + url + " 5",
                        "TEARDOWN " + url + " 6");
    }

    // ---- the server ----

    private void serve(ServerSocket server) {
        try (Socket socket = server.accept()) {
            Cumulation input = new Cumulation();
            RtspDecoder decoder = new RtspDecoder();
            InputStream in = socket.getInputStream();
            OutputStream out = socket.getOutputStream();
            byte[] bytes = new byte[4096];
            int count;
            while ((count = read(in, bytes)) > 0) {
                var more = BufferAllocator.pooled().allocate(count).writeBytes(bytes, 0, count);
                decoder.decode(input.add(more), message -> answer(message, out));
                input.trim();
            }
            input.release();
        } catch (IOException | RuntimeException | Error e) {
            failure.set(e);
        }
    }

    /// Reads, where the client may end its connection in any way.
    private static int read(InputStream in, byte[] to) {
        try {
            return in.read(to);
        } catch (IOException e) {
            return -1;
        }
    }

    private void answer(RtspMessage message, OutputStream out) {
        if (message instanceof RtspData data) {
            data.close(); // RTCP, which nobody waits for
            return;
        }
        RtspRequest request = (RtspRequest) message;
        asked.add(request.method() + " " + request.uri() + " " + request.cseq());
        try {
            out.write(Messages.bytes(() -> response(request)));
            if (request.method().equals(RtspMethod.PLAY)) {
                out.write(Messages.bytes(() -> rtp(12), () -> rtp(300), () -> rtp(65_535)));
            }
        } catch (IOException e) {
            throw new IllegalStateException(e);
        }
    }

    private static RtspData rtp(int length) {
        byte[] packet = new byte[length];
        packet[0] = (byte) 0x80; // version 2
        packet[1] = 96;
        return new RtspData(0, BufferAllocator.pooled().allocate(length).writeBytes(packet));
    }

    private static RtspResponse response(RtspRequest request) {
        return switch (request.method().toString()) {
            case "OPTIONS" ->
                    request.answer(
                            Status.OK,
                            Headers.of("public", "DESCRIBE, SETUP, PLAY, PAUSE, TEARDOWN"));
            case "DESCRIBE" ->
                    request.answer(
                            Status.OK,
                            Headers.of("content-type", "application/sdp"),
                            Body.of(SDP.getBytes(UTF_8)));
            case "SETUP" ->
                    request.answer(
                            Status.OK,
                            Headers.of("session", "12345678")
                                    .with("transport", "RTP/AVP/TCP;unicast;interleaved=0-1"));
            case "PAUSE" -> request.answer(Status.of(455), Headers.EMPTY);
            default -> request.answer(Status.OK, Headers.EMPTY);
        };
    }
}
