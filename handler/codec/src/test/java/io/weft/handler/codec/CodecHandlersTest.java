package io.weft.handler.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.channel.InputBoundary;
import io.weft.codec.DecoderException;
import io.weft.codec.LimitExceededException;
import io.weft.codec.MessageDecoder;
import io.weft.codec.MessageEncoder;
import io.weft.codec.Output;
import io.weft.codec.PrematureEndException;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.text.StringDecoder;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class CodecHandlersTest {
    private final List<Throwable> caught = new ArrayList<>();
    private final DecoderHandler<Buffer> lines = new DecoderHandler<>(new LineDecoder(10));
    private final EmbeddedChannel channel =
            new EmbeddedChannel(
                    lines,
                    new MessageDecoderHandler<>(Buffer.class, new StringDecoder()),
                    new EncoderHandler<>(String.class, new LineEncoder()),
                    new MessageEncoderHandler<>(Integer.class, new Countdown()),
                    new Catching());

    /// A number becomes that many lines.
    private static final class Countdown implements MessageEncoder<Integer, String> {
        @Override
        public void encode(Integer from, java.util.function.Consumer<? super String> out) {
            for (int i = from; i > 0; i--) {
                out.accept(String.valueOf(i));
            }
        }
    }

    private final class Catching implements ChannelHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            caught.add(cause);
        }
    }

    @AfterEach
    void close() {
        channel.close();
    }

    @Test
    void bytesBecomeMessagesHoweverTheyArrive() {
        channel.receive("on").receive("e\ntwo\r\nthr").receive("ee\n");
        assertThat(channel.readInbound()).isEqualTo("one");
        assertThat(channel.readInbound()).isEqualTo("two");
        assertThat(channel.readInbound()).isEqualTo("three");
        assertThat(channel.readInbound()).isNull();
    }

    @Test
    void messagesBecomeBytesAndThePromiseIsForTheLastOfThem() {
        Promise<Void> promise = channel.channel().newPromise();
        channel.limitWindow(4);
        channel.channel().writeAndFlush(2, promise);
        assertThat(channel.takeOutboundText()).isEqualTo("2\r\n1");
        assertThat(promise.isDone()).isFalse();
        channel.openWindow(10);
        assertThat(promise.isSuccess()).isTrue();
    }

    @Test
    void nothingToEncodeIsASuccess() {
        Promise<Void> promise = channel.channel().newPromise();
        channel.channel().writeAndFlush(0, promise);
        assertThat(promise.isSuccess()).isTrue();
    }

    @Test
    void aMessageThatCannotBeEncodedWritesNothing() {
        Promise<Void> promise = channel.channel().newPromise();
        channel.channel().writeAndFlush("forged\r\nline", promise);
        assertThat(promise.cause()).isInstanceOf(IllegalArgumentException.class);
        assertThat(caught).containsExactly(promise.cause());
        assertThat(channel.takeOutbound()).isEmpty();
    }

    @Test
    void whatBreaksTheProtocolIsCaughtAndTheRestIgnored() {
        channel.receive("ok\nmuch too long\nmore\n").receive("more\n");
        assertThat(channel.readInbound()).isEqualTo("ok");
        assertThat(channel.readInbound()).isNull();
        assertThat(caught).singleElement().isInstanceOf(LimitExceededException.class);
    }

    @Test
    void whatNobodyCatchesClosesTheChannel() {
        try (EmbeddedChannel bare = new EmbeddedChannel(new DecoderHandler<>(new LineDecoder(3)))) {
            bare.receive("too long");
            assertThat(bare.isClosed()).isTrue();
        }
    }

    @Test
    void inputThatEndsInsideAMessageIsAnError() {
        channel.receive("ab").receiveEnd();
        assertThat(caught).singleElement().isInstanceOf(PrematureEndException.class);
    }

    @Test
    void removedInsideAMessageItPassesTheRestOn() {
        channel.pipeline()
                .addLast(
                        new ChannelHandler() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                if (message.equals("upgrade")) {
                                    ctx.pipeline().remove(lines);
                                }
                                ctx.fireChannelRead(message);
                            }
                        });
        channel.receive("one\nupgrade\nr\na\nw").receive("!");
        assertThat(channel.readInbound()).isEqualTo("one");
        assertThat(channel.readInbound()).isEqualTo("upgrade");
        assertThat(channel.readInbound()).isEqualTo("r\na\nw");
        assertThat(channel.readInbound()).isEqualTo("!");
    }

    /// Does something within the delivery of that line, when it has been passed on.
    private void behind(String line, Runnable action) {
        channel.pipeline()
                .addLast(
                        new ChannelHandler() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                ctx.fireChannelRead(message);
                                if (message.equals(line)) {
                                    action.run();
                                }
                            }
                        });
    }

    @Test
    void bytesThatArriveWhileAMessageTravelsComeBehindIt() {
        behind("one", () -> channel.receive("three\nfo"));
        channel.receive("one\ntwo\n").receive("ur\n");
        assertThat(channel.readInbound()).isEqualTo("one");
        assertThat(channel.readInbound()).isEqualTo("two");
        assertThat(channel.readInbound()).isEqualTo("three");
        assertThat(channel.readInbound()).isEqualTo("four");
    }

    @Test
    void closingReleasesHalfAMessage() {
        channel.receive("half");
        channel.close();
        assertThat(channel.readInbound()).isNull();
    }

    /// As a TLS handler that is added in front when that line comes.
    private void boundaryAt(String line) {
        behind(line, this::boundary);
    }

    private void boundary() {
        channel.pipeline().fireUserEventTriggered(InputBoundary.PROTECTED);
    }

    @Test
    void commandsBehindTheOneThatStartsTlsAreNotTakenAsProtected() {
        boundaryAt("STARTTLS");
        channel.receive("STARTTLS\nMAIL\n").receive("RCPT\n");
        assertThat(channel.readInbound()).isEqualTo("STARTTLS");
        assertThat(channel.readInbound()).isNull();
        assertThat(caught)
                .singleElement()
                .isInstanceOf(DecoderException.class)
                .hasToString(
                        "io.weft.codec.DecoderException: bytes in front of a boundary of the input: 5"
                                + " (expected: none)");
    }

    @Test
    void norIsHalfOfOneCompletedByProtectedBytes() {
        channel.receive("MA");
        boundary();
        channel.receive("IL\n").receiveEnd();
        assertThat(channel.readInbound()).isNull();
        assertThat(caught).singleElement().isInstanceOf(DecoderException.class);
    }

    @Test
    void whatComesBehindABoundaryIsDecodedOn() {
        boundaryAt("STARTTLS");
        channel.receive("EHLO\nSTARTTLS\n").receive("MA").receive("IL\n");
        assertThat(channel.readInbound()).isEqualTo("EHLO");
        assertThat(channel.readInbound()).isEqualTo("STARTTLS");
        assertThat(channel.readInbound()).isEqualTo("MAIL");
        assertThat(caught).isEmpty();
    }

    @Test
    void aMessageWrittenFromWritabilityDoesNotLandInsideAFrame() {
        ChannelHandler speaking =
                new ChannelHandler() {
                    private boolean spoken;

                    @Override
                    public void channelWritabilityChanged(ChannelHandlerContext ctx) {
                        if (!spoken) {
                            spoken = true;
                            ctx.channel().writeAndFlush("y".repeat(1000));
                        }
                    }
                };
        try (EmbeddedChannel tight =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT.with(
                                ChannelOption.WRITE_BUFFER_WATER_MARK,
                                new WriteBufferWaterMark(0, 1, 1 << 20)),
                        ch ->
                                ch.pipeline()
                                        .addLast(
                                                new EncoderHandler<>(
                                                        String.class,
                                                        CodecHandlersTest::inThreeParts))
                                        .addLast(speaking))) {
            tight.limitWindow(0);
            tight.channel().writeAndFlush("x".repeat(1000));
            tight.openWindow(1 << 20);
            assertThat(tight.takeOutboundText())
                    .isEqualTo("<" + "x".repeat(1000) + "><" + "y".repeat(1000) + ">");
        }
    }

    private static void inThreeParts(String text, Output out) {
        out.buffer(1).writeAscii("<");
        out.add(BufferAllocator.pooled().allocate(text.length()).writeAscii(text));
        out.add(BufferAllocator.pooled().allocate(1).writeAscii(">"));
    }

    @Test
    void aDecoderWithADefectIsNotGivenTheRest() {
        MessageDecoder<Buffer, Integer> broken =
                (line, out) -> {
                    int length = line.readableBytes();
                    line.release();
                    out.accept(10 / length);
                };
        for (boolean two : new boolean[] {false, true}) {
            caught.clear();
            try (EmbeddedChannel defect =
                    two
                            ? new EmbeddedChannel(
                                    new DecoderHandler<>(new LineDecoder(10)),
                                    new MessageDecoderHandler<>(Buffer.class, broken),
                                    new Catching())
                            : new EmbeddedChannel(
                                    new DecoderHandler<>(new LineDecoder(10).then(broken)),
                                    new Catching())) {
                defect.receive("a\n\na\n").receive("a\n").receiveEnd();
                assertThat(defect.readInbound()).isEqualTo(10);
                assertThat(defect.readInbound()).isNull();
                assertThat(caught).singleElement().isInstanceOf(ArithmeticException.class);
            }
        }
    }

    /// Has something to say at the end.
    private static final class AtTheEnd implements MessageDecoder<Buffer, String> {
        @Override
        public void decode(Buffer in, java.util.function.Consumer<? super String> out) {
            in.release();
        }

        @Override
        public void end(java.util.function.Consumer<? super String> out) {
            out.accept("last words");
        }
    }

    @Test
    void aBatchThatTheEndMakesIsCompleteBeforeIt() {
        List<Object> events = new ArrayList<>();
        ChannelHandler hearing =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        events.add(message);
                    }

                    @Override
                    public void channelReadComplete(ChannelHandlerContext ctx) {
                        events.add("complete");
                    }

                    @Override
                    public void channelInputClosed(ChannelHandlerContext ctx) {
                        events.add("end");
                    }
                };
        try (EmbeddedChannel whole =
                new EmbeddedChannel(
                        new DecoderHandler<>(new LineDecoder(10).then(new AtTheEnd())), hearing)) {
            whole.receiveEnd();
        }
        try (EmbeddedChannel parts =
                new EmbeddedChannel(
                        new MessageDecoderHandler<>(Buffer.class, new AtTheEnd()), hearing)) {
            parts.receiveEnd();
        }
        assertThat(events)
                .containsExactly("last words", "complete", "end", "last words", "complete", "end");
    }
}
