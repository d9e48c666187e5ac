package io.weft.handler.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.Output;
import io.weft.codec.PrematureEndException;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.framing.VarintDecoder;
import io.weft.codec.text.StringDecoder;
import io.weft.engine.Datagram;
import io.weft.loop.Promise;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DatagramCodecTest {
    private static final SocketAddress PEER = InetSocketAddress.createUnresolved("peer", 1);

    /// Stands in for a channel of datagrams.
    private static final class Network implements ChannelHandler {
        private final List<Datagram> sent = new ArrayList<>();
        private @Nullable ChannelHandlerContext context;

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            context = ctx;
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            sent.add((Datagram) message);
            if (promise != null) {
                promise.trySuccess(null);
            }
        }

        void deliver(String text) {
            byte[] bytes = text.getBytes(StandardCharsets.ISO_8859_1);
            Buffer content = BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
            java.util.Objects.requireNonNull(context).fireChannelRead(new Datagram(content, PEER));
        }

        List<String> takeSent() {
            List<String> texts = new ArrayList<>();
            for (Datagram datagram : sent) {
                try (datagram) {
                    byte[] bytes = new byte[datagram.content().readableBytes()];
                    datagram.content().readBytes(bytes);
                    texts.add(
                            new String(bytes, StandardCharsets.UTF_8)
                                    + " to "
                                    + datagram.address());
                }
            }
            sent.clear();
            return texts;
        }
    }

    private final List<RuntimeException> dropped = new ArrayList<>();
    private final Network network = new Network();
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    network,
                    new DatagramDecoderHandler<>(
                            () -> new LineDecoder(10).then(new StringDecoder()), this::drop),
                    new DatagramEncoderHandler<>(String.class, new LineEncoder(), 2000),
                    new DatagramEncoderHandler<>(Integer.class, this::pieces));

    private void drop(@Nullable SocketAddress sender, RuntimeException why) {
        assertThat(sender).isEqualTo(PEER);
        dropped.add(why);
    }

    /// As many pieces of 1,000 bytes, which an output keeps apart.
    private void pieces(Integer count, Output out) {
        for (int i = 0; i < count; i++) {
            out.add(BufferAllocator.pooled().allocate(1000).writeAscii("x".repeat(1000)));
        }
    }

    @AfterEach
    void close() {
        network.takeSent();
        channel.close();
    }

    @Test
    void eachDatagramIsAMessageOfItsSender() {
        network.deliver("one\n");
        network.deliver("two\r\n");
        assertThat(channel.readInbound()).isEqualTo(new Envelope<>("one", PEER));
        assertThat(channel.readInbound()).isEqualTo(new Envelope<>("two", PEER));
        assertThat(dropped).isEmpty();
    }

    @Test
    void lessThanAMessageIsDroppedAndNotKeptForTheNext() {
        network.deliver("on");
        network.deliver("");
        network.deliver("one\n");
        assertThat(channel.readInbound()).isEqualTo(new Envelope<>("one", PEER));
        assertThat(dropped).hasSize(2).allMatch(PrematureEndException.class::isInstance);
    }

    @Test
    void moreThanAMessageIsDropped() {
        network.deliver("one\ntwo\n");
        network.deliver("one\n2");
        assertThat(channel.readInbound()).isNull();
        assertThat(dropped).hasSize(2).allMatch(CorruptedFrameException.class::isInstance);
    }

    @Test
    void whatBreaksTheProtocolHarmsNobodyElse() {
        network.deliver("much too long\n");
        network.deliver("one\n");
        assertThat(dropped).singleElement().isInstanceOf(LimitExceededException.class);
        assertThat(channel.readInbound()).isEqualTo(new Envelope<>("one", PEER));
        assertThat(channel.isClosed()).isFalse();
    }

    @Test
    void buffersOfDroppedMessagesAreReleased() {
        Network other = new Network();
        try (EmbeddedChannel frames =
                new EmbeddedChannel(
                        other,
                        new DatagramDecoderHandler<>(() -> new VarintDecoder(9), this::drop))) {
            other.deliver("\1a\1b");
            other.deliver("\1a\1");
            other.deliver("\2ab");
            assertThat(dropped).hasSize(2);
            Object message = frames.readInbound();
            assertThat(message).isInstanceOf(Envelope.class);
            ((Buffer) ((Envelope<?>) message).message()).release();
            assertThat(frames.readInbound()).isNull();
        }
    }

    @Test
    void messagesBecomeDatagrams() {
        channel.channel().writeAndFlush(new Envelope<>("to one", PEER));
        channel.channel().writeAndFlush("to the peer");
        assertThat(network.takeSent())
                .containsExactly("to one\r\n to " + PEER, "to the peer\r\n to null");
    }

    @Test
    void piecesGoInOneDatagramAndNothingIsAnEmptyOne() {
        channel.channel().writeAndFlush(3);
        channel.channel().writeAndFlush(0);
        assertThat(network.takeSent()).containsExactly("x".repeat(3000) + " to null", " to null");
    }

    @Test
    void whatDoesNotFitIsNotSent() {
        Promise<Void> promise = channel.channel().newPromise();
        channel.channel().writeAndFlush("x".repeat(1999), promise);
        assertThat(promise.cause())
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("2001");
        assertThat(network.takeSent()).isEmpty();
    }

    @Test
    void aDecoderWithADefectLosesItsDatagramAndNoMore() {
        Network other = new Network();
        List<Throwable> told = new ArrayList<>();
        try (EmbeddedChannel broken =
                new EmbeddedChannel(
                        other,
                        new DatagramDecoderHandler<>(
                                () ->
                                        new LineDecoder(10)
                                                .then(new StringDecoder())
                                                .then((text, out) -> out.accept(text.charAt(2))),
                                (_, why) -> told.add(why)))) {
            other.deliver("12\n");
            other.deliver("123\n");
            assertThat(broken.readInbound()).isEqualTo(new Envelope<>('3', PEER));
            assertThat(told).singleElement().isInstanceOf(IndexOutOfBoundsException.class);
            assertThat(broken.isClosed()).isFalse();
        }
    }
}
