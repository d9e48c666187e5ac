package io.weft.http.server;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.Ledger;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Response;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Application;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A fault of a handler or a source, or a lack of memory, ends its own connection soon, and no
/// other.
class Http1FaultTest {
    private static final String GET = "GET / HTTP/1.1\r\nHost: x\r\n\r\n";

    private final List<CompletableFuture<Response>> answers = new ArrayList<>();

    @AfterEach
    void everyBufferWasReleased() {
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static EmbeddedChannel connection(Application application, ChannelHandler... others) {
        return new EmbeddedChannel(
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                ch -> {
                    Sweeper sweeper = new Sweeper(ch.eventLoop());
                    ch.pipeline()
                            .addLast(
                                    new Http1Connection(
                                            new ServerLoop(
                                                    application, HttpServerLimits.DEFAULT, sweeper),
                                            false));
                    for (ChannelHandler other : others) {
                        ch.pipeline().addLast(other);
                    }
                });
    }

    private EmbeddedChannel async() {
        return connection(
                new Application.Async(
                        _ -> {
                            CompletableFuture<Response> answer = new CompletableFuture<>();
                            answers.add(answer);
                            return answer;
                        }));
    }

    /// Throws where it is told to.
    private static class Faulty implements BodySource {
        private final @Nullable String where;
        private int closed;

        Faulty(@Nullable String where) {
            this.where = where;
        }

        private void fault(String here) {
            if (here.equals(where)) {
                throw new IllegalStateException("on purpose, in " + here);
            }
        }

        @Override
        public Step read(Buffer out) throws IOException {
            fault("read");
            if ("close".equals(where)) {
                throw new IOException("on purpose");
            }
            return Step.WAIT;
        }

        @Override
        public void onWake(Runnable wake) {
            fault("onWake");
        }

        @Override
        public void close() {
            closed++;
            fault("close");
        }
    }

    private static Response stream(BodySource source) {
        return Response.of(Status.OK, Headers.EMPTY, Body.of(source));
    }

    @Test
    void aSourceThatThrowsIsClosedWithItsConnection() {
        for (String where : List.of("onWake", "read", "close")) {
            Faulty source = new Faulty(where);
            try (EmbeddedChannel channel = async()) {
                channel.receive(GET);
                answers.removeLast().complete(stream(source));
                channel.runPending();
                assertThat(channel.isReset()).as(where).isTrue();
                assertThat(source.closed).as(where).isEqualTo(1);
            }
        }
    }

    @Test
    void aSourceThatAlwaysHasMoreOfNothingDoesNotHoldTheLoop() {
        Faulty source =
                new Faulty(null) {
                    @Override
                    public Step read(Buffer out) {
                        return Step.MORE;
                    }
                };
        try (EmbeddedChannel channel = connection(new Application.Direct(_ -> stream(source)))) {
            channel.receive(GET);
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void aSourceThatThrowsWhenItIsGivenUpKeepsNobodyFromHearingOfTheEnd() {
        List<String> seen = new ArrayList<>();
        ChannelHandler behind =
                new ChannelHandler() {
                    @Override
                    public void channelInactive(ChannelHandlerContext ctx) {
                        seen.add("inactive");
                    }
                };
        Faulty source =
                new Faulty("close") {
                    @Override
                    public Step read(Buffer out) {
                        return Step.WAIT;
                    }
                };
        try (EmbeddedChannel channel =
                connection(new Application.Direct(_ -> stream(source)), behind)) {
            channel.receive(GET).fail(new IOException("reset"));
            assertThat(seen).containsExactly("inactive");
        }
    }

    @Test
    void theBodyOfAnAnswerThatComesTooLateIsClosed() {
        Faulty source = new Faulty(null);
        try (EmbeddedChannel channel = async()) {
            channel.receive(GET).fail(new IOException("reset"));
            answers.removeLast().complete(stream(source));
            channel.runPending();
            assertThat(source.closed).isEqualTo(1);
        }
    }

    @Test
    @SuppressWarnings("NullAway") // what a handler must not do
    void aHandlerThatAnswersNullIsAnsweredWith500() {
        try (EmbeddedChannel direct = connection(new Application.Direct(_ -> null));
                EmbeddedChannel async = connection(new Application.Async(_ -> null))) {
            direct.receive(GET);
            assertThat(direct.takeOutboundText()).startsWith("HTTP/1.1 500 ");
            async.receive(GET);
            assertThat(async.takeOutboundText()).startsWith("HTTP/1.1 500 ");
        }
    }

    @Test
    void aConnectionWhoseDeadlineCannotBeCheckedKeepsNoOtherFromItsOwn() {
        Sweeper[] sweeper = {null};
        Application hello = new Application.Direct(_ -> Response.text("hello"));
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT,
                        ch -> {
                            sweeper[0] = new Sweeper(ch.eventLoop());
                            ch.pipeline()
                                    .addLast(
                                            new Http1Connection(
                                                    new ServerLoop(
                                                            hello,
                                                            HttpServerLimits.DEFAULT,
                                                            sweeper[0]),
                                                    false));
                        })) {
            // Not in a pipeline: every check throws.
            ServerLoop server = new ServerLoop(hello, HttpServerLimits.DEFAULT, sweeper[0]);
            new Deadlines(new Http1Connection(server, false), server).begin(0);
            channel.advance(Duration.ofSeconds(11));
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void allThatWasAskedBeforeTheClientFinishedSendingIsAnswered() {
        try (EmbeddedChannel channel = async()) {
            channel.receive(GET + GET).receiveEnd();
            answers.removeLast().complete(Response.text("one"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("one").doesNotContain("close");
            answers.removeLast().complete(Response.text("two"));
            channel.runPending();
            assertThat(channel.takeOutboundText()).endsWith("two");
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void aConnectionThatBreaksWhileItAnswersDecodesNoMore() {
        List<Throwable> faults = new ArrayList<>();
        ChannelHandler behind =
                new ChannelHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        faults.add(cause);
                    }
                };
        ChannelHandler breaking =
                new ChannelHandler() {
                    @Override
                    public void flush(ChannelHandlerContext ctx) {
                        ctx.channel().abort();
                    }
                };
        String large = "x".repeat(40_000);
        try (EmbeddedChannel channel =
                connection(new Application.Direct(_ -> Response.text(large)), behind)) {
            channel.pipeline().addFirst("breaking", breaking);
            channel.receive(GET + GET + GET);
            assertThat(channel.isClosed()).isTrue();
            assertThat(faults).isEmpty();
        }
    }
}
