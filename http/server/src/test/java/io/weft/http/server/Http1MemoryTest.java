package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.LogCapture;
import io.weft.testkit.Warns;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Connections whose work goes on in a task of the loop when there is no memory: they are cut, and
/// do not wait indefinitely.
@Warns
class Http1MemoryTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private static final String ASKED = "x\r\nContent-Length: 3\r\nExpect: 100-continue\r\n";

    @TempDir private Path directory;
    private int requests;

    @AfterEach
    void everyBufferWasReleased() {
        AllocationTap.set(null);
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static void refuseAll() {
        AllocationTap.set(
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                });
    }

    /// Answers with `first`, and then with little, and takes all memory at the request of a number.
    private EmbeddedChannel connection(int withoutMemory, Response first) {
        return Http1Channels.of(
                new Application.Direct(
                        _ -> {
                            if (++requests == withoutMemory) {
                                refuseAll();
                            }
                            return requests == 1 ? first : Response.text("hello");
                        }));
    }

    @Test
    void nextTurnWithoutMemoryCutsTheConnection() {
        try (EmbeddedChannel channel = connection(66, Response.text("hello"))) {
            channel.receive(GET.repeat(200));
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void askingForABodyWithoutMemoryCutsTheConnection() throws Exception {
        List<Request> asked = new ArrayList<>();
        Application waiting =
                new Application.Async(
                        request -> {
                            asked.add(request);
                            return new CompletableFuture<>();
                        },
                        true);
        try (EmbeddedChannel channel = Http1Channels.of(waiting);
                Buffer out = BufferAllocator.pooled().allocate(16)) {
            channel.receive(GET.replace("GET", "POST").replace("x\r\n", ASKED));
            BodySource source = ((Body.Stream) asked.getFirst().body()).source();
            assertThat(source.read(out)).isEqualTo(BodySource.Step.WAIT);
            refuseAll();
            channel.runPending();
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void requestBehindAFileWithoutMemoryCutsTheConnection() throws Exception {
        Path file = Files.writeString(directory.resolve("a.txt"), "hello");
        Response first = Response.of(Status.OK, Headers.EMPTY, Body.of(file));
        try (EmbeddedChannel channel = connection(2, first)) {
            channel.receive(GET.repeat(20));
            while (requests < 2) {
                Thread.onSpinWait(); // a virtual thread opens the file
                channel.runPending();
            }
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void requestBehindAStreamWithoutMemoryIsNotTakenForItsBody() {
        List<Runnable> wakes = new ArrayList<>();
        BodySource source =
                new BodySource() {
                    @Override
                    public Step read(Buffer out) {
                        return wakes.isEmpty() ? Step.END : Step.WAIT;
                    }

                    @Override
                    public void onWake(Runnable wake) {
                        wakes.add(wake);
                    }
                };
        Response first = Response.of(Status.OK, Headers.EMPTY, Body.of(source));
        try (EmbeddedChannel channel = connection(2, first);
                LogCapture captured = new LogCapture("io.weft.http.server")) {
            channel.receive(GET.repeat(20));
            wakes.removeFirst().run();
            channel.runPending();
            assertThat(channel.isReset()).isTrue();
            assertThat(captured.warnings())
                    .contains("the connection could not go on; it is cut")
                    .noneMatch(warning -> warning.contains("the body of the response failed"));
        }
    }
}
