package io.weft.handler.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.channel.HeldWrites;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Detection;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.text.StringDecoder;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.loop.Promise;
import java.net.SocketTimeoutException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class DetectionHandlerTest {
    private enum Protocol {
        LINES,
        RAW
    }

    private final List<Throwable> caught = new ArrayList<>();
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    new DetectionHandler<Protocol>(
                            DetectionHandlerTest::detect,
                            DetectionHandlerTest::add,
                            8,
                            Duration.ofSeconds(3)),
                    catching());

    private ChannelHandler catching() {
        return new ChannelHandler() {
            @Override
            public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                caught.add(cause);
            }
        };
    }

    /// `L:` or `R:`, taken by a detector that should only look.
    private static Detection<Protocol> detect(Buffer bytes) {
        if (bytes.readableBytes() < 2) {
            return Detection.needsMore();
        }
        return switch (bytes.readUnsignedByte()) {
            case 'L' -> Detection.found(Protocol.LINES);
            case 'R' -> Detection.found(Protocol.RAW);
            case '?' -> Detection.needsMore();
            default -> Detection.unknown();
        };
    }

    private static void add(ChannelHandlerContext ctx, Protocol protocol) {
        if (protocol == Protocol.LINES) {
            ctx.pipeline()
                    .addAfter(
                            ctx.handler(),
                            "lines",
                            new DecoderHandler<>(new LineDecoder(80).then(new StringDecoder())));
        }
    }

    @AfterEach
    void close() {
        channel.close();
    }

    @Test
    void theFirstBytesChooseAndNoneIsLost() {
        channel.receive("L").receive(":one\ntw");
        assertThat(channel.readInbound()).isEqualTo("L:one");
        channel.receive("o\n");
        assertThat(channel.readInbound()).isEqualTo("two");
        assertThat(channel.pipeline().get(DetectionHandler.class)).isNull();
        channel.advance(Duration.ofMinutes(1));
        assertThat(channel.isClosed()).isFalse();
        assertThat(caught).isEmpty();
    }

    /// A handler behind asks for more, and an engine or a handler before it answers at once.
    @Test
    void inputThatComesWhileTheFirstBytesTravelStaysBehindThem() {
        List<String> events = new ArrayList<>();
        ChannelHandler nested =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        if (events.isEmpty()) {
                            channel.receive("second");
                        }
                        try (Buffer bytes = (Buffer) message) {
                            events.add(bytes.readString(StandardCharsets.US_ASCII));
                        }
                        ctx.fireChannelReadComplete();
                    }

                    @Override
                    public void channelReadComplete(ChannelHandlerContext ctx) {
                        if (events.size() == 2) {
                            events.add("complete");
                            channel.receive("third");
                        }
                    }

                    @Override
                    public void channelInputClosed(ChannelHandlerContext ctx) {
                        events.add("end");
                    }
                };
        channel.pipeline().addLast("nested", nested);
        channel.receive("R:first").receiveEnd();
        assertThat(events).containsExactly("R:first", "second", "complete", "third", "end");
    }

    private static final class Framed implements ChannelHandler {
        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            ctx.write(ascii("<"));
            ctx.write(message);
            ctx.write(ascii(">"), promise);
        }
    }

    private static Buffer ascii(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    @Test
    void writesBeforeTheProtocolIsFoundGoThroughItsHandlers() {
        try (EmbeddedChannel early =
                new EmbeddedChannel(
                        new DetectionHandler<Protocol>(
                                DetectionHandlerTest::detect,
                                (ctx, _) ->
                                        ctx.pipeline()
                                                .addAfter(ctx.handler(), "framed", new Framed())),
                        catching())) {
            Promise<Void> sent = early.channel().newPromise();
            early.channel().writeAndFlush(ascii("early"), sent);
            assertThat(early.takeOutboundText()).isEmpty();
            early.receive("R:");
            assertThat(early.takeOutboundText()).isEqualTo("<early>");
            assertThat(sent.isSuccess()).isTrue();
            early.channel().writeAndFlush(ascii("late"));
            assertThat(early.takeOutboundText()).isEqualTo("<late>");
            ((Buffer) Objects.requireNonNull(early.readInbound())).release();
        }
    }

    @Test
    void writesWaitInBoundsAndFailWithTheDetection() {
        Promise<Void> first = channel.channel().newPromise();
        channel.channel().write(ascii("x"), first);
        for (int i = 1; i < HeldWrites.MAX_MESSAGES; i++) {
            channel.channel().write(ascii("x"));
        }
        Promise<Void> more = channel.channel().newPromise();
        channel.channel().write(ascii("x"), more);
        assertThat(more.cause()).isInstanceOf(IllegalStateException.class);
        channel.receive("X:");
        assertThat(first.cause()).isInstanceOf(CorruptedFrameException.class);
    }

    @Test
    void withoutHandlersOfItsOwnAProtocolGoesToThoseThatAreThere() {
        channel.receive("R:x");
        try (Buffer raw = (Buffer) channel.readInbound()) {
            assertThat(raw).isNotNull();
            assertThat(raw.readableBytes()).isEqualTo(3);
        }
    }

    @Test
    void whatIsNoneOfThemIsAnErrorAndTheRestIgnored() {
        channel.receive("X:").receive("L:one\n");
        assertThat(caught).singleElement().isInstanceOf(CorruptedFrameException.class);
        assertThat(channel.readInbound()).isNull();
    }

    @Test
    void bytesAreLimited() {
        channel.receive("???????");
        assertThat(caught).isEmpty();
        channel.receive("?");
        assertThat(caught).singleElement().isInstanceOf(LimitExceededException.class);
    }

    @Test
    void timeMayBeMoreNanosecondsThanFitInALong() {
        DetectionHandler<Protocol> patient =
                new DetectionHandler<>(
                        DetectionHandlerTest::detect,
                        DetectionHandlerTest::add,
                        8,
                        Duration.ofSeconds(Long.MAX_VALUE));
        try (EmbeddedChannel embedded = new EmbeddedChannel(patient, catching())) {
            embedded.receive("?");
            assertThat(caught).isEmpty();
            assertThat(embedded.isClosed()).isFalse();
        }
    }

    @Test
    void timeIsLimited() {
        channel.receive("?");
        channel.advance(Duration.ofSeconds(3));
        assertThat(caught).singleElement().isInstanceOf(SocketTimeoutException.class);
        assertThat(channel.isClosed()).isTrue();
    }

    @Test
    void anEndAmongTheFirstBytesIsAnError() {
        channel.receive("?").receiveEnd();
        assertThat(caught).singleElement().isInstanceOf(PrematureEndException.class);
    }

    @Test
    void anEndBeforeThemIsNone() {
        channel.receiveEnd();
        assertThat(caught).isEmpty();
        assertThat(channel.isClosed()).isTrue();
    }

    @Test
    void endBeforeTheFirstBytesFailsEarlyWritesOfAHalfClosedChannel() {
        DetectionHandler<Protocol> detection =
                new DetectionHandler<>(DetectionHandlerTest::detect, DetectionHandlerTest::add);
        try (EmbeddedChannel half =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true),
                        ch -> ch.pipeline().addLast(detection).addLast(catching()))) {
            Promise<Void> early = half.channel().newPromise();
            half.channel().writeAndFlush(ascii("early"), early);
            half.receiveEnd();
            assertThat(early.cause()).isInstanceOf(PrematureEndException.class);
            assertThat(caught).containsExactly(early.cause());
            assertThat(half.takeOutboundText()).isEmpty();
        }
    }

    @Test
    void whatCameBeforeAnotherHandlerChoseIsNotLost() {
        channel.receive("?");
        channel.pipeline().remove(DetectionHandler.class);
        try (Buffer raw = (Buffer) channel.readInbound()) {
            assertThat(raw).isNotNull();
            assertThat(raw.readableBytes()).isEqualTo(1);
        }
        assertThat(caught).isEmpty();
    }

    @Test
    void aProtocolWhoseHandlersCannotBeAddedIsNotServed() {
        try (EmbeddedChannel broken =
                new EmbeddedChannel(
                        new DetectionHandler<>(
                                _ -> Detection.found("x"),
                                (_, protocol) -> {
                                    throw new IllegalStateException(protocol);
                                }),
                        catching())) {
            broken.receive("L:").receive("one");
            assertThat(caught).singleElement().isInstanceOf(IllegalStateException.class);
            assertThat(broken.readInbound()).isNull();
        }
    }
}
