package io.weft.handler.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandler;
import io.weft.channel.ChannelHandlerContext;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.Detection;
import io.weft.codec.LimitExceededException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.text.StringDecoder;
import java.net.SocketTimeoutException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
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
