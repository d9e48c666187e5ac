package io.weft.handler.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.MessageDecoder;
import io.weft.codec.MessageEncoder;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.text.StringDecoder;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Datagram;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import org.junit.jupiter.api.Test;

/// Batches that do not make a message, and events that come while one travels.
class DemandTest {
    private static final ChannelOptions MANUAL =
            ChannelOptions.DEFAULT
                    .with(ChannelOption.AUTO_READ, false)
                    .with(ChannelOption.ALLOW_HALF_CLOSURE, true);

    private final List<Object> events = new ArrayList<>();

    private static EmbeddedChannel manual(ChannelHandler... handlers) {
        return new EmbeddedChannel(MANUAL, ch -> List.of(handlers).forEach(ch.pipeline()::addLast));
    }

    private static DecoderHandler<String> lines() {
        return new DecoderHandler<>(new LineDecoder(80).then(new StringDecoder()));
    }

    /// Hears everything, and does `then` with each message.
    private ChannelHandler hearing(Consumer<Object> then) {
        return new ChannelHandler() {
            @Override
            public void channelRead(ChannelHandlerContext ctx, Object message) {
                if (message instanceof Buffer bytes) {
                    events.add("bytes " + bytes.readString(StandardCharsets.US_ASCII));
                    bytes.release();
                } else {
                    events.add(message);
                }
                then.accept(message);
            }

            @Override
            public void channelReadComplete(ChannelHandlerContext ctx) {
                events.add("complete");
            }

            @Override
            public void channelInputClosed(ChannelHandlerContext ctx) {
                events.add("input closed");
            }

            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                events.add(cause.getClass().getSimpleName());
            }
        };
    }

    @Test
    void aReadAsksForAMessageHoweverManyBatchesItTakes() {
        try (EmbeddedChannel channel = manual(lines())) {
            channel.channel().read();
            channel.receive("o").receive("n").receive("e\n").receive("two\n");
            assertThat(channel.readInbound()).isEqualTo("one");
            assertThat(channel.readInbound()).isNull();
            channel.channel().read();
            assertThat(channel.readInbound()).isEqualTo("two");
        }
    }

    @Test
    void aReadFromInsideAMessageAsksForAMessageToo() {
        EmbeddedChannel[] self = new EmbeddedChannel[1];
        try (EmbeddedChannel channel = manual(lines(), hearing(_ -> self[0].channel().read()))) {
            self[0] = channel;
            channel.receive("one\n").receive("tw").receive("o\nth").receive("ree\n");
            channel.channel().read();
            assertThat(events).contains("one", "two", "three");
        }
    }

    @Test
    void aBatchThatAMessageDecoderKeepsIsFollowedByTheNext() {
        MessageDecoder<String, String> pairs =
                new MessageDecoder<>() {
                    private String first = "";

                    @Override
                    public void decode(String in, Consumer<? super String> out) {
                        if (first.isEmpty()) {
                            first = in;
                        } else {
                            out.accept(first + in);
                            first = "";
                        }
                    }
                };
        try (EmbeddedChannel channel =
                manual(lines(), new MessageDecoderHandler<>(String.class, pairs))) {
            channel.channel().read();
            channel.receive("a\n").receive("b\n").receive("c\n");
            assertThat(channel.readInbound()).isEqualTo("ab");
            channel.channel().read();
            channel.receive("d\n");
            assertThat(channel.readInbound()).isEqualTo("cd");
        }
    }

    @Test
    void aDatagramThatIsDroppedIsFollowedByTheNext() {
        int[] asked = new int[1];
        ChannelHandlerContext[] network = new ChannelHandlerContext[1];
        ChannelHandler below =
                new ChannelHandler() {
                    @Override
                    public void handlerAdded(ChannelHandlerContext ctx) {
                        network[0] = ctx;
                    }

                    @Override
                    public void read(ChannelHandlerContext ctx) {
                        asked[0]++;
                    }
                };
        try (EmbeddedChannel channel =
                manual(
                        below,
                        new DatagramDecoderHandler<>(() -> new LineDecoder(9), (_, _) -> {}))) {
            for (String text : List.of("cut", "ok\n")) {
                Buffer content = BufferAllocator.pooled().allocate(9).writeAscii(text);
                network[0].fireChannelRead(new Datagram(content, null));
                network[0].fireChannelReadComplete();
            }
            assertThat(asked[0]).isEqualTo(1);
            Object message = Objects.requireNonNull(channel.readInbound());
            ((Buffer) ((Envelope<?>) message).message()).release();
        }
    }

    @Test
    void theEndOfTheInputComesBehindTheMessagesBeforeIt() {
        EmbeddedChannel[] self = new EmbeddedChannel[1];
        ChannelHandler hearing =
                hearing(
                        message -> {
                            if (message.equals("one")) {
                                self[0].receive("three\nfo").receiveEnd();
                            }
                        });
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        MANUAL.with(ChannelOption.AUTO_READ, true),
                        ch -> ch.pipeline().addLast(lines()).addLast(hearing))) {
            self[0] = channel;
            channel.receive("one\ntwo\n");
            assertThat(events)
                    .filteredOn(e -> !e.equals("complete"))
                    .containsExactly(
                            "one", "two", "three", "PrematureEndException", "input closed");
        }
    }

    @Test
    void whatARemovedDecoderPassesOnIsABatch() {
        DecoderHandler<String> decoder = lines();
        try (EmbeddedChannel channel = new EmbeddedChannel(decoder, hearing(_ -> {}))) {
            channel.receive("half");
            channel.pipeline().remove(decoder);
            channel.receive("!");
            assertThat(events)
                    .containsExactly("complete", "bytes half", "complete", "bytes !", "complete");
        }
    }

    @Test
    void aMessageDecoderThatFailedTakesNothingMore() {
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        new DecoderHandler<>(new LineDecoder(9)),
                        new MessageDecoderHandler<>(Buffer.class, new StringDecoder()),
                        hearing(_ -> {}))) {
            Buffer bytes = BufferAllocator.pooled().allocate(9);
            channel.receive(bytes.writeAscii("a\n").writeByte(0xFF).writeAscii("\nb\n"));
            channel.receive("c\n");
            assertThat(events)
                    .filteredOn(e -> !e.equals("complete"))
                    .containsExactly("a", CorruptedFrameException.class.getSimpleName());
        }
    }

    @Test
    void whatAnEncoderMadeBeforeItThrewIsReleased() {
        MessageEncoder<String, Buffer> half =
                (_, out) -> {
                    out.accept(BufferAllocator.pooled().allocate(1).writeByte(1));
                    throw new IllegalArgumentException("half");
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        new MessageEncoderHandler<>(String.class, half), hearing(_ -> {}))) {
            channel.channel().writeAndFlush("x");
            assertThat(events).containsExactly("IllegalArgumentException");
            assertThat(channel.takeOutbound()).isEmpty();
        }
    }
}
