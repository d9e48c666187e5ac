package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatExceptionOfType;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Request;
import io.weft.http.model.Response;
import io.weft.http.server.exchange.Application;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;

/// Idle connections give back what they need while they are active.
class Http1LendingTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";
    private static final Duration SWEEP = Duration.ofMillis(500);

    private final List<ServerLoop> servers = new ArrayList<>();
    private final List<CompletableFuture<Response>> answers = new ArrayList<>();
    private final List<Request> requests = new ArrayList<>();

    private EmbeddedChannel connection(Application application) {
        return connection(application, false);
    }

    private EmbeddedChannel connection(Application application, boolean open) {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                ch -> {
                    ServerLoop server =
                            new ServerLoop(
                                    application,
                                    HttpServerLimits.DEFAULT,
                                    new Sweeper(ch.eventLoop()));
                    servers.add(server);
                    ch.pipeline().addLast(new Http1Connection(server, open));
                });
    }

    private EmbeddedChannel hello() {
        return connection(new Application.Direct(_ -> Response.text("hello")));
    }

    private EmbeddedChannel later(boolean streams) {
        return connection(
                new Application.Async(
                        request -> {
                            requests.add(request);
                            CompletableFuture<Response> answer = new CompletableFuture<>();
                            answers.add(answer);
                            return answer;
                        },
                        streams));
    }

    private int spare() {
        return servers.getLast().spare();
    }

    @Test
    void aConnectionThatWaitsForARequestHoldsNothingThatIsLent() {
        try (EmbeddedChannel channel = hello()) {
            for (int i = 0; i < 3; i++) {
                channel.receive(GET);
                assertThat(channel.takeOutboundText()).endsWith("hello");
                assertThat(spare()).isZero();
                channel.advance(SWEEP);
                assertThat(spare()).isEqualTo(1);
            }
        }
    }

    @Test
    void aConnectionThatSaysNothingIsLentNothing() {
        try (EmbeddedChannel channel = hello()) {
            channel.advance(SWEEP);
            assertThat(spare()).isZero();
            channel.advance(Duration.ofSeconds(11));
            assertThat(channel.isOutputShutdown() || channel.isClosed()).isTrue();
        }
    }

    @Test
    void whatIsUnderWayIsNotGivenBack() {
        try (EmbeddedChannel channel = later(false)) {
            channel.receive("GET / HT");
            channel.advance(SWEEP);
            assertThat(spare()).isZero();
            channel.receive("TP/1.1\r\nHost: x\r\n\r\n");
            channel.advance(SWEEP);
            assertThat(spare()).isZero();
            answers.removeLast().complete(Response.text("late"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("late");
            channel.advance(SWEEP);
            assertThat(spare()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionEndsAlsoWhileItIsIdle() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).advance(SWEEP);
            channel.receiveEnd();
            assertThat(channel.isClosed()).isTrue();
        }
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).advance(SWEEP);
            var _ = channel.channel().close();
            assertThat(channel.isOutputShutdown() || channel.isClosed()).isTrue();
        }
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).advance(SWEEP);
            channel.fail(new IOException("reset"));
            assertThat(channel.isClosed()).isTrue();
            channel.advance(SWEEP);
        }
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).advance(SWEEP);
            channel.advance(Duration.ofSeconds(61));
            assertThat(channel.isOutputShutdown() || channel.isClosed()).isTrue();
        }
    }

    @Test
    void anEmptyLineIsToleratedOnEachConnection() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive("\r\n").advance(SWEEP);
            assertThat(spare()).isEqualTo(1);
            channel.receive("\r\n" + GET);
            assertThat(channel.takeOutboundText()).endsWith("hello");
        }
    }

    @Test
    void aHandlerThatKeepsABodyBeyondItsAnswerReadsNoOther() throws Exception {
        try (EmbeddedChannel channel = later(true)) {
            channel.receive("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\nab");
            BodySource kept = ((Body.Stream) requests.removeLast().body()).source();
            answers.removeLast().complete(Response.text("one"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("one");
            channel.advance(SWEEP);
            assertThat(spare()).isEqualTo(1);
            assertThat(kept.mayWait()).isFalse();
            channel.receive("POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 2\r\n\r\ncd");
            try (Buffer out = BufferAllocator.pooled().allocate(8)) {
                assertThatExceptionOfType(IOException.class).isThrownBy(() -> kept.read(out));
                kept.close();
                channel.runPending();
                BodySource next = ((Body.Stream) requests.removeLast().body()).source();
                while (next.read(out) == BodySource.Step.MORE) {}
                assertThat(out.readableBytes()).isEqualTo(2);
            }
            answers.removeLast().complete(Response.text("two"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("two");
        }
    }

    /// A second connection of the loop that the last one has.
    private EmbeddedChannel another() {
        ServerLoop server = servers.getLast();
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                ch -> ch.pipeline().addLast(new Http1Connection(server, false)));
    }

    @Test
    void aConnectionThatEndsWithItsLastAnswerLeavesWhatItWasLentToTheNext() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive("GET / HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n");
            assertThat(channel.takeOutboundText()).endsWith("hello");
            channel.receiveEnd();
            channel.runPending();
            assertThat(channel.isClosed()).isTrue();
            assertThat(spare()).isEqualTo(1);
            try (EmbeddedChannel next = another()) {
                for (int i = 0; i < 3; i++) {
                    next.receive(GET);
                    assertThat(spare()).isZero();
                    assertThat(next.takeOutboundText()).doesNotContain("close").endsWith("hello");
                }
            }
        }
    }

    @Test
    void aConnectionThatTheClientEndsBetweenRequestsLeavesWhatItWasLent() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).receiveEnd();
            channel.runPending();
            assertThat(channel.isClosed()).isTrue();
            assertThat(spare()).isEqualTo(1);
        }
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).fail(new IOException("reset"));
            channel.runPending();
            assertThat(spare()).isEqualTo(1);
        }
    }

    @Test
    void aConnectionThatEndsWithinARequestLeavesNothing() {
        for (String cut :
                List.of("GET / HT", "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nab")) {
            try (EmbeddedChannel channel = hello()) {
                channel.receive(GET).receive(cut).fail(new IOException("reset"));
                channel.runPending();
                assertThat(spare()).isZero();
            }
        }
    }

    @Test
    void aConnectionWhoseRequestIsRefusedLeavesNothing() {
        for (String bad :
                List.of("GET  / HTTP/1.1\r\n\r\n", "GET / HTTP/1.1\r\n\r\n", "\0\r\n\r\n")) {
            try (EmbeddedChannel channel = hello()) {
                channel.receive(GET).receive(bad).receiveEnd();
                channel.runPending();
                assertThat(channel.isClosed()).isTrue();
                assertThat(spare()).isZero();
            }
        }
    }

    @Test
    void anAnswerThatComesBehindTheEndOfItsConnectionReachesNoOther() {
        try (EmbeddedChannel channel = later(false)) {
            channel.receive(GET);
            CompletableFuture<Response> late = answers.removeLast();
            channel.fail(new IOException("reset"));
            channel.runPending();
            assertThat(spare()).isZero();
            try (EmbeddedChannel next = another()) {
                next.receive(GET);
                late.complete(Response.text("late"));
                channel.runPending();
                next.runPending();
                assertThat(next.takeOutboundText()).isEmpty();
                answers.removeLast().complete(Response.text("its own"));
                next.runPending();
                assertThat(next.takeOutboundText()).endsWith("its own");
            }
        }
    }

    @Test
    void anEndedConnectionTakesNothingMore() {
        try (EmbeddedChannel channel = hello()) {
            channel.receive(GET).receiveEnd();
            channel.runPending();
            var _ = channel.channel().close();
            channel.advance(SWEEP).runPending();
            assertThat(spare()).isEqualTo(1);
        }
    }

    @Test
    void partOfAPrefaceThatEndsWithTheInputIsAnsweredOnce() {
        try (EmbeddedChannel channel =
                connection(new Application.Direct(_ -> Response.text("hello")), true)) {
            channel.receive("PRI * HTTP/2.0\r\n\r\nSM").receiveEnd();
            assertThat(channel.takeOutboundText())
                    .startsWith("HTTP/1.1 505 ")
                    .doesNotContain("400")
                    .containsOnlyOnce("HTTP/1.1 ");
            channel.advance(SWEEP);
            assertThat(channel.isClosed()).isTrue();
        }
    }
}
