package io.weft.client.pipelined;

import static java.util.Objects.requireNonNull;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.channel.EmbeddedChannel;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Calls that were accepted are sent when their client closes.
class ClosingTest {
    private static final PipelineLimits LIMITS =
            new PipelineLimits(
                    2, 16, Duration.ofHours(1), Duration.ofMillis(1), Duration.ofMillis(1));

    private final NoteHandler handler =
            new NoteHandler(
                    LIMITS, (note, out) -> out.buffer(note.name.length()).writeAscii(note.name));
    private final EmbeddedChannel embedded =
            new EmbeddedChannel(
                    ChannelOptions.DEFAULT.with(
                            ChannelOption.WRITE_BUFFER_WATER_MARK,
                            new WriteBufferWaterMark(0, 0, 1 << 20)),
                    channel -> channel.pipeline().addLast(handler));
    private final Reconnection connection =
            new Reconnection(
                    embedded.channel().eventLoop(),
                    new InetSocketAddress(0),
                    LIMITS,
                    Note.ERRORS,
                    new LineListener() {},
                    () -> {
                        throw new AssertionError("a connect");
                    });

    @AfterEach
    void close() {
        embedded.close();
    }

    private List<Note> sendAndClose(String... names) {
        List<Note> notes = Stream.of(names).map(this::note).toList();
        sendAndClose(() -> notes.forEach(connection::send));
        return notes;
    }

    /// Sends and closes on the loop, in one turn.
    private void sendAndClose(Runnable send) {
        embedded.channel().eventLoop().execute(() -> connection.ready(embedded.channel()));
        embedded.runPending();
        embedded.channel()
                .eventLoop()
                .execute(
                        () -> {
                            send.run();
                            connection.close();
                        });
        embedded.runPending();
    }

    private Note note(String name) {
        return new Note(
                name,
                embedded.channel().eventLoop().newPromise(),
                connection.deadline(),
                connection);
    }

    private static @Nullable String cause(Note note) {
        return requireNonNull(note.promise().cause()).getMessage();
    }

    @Test
    void callsOfTheSameTurnAreSent() {
        List<Note> notes = sendAndClose("a", "b");
        assertThat(embedded.takeOutboundText()).isEqualTo("ab");
        assertThat(embedded.isClosed()).isTrue();
        assertThat(embedded.isReset()).isFalse();
        assertThat(notes)
                .extracting(ClosingTest::cause)
                .containsOnly("disconnected, sent true: the connection is closed");
    }

    @Test
    void callsThatOtherThreadsHaveQueuedAreSent() {
        sendAndClose(
                () -> {
                    Thread other = Thread.ofPlatform().start(() -> connection.send(note("a")));
                    try {
                        other.join();
                    } catch (InterruptedException e) {
                        throw new AssertionError(e);
                    }
                });
        assertThat(embedded.takeOutboundText()).isEqualTo("a");
        assertThat(embedded.isClosed()).isTrue();
    }

    @Test
    void callsThatWaitForAnswersOfOthersAreSent() {
        List<Note> notes = sendAndClose("a", "b", "c", "d");
        Note late = note("late");
        connection.send(late);
        assertThat(cause(late)).isEqualTo("disconnected, sent false: the client is closed");
        assertThat(embedded.takeOutboundText()).isEqualTo("ab");
        embedded.receive("1");
        assertThat(notes.getFirst().promise().now()).isEqualTo("a");
        assertThat(embedded.takeOutboundText()).isEqualTo("c");
        assertThat(embedded.isClosed()).isFalse();
        embedded.receive("2");
        assertThat(embedded.takeOutboundText()).isEqualTo("d");
        assertThat(embedded.isClosed()).isTrue();
        assertThat(embedded.isReset()).isFalse();
        assertThat(cause(notes.getLast()))
                .isEqualTo("disconnected, sent true: the connection is closed");
    }

    @Test
    void callsThatAreCancelledKeepNoConnection() {
        List<Note> notes = sendAndClose("a", "b", "c");
        assertThat(notes.getLast().promise().cancel()).isTrue();
        embedded.receive("1");
        assertThat(embedded.isClosed()).isTrue();
        assertThat(embedded.takeOutboundText()).isEqualTo("ab");
    }

    @Test
    void peersTakeThemAtTheirPace() {
        embedded.limitWindow(0);
        String large = "x".repeat(1000);
        sendAndClose(large, large);
        for (int i = 0; i < 20; i++) {
            embedded.advance(Duration.ofSeconds(6));
            assertThat(embedded.isClosed()).isFalse();
            embedded.openWindow(100);
        }
        assertThat(embedded.takeOutboundText()).isEqualTo(large + large);
        assertThat(embedded.isClosed()).isTrue();
        assertThat(embedded.isReset()).isFalse();
    }

    @Test
    void peersThatTakeNoneAreLeft() {
        embedded.limitWindow(0);
        String large = "x".repeat(1000);
        List<Note> notes = sendAndClose(large, large);
        embedded.advance(Duration.ofSeconds(9));
        assertThat(embedded.isClosed()).isFalse();
        embedded.advance(Duration.ofSeconds(2));
        assertThat(embedded.isReset()).isTrue();
        assertThat(cause(notes.getLast()))
                .isEqualTo("disconnected, sent true: the connection is closed");
    }

    @Test
    void peersThatAnswerNoneAreLeft() {
        List<Note> notes = sendAndClose("a", "b", "c");
        embedded.advance(Duration.ofSeconds(11));
        assertThat(embedded.isClosed()).isTrue();
        assertThat(embedded.isReset()).isFalse();
        assertThat(cause(notes.get(1)))
                .isEqualTo("disconnected, sent true: the connection is closed");
        assertThat(cause(notes.getLast()))
                .isEqualTo("disconnected, sent false: the client is closed");
    }
}
