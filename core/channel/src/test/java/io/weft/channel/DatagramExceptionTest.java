package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.testkit.LogCapture;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Exceptions that no handler of a datagram channel handles: any sender may cause one.
@Warns
class DatagramExceptionTest {
    private static final AtomicInteger NAMES = new AtomicInteger();

    private final LogCapture log = new LogCapture("io.weft.channel");
    private final EventLoop loop = new EventLoop(new EmbeddedEngine(), new ManualClock());

    // Warned of once in the life of the JVM, in which this test may run again.
    private final String name = "picky" + NAMES.incrementAndGet();
    private final List<String> taken = new ArrayList<>();

    @AfterEach
    void close() {
        log.close();
    }

    /// Takes each text but those that begin with `x`.
    private final class Picky implements MessageHandler<Datagram> {
        @Override
        public Class<Datagram> messageType() {
            return Datagram.class;
        }

        @Override
        public void messageRead(ChannelHandlerContext ctx, Datagram datagram) throws IOException {
            String text = datagram.content().readString(StandardCharsets.UTF_8);
            switch (text) {
                case "x" -> throw new IllegalArgumentException("x");
                case "xio" -> throw new IOException("of the handler");
                case "xfire" -> ctx.fireExceptionCaught(new IllegalStateException("fired"));
                default -> taken.add(text);
            }
        }
    }

    private Channel open(ChannelInitializer initializer) {
        Channel channel = new Channel(loop, ChannelOptions.DEFAULT);
        channel.life().attach(new QuietSocket());
        var _ = channel.life().activate(initializer);
        return channel;
    }

    private static void receive(Channel channel, String text) {
        Buffer content = BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
        var sender = new InetSocketAddress(InetAddress.getLoopbackAddress(), 1);
        new DatagramSide(channel).received(new Datagram(content, sender));
    }

    private static void end(Channel channel) {
        channel.abort();
        new DatagramSide(channel).closed();
    }

    @Test
    void datagramWhoseHandlerThrowsIsLostAlone() {
        Channel channel = open(ch -> ch.pipeline().addLast(name, new Picky()));
        for (String text : List.of("a", "x", "b", "xio", "c", "xfire", "d")) {
            receive(channel, text);
        }
        assertThat(channel.isActive()).isTrue();
        assertThat(taken).containsExactly("a", "b", "c", "d");
        assertThat(log.warnings()).hasSize(3);
        assertThat(log.warnings().getFirst())
                .contains("handler " + name + " threw", "[" + name + "]", "goes on");
        end(channel);
    }

    @Test
    void manyExceptionsOfAKindAreFewWarnings() {
        Channel channel = open(ch -> ch.pipeline().addLast(name, new Picky()));
        for (int i = 0; i < 1000; i++) {
            receive(channel, "x");
        }
        assertThat(log.warnings()).hasSize(10).last().asString().contains("512 times");
        assertThat(log.fine()).hasSize(990);
        end(channel);
    }

    @Test
    void handlerThatCannotBeAddedClosesTheChannel() {
        Channel channel =
                open(
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new ChannelHandler() {
                                                    @Override
                                                    public void handlerAdded(
                                                            ChannelHandlerContext ctx) {
                                                        throw new IllegalStateException("no");
                                                    }
                                                }));
        assertThat(channel.isOpen()).isFalse();
        end(channel);
    }
}
