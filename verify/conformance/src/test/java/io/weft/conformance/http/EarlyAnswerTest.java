package io.weft.conformance.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.conformance.rig.Rig;
import io.weft.http.client.HttpClient;
import io.weft.http.client.HttpClientException;
import io.weft.http.model.Body;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import java.io.IOException;
import java.io.InputStream;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// A server that answers an upload before it has read it, and closes, which resets the connection:
/// the client gets the answer, and says why the upload ended where there is none.
@Timeout(120)
class EarlyAnswerTest {
    private static final int UPLOADS = 10;

    /// Not virtual: those have descriptors of their own, which the rig would find.
    private final ExecutorService threads = Executors.newSingleThreadExecutor();

    private final ServerSocket server = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());

    EarlyAnswerTest() throws IOException {}

    @AfterEach
    void close() throws IOException {
        server.close();
        threads.close();
    }

    /// Reads the head of each request, sends `answer`, and closes.
    private void serve(String answer) {
        threads.execute(
                () -> {
                    for (int i = 0; i < UPLOADS; i++) {
                        try (Socket socket = server.accept()) {
                            readHead(socket.getInputStream());
                            Rig.send(socket, answer);
                        } catch (IOException e) {
                            return; // the test has ended
                        }
                    }
                });
    }

    private static void readHead(InputStream in) throws IOException {
        StringBuilder head = new StringBuilder();
        while (head.indexOf("\r\n\r\n") < 0) {
            head.append(new String(in.readNBytes(1), StandardCharsets.US_ASCII));
        }
    }

    private static HttpClient client(Rig rig) {
        return HttpClient.builder().group(rig.group).build();
    }

    private String url() {
        return "http://127.0.0.1:" + server.getLocalPort() + "/upload";
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void theAnswerToAnUploadThatIsCutOffArrives(String transport) throws Exception {
        serve("HTTP/1.1 413 Content Too Large\r\nContent-Length: 9\r\n\r\ntoo large");
        try (Rig rig = new Rig(transport, 1);
                HttpClient client = client(rig)) {
            for (int i = 0; i < UPLOADS; i++) {
                Response response = client.post(url(), Body.of(new byte[8 << 20]));
                assertThat(response.status()).isEqualTo(Status.CONTENT_TOO_LARGE);
                assertThat(response.body().asString()).isEqualTo("too large");
            }
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"io_uring", "epoll", "nio"})
    void anUploadThatIsCutOffWithoutAnAnswerFails(String transport) throws Exception {
        serve("");
        try (Rig rig = new Rig(transport, 1);
                HttpClient client = client(rig)) {
            assertThatThrownBy(() -> client.post(url(), Body.of(new byte[8 << 20])))
                    .isInstanceOf(HttpClientException.Disconnected.class);
        }
    }
}
