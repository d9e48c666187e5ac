package io.weft.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.model.Body;
import io.weft.http.model.BodySource;
import io.weft.http.model.BodySource.Step;
import io.weft.http.model.Status;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

class EventStreamTest {
    private static final ServerSentEvent A = ServerSentEvent.of("a"); // 9 bytes

    private final EventStream stream = new EventStream(new EventStreamLimits(3, 40));
    private final AtomicInteger wakes = new AtomicInteger();
    private final AtomicInteger closes = new AtomicInteger();

    private BodySource wire() {
        BodySource source = ((Body.Stream) stream.response().body()).source();
        source.onWake(wakes::incrementAndGet);
        return source;
    }

    private static String read(BodySource source, int room, Step expected) throws IOException {
        try (Buffer out = BufferAllocator.pooled().allocate(room, room)) {
            Step step = source.read(out);
            assertThat(step).isEqualTo(expected);
            return out.readString(UTF_8);
        }
    }

    @Test
    void answerIsAStreamOfEvents() {
        assertThat(stream.response().status()).isEqualTo(Status.OK);
        assertThat(stream.response().headers().first("content-type"))
                .isEqualTo("text/event-stream");
        assertThat(stream.response().headers().first("cache-control")).isEqualTo("no-store");
        assertThat(stream.response().body().length()).isEqualTo(-1);
        assertThat(stream.response()).isSameAs(stream.response());
    }

    @Test
    void eventsAndCommentsAreSentInOrder() throws IOException {
        assertThat(stream.send(A)).isTrue(); // before anybody reads
        BodySource wire = wire();
        assertThat(stream.comment("b\nc")).isTrue();
        assertThat(read(wire, 100, Step.WAIT)).isEqualTo("data: a\n\n: b\n: c\n\n");
        assertThat(stream.comment("")).isTrue();
        assertThat(read(wire, 100, Step.WAIT)).isEqualTo(": \n\n");
        wire.close();
    }

    @Test
    void wireThatWaitsIsWokenOnce() throws IOException {
        BodySource wire = wire();
        var _ = stream.send(A);
        assertThat(wakes).hasValue(0);
        assertThat(read(wire, 100, Step.WAIT)).isNotEmpty();
        var _ = stream.send(A);
        var _ = stream.send(A);
        assertThat(wakes).hasValue(1);
        assertThat(read(wire, 100, Step.WAIT)).hasSize(18);
        stream.end();
        assertThat(wakes).hasValue(2);
        assertThat(read(wire, 100, Step.END)).isEmpty();
        wire.close();
    }

    @Test
    void eventGoesThroughASmallBuffer() throws IOException {
        var _ = stream.send(A);
        BodySource wire = wire();
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < 4; i++) {
            all.append(read(wire, 2, Step.MORE));
        }
        all.append(read(wire, 2, Step.WAIT));
        assertThat(all).hasToString("data: a\n\n");
        wire.close();
    }

    @Test
    void slowSubscriberFillsItsEvents() throws IOException {
        BodySource wire = wire();
        for (int i = 0; i < 3; i++) {
            assertThat(stream.send(A)).isTrue();
        }
        assertThat(stream.send(A)).isFalse();
        assertThat(stream.comment("")).isFalse();
        assertThat(stream.isOpen()).isTrue();
        assertThat(read(wire, 8, Step.MORE)).hasSize(8);
        assertThat(stream.send(A)).isFalse(); // a byte of the first one is still here
        assertThat(read(wire, 1, Step.MORE)).hasSize(1);
        assertThat(stream.send(A)).isTrue();
        wire.close();
    }

    @Test
    void slowSubscriberFillsItsBytes() throws IOException {
        BodySource wire = wire();
        assertThat(stream.send(ServerSentEvent.of("x".repeat(23)))).isTrue(); // 31 bytes
        assertThat(stream.send(ServerSentEvent.of("ab"))).isFalse();
        assertThat(stream.send(A)).isTrue();
        assertThat(read(wire, 100, Step.WAIT)).hasSize(40);
        assertThat(stream.send(ServerSentEvent.of("x".repeat(32)))).isTrue();
        wire.close();
    }

    @Test
    void eventThatNeverHasRoomIsRefused() {
        assertThatThrownBy(() -> stream.send(ServerSentEvent.of("x".repeat(33))))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("event: 41 bytes (expected: at most 40, the stream's limit)");
    }

    @Test
    void endIsBehindWhatWaits() throws IOException {
        stream.onClose(closes::incrementAndGet);
        BodySource wire = wire();
        var _ = stream.send(A);
        stream.end();
        stream.end();
        assertThat(closes).hasValue(1);
        assertThat(stream.isOpen()).isFalse();
        assertThat(stream.send(A)).isFalse();
        assertThat(stream.comment("x")).isFalse();
        assertThat(read(wire, 100, Step.END)).isEqualTo("data: a\n\n");
        wire.close();
        assertThat(closes).hasValue(1);
    }

    @Test
    void subscriberWhoLeavesIsToldOnce() {
        stream.onClose(closes::incrementAndGet);
        BodySource wire = wire();
        var _ = stream.send(A);
        wire.close();
        wire.close();
        assertThat(closes).hasValue(1);
        assertThat(stream.isOpen()).isFalse();
        assertThat(stream.send(A)).isFalse();
        stream.end();
        assertThat(closes).hasValue(1);
        assertThat(wakes).hasValue(0);
        stream.onClose(closes::incrementAndGet);
        assertThat(closes).hasValue(2);
    }

    @Test
    void answerThatWasNeverReadIsTold() {
        stream.onClose(closes::incrementAndGet);
        ((Body.Stream) stream.response().body()).source().close();
        assertThat(closes).hasValue(1);
        assertThat(stream.isOpen()).isFalse();
    }

    @Test
    @Warns
    void listenerThatThrowsKeepsNoOtherFromHearing() {
        stream.onClose(
                () -> {
                    throw new IllegalStateException("of the test");
                });
        stream.onClose(closes::incrementAndGet);
        stream.end();
        assertThat(closes).hasValue(1);
    }

    @Test
    void manyThreadsSendWhatOneReads() throws Exception {
        EventStream shared = new EventStream();
        BodySource source = ((Body.Stream) shared.response().body()).source();
        AtomicInteger sent = new AtomicInteger();
        List<Thread> senders = new ArrayList<>();
        try (var events = new EventReader(Body.of(source).asInputStream())) {
            for (int i = 0; i < 4; i++) {
                senders.add(
                        Thread.ofVirtual()
                                .start(
                                        () -> {
                                            for (int n = 0; n < 2000; n++) {
                                                if (shared.send(A)) {
                                                    sent.incrementAndGet();
                                                }
                                            }
                                        }));
            }
            Thread ender =
                    Thread.ofVirtual()
                            .start(
                                    () -> {
                                        for (Thread sender : senders) {
                                            join(sender);
                                        }
                                        shared.end();
                                    });
            int received = 0;
            while (events.next() != null) {
                received++;
            }
            join(ender);
            assertThat(received).isEqualTo(sent.get()).isPositive();
        }
    }

    private static void join(Thread thread) {
        try {
            thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }

    @Test
    void limitsOutOfRangeAreRefused() {
        assertThatThrownBy(() -> EventStreamLimits.DEFAULT.withEvents(0))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("events: 0 (expected: 1 to 2147483647)");
        assertThatThrownBy(() -> EventStreamLimits.DEFAULT.withBytes(15))
                .isInstanceOf(IllegalArgumentException.class);
    }
}
