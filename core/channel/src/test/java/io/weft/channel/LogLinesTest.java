package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.engine.ChannelOptions;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.testkit.LogCapture;
import io.weft.testkit.Warns;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Lines of the log name handlers and channels.
@Warns
class LogLinesTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final LogCapture log = new LogCapture("io.weft.channel");

    @AfterEach
    void close() {
        log.close();
    }

    private static Channel channel(ChannelInitializer initializer) {
        Channel channel =
                new Channel(
                        new EventLoop(new EmbeddedEngine(), new ManualClock()),
                        ChannelOptions.DEFAULT);
        channel.life().attach(new EmbeddedPeer().handle(new StreamSide(channel)));
        var _ = channel.life().activate(initializer);
        return channel;
    }

    private static final class Bystander implements ChannelHandler {}

    @Test
    void unreadMessageIsWarnedOfOnceForItsTypeAndHandlers() {
        // Once in the life of the JVM, in which this test may run again.
        String name = "bystander" + NAMES.incrementAndGet();
        for (int i = 0; i < 2; i++) {
            Channel channel = channel(ch -> ch.pipeline().addLast(name, new Bystander()));
            channel.pipeline().fireRead("unread");
            channel.pipeline().fireRead("unread too");
            channel.abort();
        }
        assertThat(log.warnings()).hasSize(1);
        assertThat(log.fine()).hasSize(1);
        assertThat(log.warnings().getFirst())
                .contains("java.lang.String", "[" + name + "]", "Channel[ACTIVE");
    }

    @Test
    void exceptionThatNobodyHandledNamesItsHandler() {
        Channel channel =
                channel(
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                "thrower",
                                                new ChannelHandler() {
                                                    @Override
                                                    public void channelRead(
                                                            ChannelHandlerContext ctx,
                                                            Object message) {
                                                        throw new IllegalStateException("no");
                                                    }
                                                })
                                        .addLast(new Bystander()));
        channel.pipeline().fireRead("message");
        assertThat(log.warnings()).hasSize(1);
        assertThat(log.warnings().getFirst())
                .contains("handler thrower threw", "[thrower, Bystander]", "Channel[ACTIVE");
    }

    @Test
    void exceptionOfAnInitializerNamesItsChannel() {
        Channel channel =
                channel(
                        _ -> {
                            throw new IllegalStateException("no");
                        });
        assertThat(channel.isOpen()).isFalse();
        assertThat(log.warnings().getFirst()).contains("initChannel", "Channel[ACTIVE");
    }
}
