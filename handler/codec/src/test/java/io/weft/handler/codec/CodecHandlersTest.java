package io.weft.handler.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.channel.InputBoundary;
import io.weft.codec.framing.DecoderException;
import io.weft.codec.framing.FrameTooLongException;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.LineEncoder;
import io.weft.codec.framing.MessageEncoder;
import io.weft.codec.framing.PrematureEndException;
import io.weft.codec.framing.StringDecoder;
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
        assertThat(caught).singleElement().isInstanceOf(FrameTooLongException.class);
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

    @Test
    void bytesThatArriveWhileAMessageTravelsComeBehindIt() {
        channel.pipeline()
                .addLast(
                        new ChannelHandler() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                ctx.fireChannelRead(message);
                                if (message.equals("one")) {
                                    channel.receive("three\nfo");
                                }
                            }
                        });
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
        channel.pipeline()
                .addLast(
                        new ChannelHandler() {
                            @Override
                            public void channelRead(ChannelHandlerContext ctx, Object message) {
                                ctx.fireChannelRead(message);
                                if (message.equals(line)) {
                                    boundary();
                                }
                            }
                        });
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
                        "io.weft.codec.framing.DecoderException: bytes in front of a boundary of the input: 5"
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
}
