package io.weft.transport.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.channel.ServerBootstrap;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Promise;
import io.weft.transport.serial.SerialLine.FlowControl;
import java.io.IOException;
import java.nio.file.FileSystemException;
import java.nio.file.NoSuchFileException;
import java.time.Duration;
import java.util.Arrays;
import java.util.SplittableRandom;
import java.util.concurrent.Callable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.condition.EnabledOnOs;
import org.junit.jupiter.api.condition.OS;
import org.junit.jupiter.params.ParameterizedClass;
import org.junit.jupiter.params.provider.ValueSource;

/// Channels at serial ports, whose other end is a pseudo-terminal's.
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"io_uring", "epoll"})
@Timeout(300)
class SerialTest {
    private final EventLoopGroup group;
    private final Pty pty = new Pty();
    private final PortRecorder recorder = new PortRecorder();

    SerialTest(String transport) {
        group = group(transport);
    }

    private static EventLoopGroup group(String transport) {
        try {
            return EventLoopGroup.create(transport, 1);
        } catch (IllegalStateException e) {
            return Assumptions.abort(String.valueOf(e.getMessage()));
        }
    }

    @AfterEach
    void close() {
        group.close();
        pty.close();
    }

    private Bootstrap bootstrap() {
        return new Bootstrap(group).handler(channel -> channel.pipeline().addLast(recorder));
    }

    private Channel connect() {
        return bootstrap().connect(pty.address()).join();
    }

    private static <T> T onLoop(Channel channel, Callable<T> call) {
        return channel.eventLoop().submit(call).join();
    }

    private static <T> T get(Channel channel, ChannelOption<T> option) {
        return onLoop(channel, () -> channel.getOption(option));
    }

    private static <T> void set(Channel channel, ChannelOption<T> option, T value) {
        boolean _ =
                onLoop(
                        channel,
                        () -> {
                            channel.setOption(option, value);
                            return true;
                        });
    }

    private static Buffer buffer(byte[] bytes) {
        Buffer buffer = BufferAllocator.pooled().allocate(bytes.length);
        buffer.writeBytes(bytes);
        return buffer;
    }

    private static Promise<Void> write(Channel channel, Buffer bytes) {
        Promise<Void> written = channel.newPromise();
        channel.writeAndFlush(bytes, written);
        return written;
    }

    private static byte[] random(int length) {
        byte[] bytes = new byte[length];
        new SplittableRandom(Long.getLong("io.weft.test.seed", 1)).nextBytes(bytes);
        return bytes;
    }

    @Test
    void everyByteValuePassesUnchanged() {
        byte[] all = new byte[256];
        for (int i = 0; i < all.length; i++) {
            all[i] = (byte) i;
        }
        Channel channel = connect();
        pty.write(all);
        assertThat(recorder.bytes(256)).isEqualTo(all);
        write(channel, buffer(all)).join();
        assertThat(pty.read(256)).isEqualTo(all);
        assertThat(channel.remoteAddress()).isEqualTo(pty.address());
    }

    @Test
    void megabytesPassThroughAFullPort() {
        byte[] bytes = random(1 << 20);
        Channel channel = connect();
        for (int from = 0; from < bytes.length; from += 1 << 16) {
            byte[] part = Arrays.copyOfRange(bytes, from, from + (1 << 16));
            Promise<Void> written = write(channel, buffer(part));
            assertThat(pty.read(part.length)).isEqualTo(part);
            written.join();
        }
        Thread feeder = Thread.ofVirtual().unstarted(() -> pty.write(bytes));
        feeder.start();
        assertThat(recorder.bytes(bytes.length)).isEqualTo(bytes);
    }

    @Test
    void theLineIsSetAtConnectAndLater() {
        Channel channel =
                bootstrap()
                        .option(SerialOption.LINE, SerialLine.DEFAULT.withSpeed(250_000))
                        .connect(pty.address())
                        .join();
        assertThat(get(channel, SerialOption.LINE).speed()).isEqualTo(250_000);
        // A pseudo-terminal has 8 data bits and no parity, whatever is set.
        SerialLine odd = SerialLine.parse("12345,8N2").withFlowControl(FlowControl.RTS_CTS);
        set(channel, SerialOption.LINE, odd);
        assertThat(get(channel, SerialOption.LINE)).isEqualTo(odd);
        SerialLine soft = odd.withFlowControl(FlowControl.XON_XOFF).withStopBits(1);
        set(channel, SerialOption.LINE, soft);
        assertThat(get(channel, SerialOption.LINE)).isEqualTo(soft);
    }

    @Test
    void aHangUpEndsTheChannelWithoutAnError() {
        Channel channel = connect();
        pty.write("last words");
        assertThat(recorder.text(10)).isEqualTo("last words");
        pty.hangUp();
        channel.closeFuture().join();
        assertThat(recorder.events()).containsExactly("active", "inputClosed", "inactive");
    }

    @Test
    void whatIsWrittenAfterAHangUpFails() {
        Channel channel =
                bootstrap()
                        .option(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .connect(pty.address())
                        .join();
        pty.hangUp();
        recorder.await("inputClosed");
        assertThatThrownBy(() -> write(channel, buffer(new byte[1])).join())
                .hasRootCauseInstanceOf(IOException.class);
        channel.closeFuture().join();
    }

    @Test
    void anOrderlyCloseLosesNothingAndDoesNotLinger() {
        byte[] bytes = random(100_000);
        Channel channel =
                bootstrap()
                        .option(ChannelOption.LINGER_TIMEOUT, Duration.ofDays(1))
                        .connect(pty.address())
                        .join();
        Promise<Void> written = write(channel, buffer(bytes));
        channel.close();
        assertThat(pty.read(bytes.length)).isEqualTo(bytes);
        written.join();
        channel.closeFuture().join();
    }

    @Test
    void anAbortEndsAtOnceWithBytesThatNobodyTakes() {
        Channel channel = connect();
        Promise<Void> written = write(channel, buffer(random(500_000)));
        channel.abort();
        channel.closeFuture().join();
        assertThatThrownBy(written::join).hasRootCauseInstanceOf(IOException.class);
    }

    @Test
    void aPortIsOpenedAgainAfterItWasClosed() {
        for (int i = 0; i < 20; i++) {
            Channel channel = connect();
            write(channel, buffer(new byte[] {(byte) i})).join();
            assertThat(pty.read(1)).containsExactly(i);
            channel.close().join();
        }
    }

    @Test
    void aPausedChannelReadsNothingUntilItResumes() {
        Channel channel =
                bootstrap().option(ChannelOption.AUTO_READ, false).connect(pty.address()).join();
        pty.write("abc");
        assertThat(onLoop(channel, recorder::received)).isZero();
        channel.read();
        assertThat(recorder.text(3)).isEqualTo("abc");
        channel.autoRead(true);
        pty.write("de");
        assertThat(recorder.text(2)).isEqualTo("de");
    }

    @Test
    void bytesAreReadTogetherWhereTheTimingSaysSo() {
        Channel channel =
                bootstrap()
                        .option(SerialOption.READ_TIMING, new ReadTiming(4, Duration.ZERO))
                        .connect(pty.address())
                        .join();
        pty.write("ab");
        pty.write("c");
        pty.write("d");
        assertThat(recorder.message()).isEqualTo("abcd");
        pty.write("ef");
        set(channel, SerialOption.READ_TIMING, ReadTiming.untilSilence(Duration.ofMillis(20)));
        assertThat(recorder.text(2)).isEqualTo("ef");
        pty.write("ghi");
        assertThat(recorder.text(3)).isEqualTo("ghi");
    }

    @Test
    void theRestIsReadWhenThePortHangsUp() {
        Channel channel =
                bootstrap()
                        .option(SerialOption.READ_TIMING, new ReadTiming(100, Duration.ZERO))
                        .option(SerialOption.EXCLUSIVE, false)
                        .option(ChannelOption.AUTO_READ, false)
                        .connect(pty.address())
                        .join();
        pty.write("rest");
        pty.awaitInput(4);
        channel.read();
        pty.awaitInput(0); // it is held by the channel now
        assertThat(onLoop(channel, recorder::received)).isZero();
        pty.hangUp();
        channel.closeFuture().join();
        assertThat(recorder.message()).isEqualTo("rest");
    }

    @Test
    void onlyOneChannelHasAnExclusivePort() {
        Channel first = connect();
        assertThatThrownBy(this::connect)
                .hasRootCauseInstanceOf(FileSystemException.class)
                .rootCause()
                .hasMessageContaining("EBUSY");
        first.close().join();
        connect().close().join();
    }

    @Test
    void whatIsNoPortIsNamed() {
        assertThatThrownBy(() -> bootstrap().connect(SerialAddress.of("/dev/ttyNone")).join())
                .hasRootCauseInstanceOf(NoSuchFileException.class)
                .rootCause()
                .hasMessageContaining("/dev/ttyNone");
        assertThatThrownBy(() -> bootstrap().connect(SerialAddress.of("/dev/null")).join())
                .rootCause()
                .hasMessageContaining("expected: a serial port");
        assertThatThrownBy(
                        () ->
                                new ServerBootstrap(group)
                                        .childHandler(_ -> {})
                                        .bind(pty.address())
                                        .join())
                .rootCause()
                .hasMessageContaining("expected: to connect to it");
    }

    @Test
    void modemLinesOfAPseudoTerminalAreRefused() {
        Channel channel = connect();
        assertThatThrownBy(() -> get(channel, SerialOption.MODEM_LINES))
                .rootCause()
                .hasMessageContaining("TIOCMGET")
                .hasMessageContaining("ENOTTY");
        assertThatThrownBy(() -> set(channel, SerialOption.DTR, false))
                .rootCause()
                .hasMessageContaining("TIOCMBIC");
        assertThatThrownBy(() -> set(channel, SerialOption.EXCLUSIVE, false))
                .hasCauseInstanceOf(UnsupportedOperationException.class);
        assertThatThrownBy(() -> get(channel, ChannelOption.SO_RCVBUF))
                .hasCauseInstanceOf(UnsupportedOperationException.class);
        pty.write("x");
        assertThat(recorder.text(1)).isEqualTo("x");
    }

    @Test
    void aBreakLastsAsLongAsItsTime() {
        Channel channel = connect();
        set(channel, SerialOption.BREAK, Duration.ofSeconds(60));
        set(channel, SerialOption.BREAK, Duration.ofMillis(1));
        set(channel, SerialOption.BREAK, Duration.ZERO);
        assertThatThrownBy(() -> set(channel, SerialOption.BREAK, Duration.ofSeconds(61)))
                .hasCauseInstanceOf(IllegalArgumentException.class);
        set(channel, SerialOption.BREAK, Duration.ofSeconds(60));
        channel.close().join();
    }

    @Test
    void nioSaysWhichEnginesHavePorts() {
        try (EventLoopGroup nio = EventLoopGroup.create("nio", 1)) {
            assertThatThrownBy(
                            () -> new Bootstrap(nio).handler(_ -> {}).connect(pty.address()).join())
                    .cause()
                    .isInstanceOf(IOException.class)
                    .hasMessageContaining("expected: io_uring or epoll");
        }
    }
}
