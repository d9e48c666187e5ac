package io.weft.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.codec.LimitExceededException;
import io.weft.http.model.Body;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;

class EventReaderTest {
    /// Gives a byte at a time, and can be seen to be closed.
    private static final class Trickle extends ByteArrayInputStream {
        private boolean closed;

        Trickle(String text) {
            super(text.getBytes(UTF_8));
        }

        @Override
        public synchronized int read(byte[] to, int offset, int length) {
            return super.read(to, offset, Math.min(1, length));
        }

        @Override
        public void close() {
            closed = true;
        }
    }

    private static InputStream input(String text) {
        return new ByteArrayInputStream(text.getBytes(UTF_8));
    }

    @Test
    void eventsComeOneByOneWithTheirState() throws IOException {
        String wire = "id: 1\nretry: 5\ndata: a\n\nid: 2\n\nretry: 6\nid: 3\ndata: b\n\ndata: cut";
        for (InputStream in : new InputStream[] {input(wire), new Trickle(wire)}) {
            try (var events = new EventReader(in)) {
                assertThat(events.lastEventId()).isEmpty();
                assertThat(events.retry()).isNull();
                assertThat(events.next())
                        .isEqualTo(
                                ServerSentEvent.of("a")
                                        .withId("1")
                                        .withRetry(Duration.ofMillis(5)));
                assertThat(events.lastEventId()).isEqualTo("1"); // though more was received
                assertThat(events.retry()).isEqualTo(Duration.ofMillis(5));
                assertThat(events.next())
                        .isEqualTo(
                                ServerSentEvent.of("b")
                                        .withId("3")
                                        .withRetry(Duration.ofMillis(6)));
                assertThat(events.next()).isNull();
                assertThat(events.next()).isNull();
                assertThat(events.lastEventId()).isEqualTo("3");
            }
        }
    }

    @Test
    void manyEventsOfOnePieceAreAllRead() throws IOException {
        try (var events = new EventReader(input("data: x\n\n".repeat(5000) + ":\n".repeat(5000)))) {
            int count = 0;
            while (events.next() != null) {
                count++;
            }
            assertThat(count).isEqualTo(5000);
        }
    }

    @Test
    void closeGivesUpWhatWasReceived() throws IOException {
        Trickle in = new Trickle("data: a\n\ndata: b\n\n");
        EventReader events = new EventReader(in);
        assertThat(events.next()).isEqualTo(ServerSentEvent.of("a"));
        events.close();
        events.close();
        assertThat(in.closed).isTrue();
        assertThatThrownBy(events::next)
                .isInstanceOf(IOException.class)
                .hasMessage("reader: closed (expected: open)");
    }

    @Test
    void readerWithinTheInputLeavesNothingWhenItIsClosed() throws IOException {
        try (var events = new EventReader(input("data: a\n\ndata: b\n\ndata"))) {
            assertThat(events.next()).isEqualTo(ServerSentEvent.of("a"));
        } // the ledger of buffers is looked at behind each test
    }

    @Test
    void lineThatIsTooLongClosesTheInput() throws IOException {
        Trickle in = new Trickle("data: a\n\ndata: " + "x".repeat(100));
        try (var events = new EventReader(in, EventLimits.DEFAULT.withLineBytes(50))) {
            assertThat(events.next()).isEqualTo(ServerSentEvent.of("a"));
            assertThatThrownBy(events::next)
                    .isInstanceOf(LimitExceededException.class)
                    .hasMessage("bytes of a line: 51 (expected: at most 50)");
            assertThat(in.closed).isTrue();
            assertThatThrownBy(events::next).isInstanceOf(IOException.class);
        }
    }

    @Test
    void anotherThreadEndsAReadByClosing() throws Exception {
        EventStream stream = new EventStream();
        CountDownLatch first = new CountDownLatch(1);
        var events = new EventReader(stream.response().body().asInputStream());
        CompletableFuture<Throwable> failure = new CompletableFuture<>();
        Thread reader =
                Thread.ofVirtual()
                        .start(
                                () -> {
                                    try {
                                        assertThat(events.next()).isNotNull();
                                        first.countDown();
                                        assertThat(events.next()).isNotNull();
                                        failure.complete(new AssertionError("it has read on"));
                                    } catch (IOException | AssertionError e) {
                                        failure.complete(e);
                                    }
                                });
        assertThat(stream.send(ServerSentEvent.of("a"))).isTrue();
        first.await();
        events.close();
        reader.join();
        assertThat(failure.join()).isInstanceOf(IOException.class);
        assertThat(stream.isOpen()).isFalse();
    }

    @Test
    void bodyInMemoryIsAStreamToo() throws IOException {
        try (var events = new EventReader(Body.of("data: a\r\n\r\n").asInputStream())) {
            assertThat(events.next()).isEqualTo(ServerSentEvent.of("a"));
        }
    }
}
