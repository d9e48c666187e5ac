package io.weft.http.client;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.compression.Decompressor;
import io.weft.eventloop.EventLoop;
import io.weft.http.client.HttpClientException.Cancelled;
import io.weft.http.client.HttpClientException.Stage;
import io.weft.http.client.HttpClientException.TimedOut;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.Headers;
import io.weft.http.model.Request;
import io.weft.http.model.Status;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Exchanges over a double of a wire with streams: several at a time on one connection, each with a
/// window of its own. HTTP/2 can join without a change to them.
class ClientExchangeTest {
    private static final HttpClientLimits PATIENT =
            HttpClientLimits.DEFAULT.withHeadTimeout(Duration.ofMinutes(5));

    private final EmbeddedChannel loop = new EmbeddedChannel();

    /// Bytes that no wire has sent yet.
    private long unsent;

    /// One stream of a connection that has several.
    private final class Stream implements ClientWire, ExchangeOwner {
        final List<String> events = new ArrayList<>();
        final ClientExchange exchange;
        boolean bodyDue;
        boolean writable = true;
        @Nullable ResponseBody body;

        Stream(Request request) {
            this(request, null);
        }

        Stream(Request request, @Nullable ClientUpgrade upgrade) {
            Origin origin = new Origin(false, "s", 80);
            exchange = new ClientExchange(request, origin, PATIENT, upgrade, this);
            exchange.begin(this);
        }

        @Override
        public EventLoop eventLoop() {
            return loop.channel().eventLoop();
        }

        @Override
        public BufferAllocator allocator() {
            return BufferAllocator.pooled();
        }

        @Override
        public boolean head(Request request) {
            events.add(request.method() + " " + request.target());
            bodyDue = request.body() instanceof Body.Stream;
            return bodyDue;
        }

        @Override
        public void data(Buffer piece) {
            try (piece) {
                if (piece.isReadable()) {
                    events.add("data " + piece.readString(ISO_8859_1));
                }
            }
        }

        @Override
        public void end(Headers trailers) {
            events.add("end");
        }

        @Override
        public void send() {}

        @Override
        public boolean isWritable() {
            return writable;
        }

        @Override
        public long pendingBytes() {
            return unsent + (writable ? 0 : 1);
        }

        @Override
        public void demand(boolean wanted) {
            events.add(wanted ? "demand" : "no demand");
        }

        @Override
        public void done() {
            events.add("done");
        }

        @Override
        public void abort() {
            events.add("abort");
        }

        @Override
        public boolean responded(Status status, Headers headers, ResponseBody of) {
            events.add("response " + status.code());
            body = of;
            return true;
        }

        @Override
        public void failed(HttpClientException cause, boolean unprocessed, boolean unanswered) {
            events.add("failed " + cause.getMessage());
        }

        @Override
        public void over() {
            events.add("over");
        }

        @Override
        public @Nullable Decompressor decompressor(Headers headers) {
            return null;
        }

        void head(Status status, Headers headers, boolean empty) {
            exchange.head(status, headers, empty);
            exchange.respond();
        }

        void receive(String data) {
            exchange.data(allocator().allocate(data.length()).writeAscii(data));
        }

        String read() throws HttpClientException {
            try (Buffer out = allocator().allocate(100_000)) {
                BodySource.Step step = body == null ? BodySource.Step.WAIT : body.read(out);
                return step == BodySource.Step.END && !out.isReadable()
                        ? "END"
                        : out.readString(ISO_8859_1);
            }
        }
    }

    @AfterEach
    void close() {
        loop.close();
    }

    @Test
    void upgradeOfACallThatIsCancelledHasNoUse() {
        List<String> opened = new ArrayList<>();
        Stream stream = new Stream(Request.get("/"), (_, _, _) -> opened.add("opened"));
        stream.exchange.cancel(new Cancelled(new Origin(false, "s", 80), Stage.HEAD));
        assertThat(
                        stream.exchange.upgraded(
                                Status.SWITCHING_PROTOCOLS, Headers.EMPTY, loop.channel()))
                .isFalse();
        assertThat(opened).isEmpty();
        loop.runPending();
    }

    @Test
    void bodyThatCameWithTheHeadIsThereWhenTheResponseIs() throws Exception {
        Stream stream = new Stream(Request.get("/"));
        stream.exchange.head(Status.OK, Headers.EMPTY, false);
        stream.receive("all");
        assertThat(stream.events).containsExactly("GET /");
        stream.exchange.end(Headers.EMPTY);
        stream.exchange.respond();
        assertThat(stream.events).containsExactly("GET /", "done", "response 200", "over");
        assertThat(stream.read()).isEqualTo("all");
        assertThat(stream.read()).isEqualTo("END");
    }

    @Test
    void responseIsHandedOverBeforeItsBodyFails() {
        Stream stream = new Stream(Request.get("/"));
        stream.exchange.head(Status.OK, Headers.EMPTY, false);
        stream.exchange.disconnected(null);
        assertThat(stream.events).containsExactly("GET /", "response 200", "over");
        assertThatThrownBy(stream::read).isInstanceOf(HttpClientException.Disconnected.class);
    }

    @Test
    void streamsAreAnsweredInAnyOrder() throws Exception {
        Stream first = new Stream(Request.get("/1"));
        Stream second = new Stream(Request.get("/2"));
        second.head(Status.OK, Headers.EMPTY, false);
        first.head(Status.NOT_FOUND, Headers.EMPTY, false);
        second.receive("two");
        second.exchange.end(Headers.of("x", "y"));
        first.receive("one");
        first.exchange.end(Headers.EMPTY);
        assertThat(first.events).containsExactly("GET /1", "response 404", "done", "over");
        assertThat(second.events).containsExactly("GET /2", "response 200", "done", "over");
        assertThat(first.read()).isEqualTo("one");
        assertThat(second.read()).isEqualTo("two");
        assertThat(second.read()).isEqualTo("END");
        assertThat(second.body).isNotNull();
        assertThat(second.body.trailers().first("x")).isEqualTo("y");
    }

    @Test
    void eachStreamHasAWindowOfItsOwn() {
        BodySource three =
                new BodySource() {
                    private int given;

                    @Override
                    public Step read(Buffer out) {
                        out.writeAscii("" + ++given);
                        return given == 3 ? Step.END : Step.MORE;
                    }
                };
        Stream slow = new Stream(Request.get("/x"));
        slow.writable = false;
        Stream stalled = stalled(three);
        assertThat(stalled.events).containsExactly("POST /");
        stalled.writable = true;
        stalled.exchange.writable();
        assertThat(stalled.events).containsExactly("POST /", "data 1", "data 2", "data 3", "end");
        slow.head(Status.OK, Headers.EMPTY, true);
        slow.exchange.end(Headers.EMPTY);
        assertThat(slow.events).endsWith("done", "over");
    }

    /// A stream whose window is shut from the begin.
    private Stream stalled(BodySource source) {
        BodySource late =
                new BodySource() {
                    private boolean begun;

                    @Override
                    public Step read(Buffer out) throws java.io.IOException {
                        if (!begun) {
                            begun = true;
                            return Step.WAIT;
                        }
                        return source.read(out);
                    }
                };
        Stream stream = new Stream(Request.post("/", Body.of(late)));
        stream.writable = false;
        return stream;
    }

    @Test
    void whatIsNotReadIsNotDemanded() throws Exception {
        Stream stream = new Stream(Request.get("/"));
        stream.head(Status.OK, Headers.EMPTY, false);
        stream.receive("x".repeat(ResponseBody.HIGH));
        assertThat(stream.events).endsWith("no demand");
        loop.advance(Duration.ofMinutes(5));
        assertThat(stream.events).endsWith("no demand");
        assertThat(stream.read()).hasSize(ResponseBody.HIGH);
        loop.runPending();
        assertThat(stream.events).endsWith("demand");
        loop.advance(Duration.ofMinutes(5));
        assertThat(stream.events).endsWith("abort", "over");
    }

    /// A source that gives a byte whenever it is woken.
    private static BodySource slow() {
        return out -> {
            out.writeByte('x');
            return BodySource.Step.WAIT;
        };
    }

    @Test
    void aSourceThatPausesIsNotLateWhenItsBytesHaveGoneLater() {
        unsent = 1;
        Stream stream = new Stream(Request.post("/", Body.of(slow())));
        assertThat(stream.events).containsExactly("POST /", "data x");
        unsent = 0;
        loop.advance(Duration.ofMinutes(5));
        assertThat(stream.events).containsExactly("POST /", "data x");
        unsent = 1;
        stream.exchange.writable();
        loop.advance(Duration.ofMinutes(5));
        assertThat(stream.events).as("a server that takes nothing").contains("abort");
    }

    @Test
    void aServerThatTakesTheRequestBehindItsHeadNeedNotSend() {
        Stream stream = new Stream(Request.post("/", Body.of(slow())));
        stream.head(Status.OK, Headers.EMPTY, false);
        for (int i = 0; i < 10; i++) {
            loop.advance(Duration.ofSeconds(20));
            stream.exchange.writable();
        }
        assertThat(stream.events).doesNotContain("abort").endsWith("data x");
        loop.advance(Duration.ofSeconds(40));
        assertThat(stream.events).contains("abort");
    }

    @Test
    void roomOnTheWireDoesNotHastenTheHead() {
        BodySource one =
                out -> {
                    out.writeByte('x');
                    return BodySource.Step.END;
                };
        Stream stream = new Stream(Request.post("/", Body.of(one)));
        stream.exchange.writable();
        loop.advance(Duration.ofMinutes(4));
        assertThat(stream.events).doesNotContain("abort");
        loop.advance(Duration.ofMinutes(2));
        assertThat(stream.events).contains("abort");
    }

    @Test
    void roomOnTheWireDoesNotDelayABodyThatWaitsForContinue() {
        Request request = Request.post("/", Body.of(slow())).withHeader("expect", "100-continue");
        Stream stream = new Stream(request);
        stream.exchange.writable();
        assertThat(stream.events).containsExactly("POST /");
        loop.advance(Duration.ofSeconds(2));
        assertThat(stream.events).containsExactly("POST /", "data x");
    }

    @Test
    void aLateHeadAbortsTheStream() {
        Stream stream = new Stream(Request.get("/"));
        loop.advance(Duration.ofMinutes(6));
        assertThat(stream.events)
                .containsExactly(
                        "GET /",
                        "abort",
                        "failed "
                                + new TimedOut(
                                                new Origin(false, "s", 80),
                                                Stage.HEAD,
                                                Duration.ofMinutes(5))
                                        .getMessage(),
                        "over");
        stream.head(Status.OK, Headers.EMPTY, false);
        stream.receive("late");
        stream.exchange.end(Headers.EMPTY);
        assertThat(stream.events).hasSize(4);
    }

    @Test
    void aResponseBeforeTheRequestIsOutGivesTheRestUp() {
        BodySource never = out -> BodySource.Step.WAIT;
        Stream stream = new Stream(Request.post("/", Body.of(never)));
        stream.head(Status.CONTENT_TOO_LARGE, Headers.EMPTY, true);
        stream.exchange.end(Headers.EMPTY);
        assertThat(stream.events).containsExactly("POST /", "response 413", "abort", "over");
    }

    @Test
    void anUnwantedBodyIsReceivedWhileItIsSmall() {
        Stream small = new Stream(Request.get("/"));
        small.head(Status.OK, Headers.EMPTY, false);
        assertThat(small.body).isNotNull();
        small.body.close();
        loop.runPending();
        small.receive("rest");
        small.exchange.end(Headers.EMPTY);
        assertThat(small.events).endsWith("demand", "done", "over");
        Stream large = new Stream(Request.get("/"));
        large.head(Status.OK, Headers.EMPTY, false);
        assertThat(large.body).isNotNull();
        large.body.close();
        loop.runPending();
        large.receive("x".repeat(70_000));
        assertThat(large.events).endsWith("demand", "abort", "over");
    }
}
