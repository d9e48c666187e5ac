package io.weft.transport.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;

/// A stream at a pseudo-terminal, told by the test when it is ready and what time it is.
@EnabledOnOs(OS.LINUX)
class ScriptedEngineTest {
    private final ManualClock clock = new ManualClock();
    private final ManualExecutor loop = new ManualExecutor(clock);
    private final Pty pty = new Pty();
    private final List<String> heard = new ArrayList<>();

    /// Thrown by callbacks; null for none.
    private @Nullable Error fault;

    private final Engine engine =
            new Engine() {
                @Override
                public ReadyHandle watch(int descriptor, ReadyEvents events) {
                    return new ReadyHandle() {
                        @Override
                        public void interest(boolean readable, boolean writable) {}

                        @Override
                        public void close() {}
                    };
                }

                @Override
                public ListenHandle listen(
                        SocketAddress address, ChannelOptions options, ListenEvents events) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public StreamHandle connect(
                        SocketAddress address, ChannelOptions options, StreamEvents events) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public StreamHandle adopt(Accepted connection, StreamEvents events) {
                    throw new UnsupportedOperationException();
                }

                @Override
                public void poll(long timeoutNanos) {}

                @Override
                public void wakeup() {}

                @Override
                public void close() {}
            };

    private final StreamEvents events =
            new StreamEvents() {
                private void tell(String event) {
                    heard.add(event);
                    if (fault != null) {
                        throw fault;
                    }
                }

                @Override
                public void connected() {
                    tell("connected");
                }

                @Override
                public void received(Buffer bytes) {
                    try (bytes) {
                        tell(bytes.readString(StandardCharsets.US_ASCII));
                    }
                }

                @Override
                public void received(DescriptorMessage message) {
                    throw new AssertionError();
                }

                @Override
                public void receiveComplete() {
                    heard.add("complete");
                }

                @Override
                public void inputClosed() {
                    tell("end");
                }

                @Override
                public void sent(int bytes) {
                    tell("sent");
                }

                @Override
                public void failed(IOException cause) {
                    tell("failed " + cause.getMessage());
                }

                @Override
                public void closed() {
                    heard.add("closed");
                }
            };

    private SerialStream open(ChannelOptions options) throws IOException {
        SerialStream stream = SerialStream.open(loop, engine, pty.address(), options, events);
        loop.runNow();
        assertThat(heard).containsExactly("connected");
        heard.clear();
        return stream;
    }

    @AfterEach
    void close() {
        pty.close();
    }

    @Test
    void callbackThatThrowsCostsTheWholeChannel() throws IOException {
        SerialStream reading = open(ChannelOptions.DEFAULT);
        fault = new LinkageError("broken");
        reading.receive();
        pty.write("one");
        pty.awaitInput(3);
        assertThatThrownBy(() -> reading.ready(true, false)).isSameAs(fault);
        assertThat(heard).containsExactly("one", "closed");
        assertThat(reading.descriptor()).isEqualTo(-1);
    }

    @Test
    @Warns
    void callbackThatThrowsAfterTheSilenceCostsTheWholeChannel() throws IOException {
        Duration silence = Duration.ofMillis(5);
        SerialStream reading =
                open(
                        ChannelOptions.DEFAULT.with(
                                SerialOption.READ_TIMING, ReadTiming.untilSilence(silence)));
        fault = new LinkageError("broken");
        reading.receive();
        pty.write("one");
        pty.awaitInput(3);
        reading.ready(true, false);
        assertThat(heard).isEmpty();
        loop.advance(silence);
        assertThat(heard).containsExactly("one", "closed");
    }

    @Test
    void silenceMayBeLongerThanClocksCount() throws IOException {
        ReadTiming patient = ReadTiming.untilSilence(Duration.ofSeconds(Long.MAX_VALUE));
        SerialStream reading = open(ChannelOptions.DEFAULT.with(SerialOption.READ_TIMING, patient));
        reading.receive();
        pty.write("one");
        pty.awaitInput(3);
        reading.ready(true, false);
        loop.advance(Duration.ofDays(36_500));
        assertThat(heard).isEmpty();
        reading.option(SerialOption.READ_TIMING, ReadTiming.AT_ONCE);
        loop.runNow();
        assertThat(heard).containsExactly("one", "complete");
        reading.close(true);
    }
}
