package io.weft.handler.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.AllocationTap;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.buffer.MemoryLimitException;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.Detection;
import io.weft.codec.Encoder;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.text.StringDecoder;
import io.weft.loop.Promise;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// No memory for received bytes, and an application that goes on all the same.
class ScarceMemoryTest {
    private final List<Throwable> caught = new ArrayList<>();

    private final class Catching implements ChannelHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            caught.add(cause);
        }
    }

    @AfterEach
    void memoryIsBack() {
        AllocationTap.set(null);
    }

    /// Bytes that come in while no memory is left.
    private static void receiveWithoutMemory(EmbeddedChannel channel, String text) {
        Buffer bytes = BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
        AllocationTap.set(
                capacity -> {
                    throw AllocationTap.refusal(capacity);
                });
        channel.receive(bytes);
        AllocationTap.set(null);
    }

    private static DecoderHandler<String> lines() {
        return new DecoderHandler<>(new LineDecoder(80).then(new StringDecoder()));
    }

    @Test
    void nothingIsDecodedBehindMissingBytes() {
        try (EmbeddedChannel channel = new EmbeddedChannel(lines(), new Catching())) {
            channel.receive("one\ntw");
            receiveWithoutMemory(channel, "o\nthr");
            channel.receive("ee\nfour\n").receiveEnd();
            assertThat(channel.readInbound()).isEqualTo("one");
            assertThat(channel.readInbound()).isNull();
            assertThat(caught).singleElement().isInstanceOf(MemoryLimitException.class);
        }
    }

    @Test
    void nothingIsDecodedBehindBytesThatGoMissingWhileAMessageTravels() {
        try (EmbeddedChannel channel = new EmbeddedChannel(lines(), new Catching())) {
            channel.pipeline()
                    .addLast(
                            new ChannelHandler() {
                                @Override
                                public void channelRead(ChannelHandlerContext ctx, Object message) {
                                    ctx.fireChannelRead(message);
                                    if (message.equals("one")) {
                                        channel.receive("thr");
                                        receiveWithoutMemory(channel, "ee\nfo");
                                    }
                                }
                            });
            channel.receive("one\ntwo\n").receive("ur\n");
            assertThat(channel.readInbound()).isEqualTo("one");
            assertThat(channel.readInbound()).isEqualTo("two");
            assertThat(channel.readInbound()).isNull();
            assertThat(caught).singleElement().isInstanceOf(MemoryLimitException.class);
        }
    }

    @Test
    void datagramThatFindsNoMemoryLeaksNothing() {
        Encoder<String> twoBuffers =
                (text, out) -> {
                    for (int i = 0; i < 2; i++) {
                        Buffer bytes = BufferAllocator.pooled().allocate(text.length());
                        out.add(bytes.writeAscii(text));
                    }
                    AllocationTap.set(
                            capacity -> {
                                throw AllocationTap.refusal(capacity);
                            });
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        new DatagramEncoderHandler<>(String.class, twoBuffers), new Catching())) {
            Promise<Void> sent = channel.channel().newPromise();
            channel.channel().writeAndFlush("x".repeat(2000), sent);
            AllocationTap.set(null);
            assertThat(sent.cause()).isInstanceOf(MemoryLimitException.class);
            assertThat(Ledger.takeOpen()).isEmpty();
        }
    }

    /// Takes all as text, but for the first bytes, behind which `more` comes.
    private EmbeddedChannel detecting(Runnable more, List<String> got) {
        ChannelHandler taking =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        try (Buffer bytes = (Buffer) message) {
                            got.add(bytes.readString(StandardCharsets.US_ASCII));
                        }
                        if (got.size() == 1) {
                            more.run();
                        }
                    }
                };
        return new EmbeddedChannel(
                new DetectionHandler<String>(
                        in -> in.readableBytes() < 3 ? Detection.needsMore() : Detection.found(""),
                        (_, _) -> {}),
                taking,
                new Catching());
    }

    @Test
    void noProtocolIsFoundBehindMissingBytes() {
        List<String> got = new ArrayList<>();
        try (EmbeddedChannel channel = detecting(() -> {}, got)) {
            Promise<Void> early = channel.channel().newPromise();
            channel.channel().write("early", early);
            channel.receive("a");
            receiveWithoutMemory(channel, "b");
            channel.receive("cde");
            assertThat(got).isEmpty();
            assertThat(caught).singleElement().isInstanceOf(MemoryLimitException.class);
            assertThat(early.cause()).isInstanceOf(MemoryLimitException.class);
        }
    }

    @Test
    void nothingPassesBehindBytesThatGoMissingWhileTheFirstTravel() {
        List<String> got = new ArrayList<>();
        EmbeddedChannel[] channel = new EmbeddedChannel[1];
        Runnable more =
                () -> {
                    channel[0].receive("d");
                    receiveWithoutMemory(channel[0], "e");
                };
        channel[0] = detecting(more, got);
        try (EmbeddedChannel closing = channel[0]) {
            closing.receive("abc").receive("f");
            assertThat(got).containsExactly("abc");
            assertThat(caught).singleElement().isInstanceOf(MemoryLimitException.class);
        }
    }
}
