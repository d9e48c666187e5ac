package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.ChannelHandler;
import io.weft.channel.EmbeddedChannel;
import io.weft.http.http2.ErrorCode;
import io.weft.http.model.Body;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.api.io.TempDir;

/// Files as answers: opened before a status is sent, on the thread of a handler that may block, and
/// closed whatever becomes of the answer.
@Timeout(60)
class FileAnswersTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final String CONTENT = "0123456789".repeat(10_000);

    @TempDir private Path directory;
    private Path file = Path.of("");

    /// Of handlers, when the test runs them.
    private final ArrayDeque<Runnable> tasks = new ArrayDeque<>();

    @BeforeEach
    void write() throws IOException {
        file = directory.toRealPath().resolve("file");
        Files.writeString(file, CONTENT);
    }

    private Response answer(Request request) {
        return Response.of(Status.OK, Headers.EMPTY, Body.of(file, 0, CONTENT.length()));
    }

    private EmbeddedChannel serving() {
        return Http1Channels.of(Application.blocking(this::answer, tasks::add));
    }

    private void handle(EmbeddedChannel channel) {
        tasks.remove().run();
        channel.runPending();
    }

    private long descriptors() throws IOException {
        try (Stream<Path> all = Files.list(Path.of("/proc/self/fd"))) {
            return all.filter(this::leadsToTheFile).count();
        }
    }

    private boolean leadsToTheFile(Path descriptor) {
        try {
            return Files.readSymbolicLink(descriptor).equals(file);
        } catch (IOException e) {
            return false; // of the listing, and closed
        }
    }

    @Test
    void isSentWithoutAnotherThread() {
        try (EmbeddedChannel channel = serving()) {
            channel.receive(GET);
            handle(channel);
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 200 ")
                    .endsWith("\r\n\r\n" + CONTENT);
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void isClosedWhenItWasSent() throws Exception {
        try (EmbeddedChannel channel = serving()) {
            for (String request : new String[] {GET, GET.replace("GET", "HEAD")}) {
                channel.receive(request);
                handle(channel);
                assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200 ");
                assertThat(descriptors()).isZero();
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void isClosedWhenNobodyWaitsForIt() throws Exception {
        try (EmbeddedChannel channel = serving()) {
            channel.receive(GET);
            channel.channel().abort();
            channel.runPending();
            handle(channel);
            assertThat(descriptors()).isZero();
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void isReadWhereAnotherHandlerHasToSeeIt() throws Exception {
        try (EmbeddedChannel channel = serving()) {
            channel.channel().pipeline().addFirst("first", new ChannelHandler() {});
            channel.receive(GET);
            handle(channel);
            StringBuilder answer = new StringBuilder(channel.takeOutboundText());
            while (answer.indexOf(CONTENT) < 0) {
                channel.runPending();
                answer.append(channel.takeOutboundText());
                Thread.onSpinWait(); // a thread reads the file
            }
            while (descriptors() > 0) {
                Thread.onSpinWait(); // and closes it
            }
        }
    }

    @Test
    @Warns
    void isAnErrorWhenItCannotBeOpened() throws Exception {
        Files.delete(file);
        try (EmbeddedChannel channel = serving();
                Http2Client client =
                        new Http2Client(Application.blocking(this::answer, tasks::add))) {
            channel.receive(GET);
            handle(channel);
            assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 500 ");
            client.get("/"); // where it is read, as over TLS
            client.run();
            handle(client.channel);
            client.run();
            assertThat(client.log).first().asString().startsWith("1 500");
        }
    }

    private List<Application> onTheLoop() {
        return List.of(
                new Application.Direct(this::answer),
                new Application.Async(
                        request -> CompletableFuture.completedStage(answer(request))));
    }

    @Test
    @Warns
    void ofAHandlerOnTheLoopIsAnErrorWhenItCannotBeOpened() throws Exception {
        Files.delete(file);
        for (Application application : onTheLoop()) {
            try (EmbeddedChannel channel = Http1Channels.of(application);
                    Http2Client client = new Http2Client(application)) {
                channel.receive(GET);
                assertThat(text(channel, "\r\n\r\n")).startsWith("HTTP/1.1 500 ");
                client.get("/");
                while (client.log.isEmpty()) {
                    client.channel.runPending();
                    client.run();
                    Thread.onSpinWait(); // a thread opens the file
                }
                assertThat(client.log).first().asString().startsWith("1 500");
            }
        }
    }

    private static String text(EmbeddedChannel channel, String until) {
        StringBuilder answer = new StringBuilder(channel.takeOutboundText());
        while (answer.indexOf(until) < 0) {
            channel.runPending();
            answer.append(channel.takeOutboundText());
            Thread.onSpinWait(); // a thread opens the file
        }
        return answer.toString();
    }

    @Test
    void ofAHandlerOnTheLoopIsSentAgainAndAgain() {
        for (Application application : onTheLoop()) {
            try (EmbeddedChannel channel = Http1Channels.of(application)) {
                for (int i = 0; i < 2; i++) {
                    channel.receive(GET);
                    String whole = text(channel, CONTENT);
                    assertThat(whole.startsWith("HTTP/1.1 200 ")).isTrue();
                }
                channel.receive(GET.replace("GET", "HEAD"));
                assertThat(channel.takeOutboundText()).startsWith("HTTP/1.1 200 ");
            }
        }
    }

    @Test
    @EnabledOnOs(OS.LINUX)
    void isClosedWhenAClientThatItIsReadForHasLeft() throws Exception {
        try (Http2Client client = new Http2Client(Application.blocking(this::answer, tasks::add))) {
            client.get("/").reset(ErrorCode.CANCEL);
            client.run();
            handle(client.channel);
            while (descriptors() > 0) {
                Thread.onSpinWait(); // a thread closes it
            }
        }
    }
}
