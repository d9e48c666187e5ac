package io.weft.client.pipelined;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.MemoryLimitException;
import io.weft.channel.Channel;
import io.weft.channel.EmbeddedChannel;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.Timeout.ThreadMode;

@Timeout(value = 60, threadMode = ThreadMode.SEPARATE_THREAD) // a loop that spins heeds no other
class ReconnectionTest {
    private final List<String> written = new ArrayList<>();
    private final List<String> events = new ArrayList<>();
    private Consumer<Note> onWrite = note -> {};
    private final NoteHandler handler =
            new NoteHandler(
                    Note.LIMITS,
                    (note, out) -> {
                        out.buffer(note.name.length()).writeAscii(note.name);
                        onWrite.accept(note);
                        written.add(note.name);
                    });
    private final EmbeddedChannel embedded = new EmbeddedChannel(handler);
    private final Channel channel = embedded.channel();
    private final Reconnection connection =
            new Reconnection(
                    channel.eventLoop(),
                    new InetSocketAddress(0),
                    Note.LIMITS,
                    Note.ERRORS,
                    new Listener(),
                    () -> {
                        throw new AssertionError("a connect");
                    });

    private final class Listener implements LineListener {
        @Override
        public void ready() {
            events.add("ready");
        }
    }

    @AfterEach
    void close() {
        connection.close();
        embedded.close();
    }

    private void ready() {
        channel.eventLoop().execute(() -> connection.ready(channel));
        embedded.runPending();
    }

    private Note note(String name, @Nullable Reconnection owner) {
        return new Note(name, channel.eventLoop().newPromise(), connection.deadline(), owner);
    }

    private Note send(String name) {
        Note note = note(name, connection);
        connection.send(note);
        return note;
    }

    @Test
    void callsWaitOnWhereAWriteBreaksTheConnection() {
        onWrite =
                note -> {
                    if (note.name.equals("b")) {
                        throw new IllegalStateException("no memory");
                    }
                };
        Note a = send("a");
        Note b = send("b");
        Note c = send("c");
        ready();
        assertThat(written).containsExactly("a");
        assertThat(a.promise().cause()).hasMessage("disconnected, sent true: no memory");
        assertThat(b.promise().cause()).hasMessage("disconnected, sent true: no memory");
        assertThat(c.promise().isDone()).isFalse();
        connection.close();
        assertThat(c.promise().cause())
                .hasMessage("disconnected, sent false: the client is closed");
    }

    @Test
    void callsWithoutMemoryFailAlone() {
        onWrite =
                note -> {
                    if (note.name.length() > 1) {
                        throw new MemoryLimitException("memory", 2, 1);
                    }
                };
        Note a = send("a");
        Note large = send("large");
        Note asks = send("asks");
        Note c = send("c");
        ready();
        assertThat(large.promise().cause()).isInstanceOf(MemoryLimitException.class);
        assertThat(asks.promise().cause()).isInstanceOf(MemoryLimitException.class);
        assertThat(embedded.takeOutboundText()).isEqualTo("ac");
        embedded.receive("1");
        embedded.receive("2");
        assertThat(a.promise().now()).isEqualTo("a");
        assertThat(c.promise().now()).isEqualTo("c");
    }

    @Test
    void connectionsThatHaveEndedAreNotReady() {
        Note a = send("a");
        channel.eventLoop().execute(channel::abort);
        ready();
        assertThat(written).isEmpty();
        assertThat(events).isEmpty();
        assertThat(connection.isConnected()).isFalse();
        assertThat(a.promise().isDone()).isFalse();
    }

    @Test
    void deadlineOfACallThatWaitedComesBeforeThatOfTheGreeting() {
        Note waited = send("waited");
        embedded.advance(Duration.ofSeconds(4));
        Note hello = note("hello", null);
        channel.eventLoop().execute(() -> channel.write(hello));
        embedded.runPending();
        handler.calls.finish();
        ready();
        assertThat(written).containsExactly("hello", "waited");
        embedded.advance(Duration.ofMillis(1400)); // a coarse timer may be late by a 16th
        assertThat(waited.promise().cause()).hasMessage("timed out, sent true");
    }

    @Test
    void deadlineOfACallThatIsGivenBackComesBeforeThoseOfLaterCalls() {
        Note early = note("early", connection);
        embedded.advance(Duration.ofSeconds(4));
        Note late = send("late");
        connection.takeBack(early);
        embedded.advance(Duration.ofMillis(1400));
        assertThat(early.promise().cause()).hasMessage("timed out, sent false");
        assertThat(late.promise().isDone()).isFalse();
    }

    @Test
    void refusedConnectionsAreNotWaitedFor() {
        embedded.keepInputOpen();
        Note waits = send("waits");
        Note hello = note("hello", null);
        channel.eventLoop().execute(() -> channel.writeAndFlush(hello));
        embedded.runPending();
        IllegalStateException refusal = new IllegalStateException("wrong password");
        channel.eventLoop().execute(() -> connection.refuse(channel, refusal));
        embedded.runPending();
        assertThat(waits.promise().cause()).isSameAs(refusal);
        assertThat(embedded.isReset()).isTrue();
    }

    private void fillQueue() {
        try {
            while (true) {
                channel.eventLoop().execute(() -> {});
            }
        } catch (RejectedExecutionException e) {
            assertThat(channel.eventLoop().pendingTasks()).isPositive();
        }
    }

    private Note sendElsewhere(String name) throws Exception {
        FutureTask<Note> task = new FutureTask<>(() -> send(name));
        Thread.ofPlatform().start(task);
        return task.get();
    }

    @Test
    void callThatTheQueueRefusesIsNotSentLater() throws Exception {
        ready();
        fillQueue();
        Note refused = sendElsewhere("refused");
        assertThat(refused.promise().cause()).hasMessage("overloaded");
        embedded.runPending();
        ready();
        assertThat(written).isEmpty();
    }

    @Test
    void refusedTimerLeavesLaterCallsTheirOwn() throws Exception {
        fillQueue();
        Note refused = sendElsewhere("refused");
        assertThat(refused.promise().cause()).hasMessage("overloaded");
        embedded.runPending();
        Note later = sendElsewhere("later");
        embedded.advance(Duration.ofSeconds(6));
        assertThat(later.promise().cause()).hasMessage("timed out, sent false");
    }

    @Test
    void callFailsIfThatBeforeItCannotBeWritten() {
        onWrite =
                _ -> {
                    throw new IllegalStateException("no memory");
                };
        Note asks = send("asks");
        ready();
        assertThat(asks.promise().cause()).hasMessage("disconnected, sent true: no memory");
    }
}
