package io.weft.transport.serial;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.Bootstrap;
import io.weft.channel.Channel;
import io.weft.engine.ChannelOption;
import io.weft.eventloop.EventLoopGroup;
import io.weft.loop.Promise;
import java.io.IOException;
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

/// Adapters that are unplugged while bytes are on their way, and settings that come too late.
@EnabledOnOs(OS.LINUX)
@ParameterizedClass(name = "{0}")
@ValueSource(strings = {"io_uring", "epoll"})
@Timeout(300)
class UnplugTest {
    private final EventLoopGroup group;
    private final Pty pty = new Pty();
    private final PortRecorder recorder = new PortRecorder();

    UnplugTest(String transport) {
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
    void unplugAmidAWriteFailsItOnce() {
        for (int i = 0; i < 20; i++) {
            try (Pty port = new Pty()) {
                PortRecorder heard = new PortRecorder();
                Channel channel =
                        new Bootstrap(group)
                                .handler(ch -> ch.pipeline().addLast(heard))
                                .connect(port.address())
                                .join();
                Promise<Void> written = write(channel, buffer(random(1 << 20)));
                byte[] _ = port.read(1 + i * 1000);
                port.hangUp();
                assertThatThrownBy(written::join).hasRootCauseInstanceOf(IOException.class);
                channel.closeFuture().join();
            }
        }
    }

    @Test
    void unplugAmidAnOrderlyCloseEndsIt() {
        Channel channel = connect();
        write(channel, buffer(random(3_000))).join();
        var closing = channel.close();
        byte[] _ = pty.read(100);
        pty.hangUp();
        closing.join();
        channel.closeFuture().join();
    }

    @Test
    void settingsAfterAnUnplugFailAlone() {
        Channel channel = connect();
        set(channel, SerialOption.READ_TIMING, ReadTiming.AT_ONCE);
        pty.hangUp();
        assertThatThrownBy(
                        () -> {
                            for (; ; ) {
                                set(channel, SerialOption.LINE, SerialLine.parse("9600,7E1"));
                            }
                        })
                .hasRootCauseInstanceOf(IOException.class);
        channel.closeFuture().join();
    }

    @Test
    void linesChangeWhileBytesPass() {
        Channel channel = connect();
        byte[] bytes = random(200_000);
        Promise<Void> written = write(channel, buffer(bytes));
        byte[] heard = new byte[0];
        int[] speeds = {9600, 115_200, 31_250, 4_000_000};
        for (int i = 0; heard.length < bytes.length; i++) {
            set(channel, SerialOption.LINE, SerialLine.parse(speeds[i % 4] + ",8N1"));
            byte[] more = pty.read(Math.min(10_000, bytes.length - heard.length));
            int length = heard.length;
            heard = Arrays.copyOf(heard, length + more.length);
            System.arraycopy(more, 0, heard, length, more.length);
        }
        written.join();
        assertThat(heard).isEqualTo(bytes);
    }
}
