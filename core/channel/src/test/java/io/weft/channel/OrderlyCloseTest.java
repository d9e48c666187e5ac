package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import java.io.IOException;
import java.time.Duration;
import java.util.Objects;
import org.junit.jupiter.api.Test;

class OrderlyCloseTest {
    private static final Duration LINGER = ChannelOption.LINGER_TIMEOUT.defaultValue();

    private static EmbeddedChannel answered(ChannelOptions options) {
        EmbeddedChannel channel = new EmbeddedChannel(options, ch -> {}).keepInputOpen();
        channel.channel().writeAndFlush(text("answer"));
        return channel;
    }

    private static EmbeddedChannel answered() {
        return answered(ChannelOptions.DEFAULT);
    }

    private static Buffer text(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    private static Buffer zeros(int length) {
        return BufferAllocator.pooled().allocate(length).writeBytes(new byte[length]);
    }

    private static void assertLingers(EmbeddedChannel channel) {
        assertThat(channel.isOutputShutdown()).isTrue();
        assertThat(channel.isClosed()).isFalse();
        assertThat(channel.channel().closeFuture().isDone()).isFalse();
    }

    private static void assertClosed(EmbeddedChannel channel, boolean reset) {
        assertThat(channel.isClosed()).isTrue();
        assertThat(channel.isReset()).isEqualTo(reset);
        assertThat(channel.channel().closeFuture().isDone()).isTrue();
    }

    @Test
    void waitsForThePeersEndThoughNoInputIsThere() {
        try (EmbeddedChannel channel = answered()) {
            channel.channel().close();
            assertLingers(channel);
            channel.receive("was under way");
            assertLingers(channel);
            channel.receiveEnd();
            assertClosed(channel, /* reset= */ false);
            assertThat(channel.readInbound()).isNull();
        }
    }

    @Test
    void aPeerThatResetsIsWaitedForNoLonger() {
        try (EmbeddedChannel channel = answered()) {
            channel.channel().close();
            channel.fail(new IOException("Connection reset by peer"));
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.takeException()).isNull();
        }
    }

    @Test
    void waitsForThePeersEndForSoLongOnly() {
        try (EmbeddedChannel channel = answered()) {
            channel.channel().close();
            channel.advance(LINGER.minusMillis(1));
            assertLingers(channel);
            channel.advance(Duration.ofMillis(1));
            assertClosed(channel, /* reset= */ false);
        }
    }

    @Test
    void discardsSoMuchOnly() {
        try (EmbeddedChannel channel = answered()) {
            channel.channel().close();
            channel.receive(zeros(1 << 20));
            assertLingers(channel);
            channel.receive("x");
            assertClosed(channel, /* reset= */ false);
        }
    }

    @Test
    void aPeerThatHasEndedIsNotWaitedFor() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true);
        try (EmbeddedChannel channel = answered(options)) {
            channel.receiveEnd();
            channel.channel().close();
            assertClosed(channel, /* reset= */ false);
            assertThat(channel.isOutputShutdown()).isFalse(); // which saves a call
        }
    }

    @Test
    void withoutALingerTimeNothingIsWaitedFor() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(ChannelOption.LINGER_TIMEOUT, Duration.ZERO);
        try (EmbeddedChannel channel = answered(options)) {
            channel.channel().close();
            assertClosed(channel, /* reset= */ false);
        }
    }

    /// More nanoseconds than a long has, which are 292 years.
    @Test
    void closesInOrderWithPatienceOfAnyLength() {
        Duration ages = Duration.ofSeconds(Long.MAX_VALUE);
        ChannelOptions options =
                ChannelOptions.DEFAULT
                        .with(ChannelOption.LINGER_TIMEOUT, ages)
                        .with(ChannelOption.CLOSE_TIMEOUT, ages);
        try (EmbeddedChannel channel = answered(options).limitWindow(0)) {
            channel.channel().writeAndFlush(text("last"));
            channel.channel().close();
            channel.openWindow(100);
            assertThat(channel.takeOutboundText()).endsWith("last");
            assertThat(channel.isOutputShutdown()).isTrue();
            channel.receiveEnd();
            assertClosed(channel, /* reset= */ false);
        }
    }

    @Test
    void whereNothingWasSentNothingIsWaitedFor() {
        try (EmbeddedChannel channel = new EmbeddedChannel().keepInputOpen()) {
            channel.receive("read");
            channel.channel().writeAndFlush(text(""));
            channel.channel().write(text("not flushed"));
            channel.channel().close();
            assertClosed(channel, /* reset= */ false);
        }
    }

    private static EmbeddedChannel promised(ChannelHandler... handlers) {
        EmbeddedChannel channel = new EmbeddedChannel(handlers).keepInputOpen();
        channel.receive("the last request");
        channel.channel().writeAndFlush(text("answer"));
        return channel;
    }

    private static ChannelHandlerContext last(EmbeddedChannel channel, ChannelHandler handler) {
        return Objects.requireNonNull(channel.pipeline().context(handler));
    }

    @Test
    void aPeerThatPromisedToSendNothingMoreIsNotWaitedFor() {
        ChannelHandler protocol = new ChannelHandler() {};
        try (EmbeddedChannel channel = promised(protocol)) {
            last(channel, protocol).expectNoInput();
            channel.channel().close();
            assertClosed(channel, /* reset= */ false);
            assertThat(channel.takeOutboundText()).isEqualTo("answer");
        }
    }

    @Test
    void aPeerThatBrokeItsPromiseIsWaitedFor() {
        ChannelHandler protocol = new ChannelHandler() {};
        try (EmbeddedChannel channel = promised(protocol)) {
            last(channel, protocol).expectNoInput();
            channel.receive("one more");
            channel.channel().close();
            assertLingers(channel);
        }
    }

    @Test
    void aPeerWhoseInputWasNotReadIsWaitedForWhateverItPromised() {
        ChannelHandler protocol = new ChannelHandler() {};
        try (EmbeddedChannel channel = promised(protocol)) {
            last(channel, protocol).expectNoInput();
            channel.channel().autoRead(false);
            channel.receive("one more");
            channel.channel().close();
            assertLingers(channel);
        }
    }

    /// As TLS does, whose peer answers a close_notify.
    @Test
    void aHandlerNearerToTheChannelMayExpectInput() {
        ChannelHandler protocol = new ChannelHandler() {};
        try (EmbeddedChannel channel = promised(new ChannelHandler() {}, protocol)) {
            last(channel, protocol).expectNoInput();
            channel.channel().close();
            assertLingers(channel);
        }
    }

    @Test
    void anAbortWhileLingeringResets() {
        try (EmbeddedChannel channel = answered()) {
            channel.channel().close();
            channel.channel().abort();
            assertClosed(channel, /* reset= */ true);
        }
    }

    @Test
    void aSecondCloseChangesNothing() {
        try (EmbeddedChannel channel = answered()) {
            channel.channel().close();
            channel.advance(LINGER.minusMillis(1));
            channel.channel().close();
            channel.channel().shutdownOutput();
            assertLingers(channel);
            channel.advance(Duration.ofMillis(1));
            assertClosed(channel, /* reset= */ false);
        }
    }

    @Test
    void anOutputThatIsShutLingersForTheRest() {
        try (EmbeddedChannel channel = answered()) {
            channel.channel().shutdownOutput();
            channel.channel().close();
            assertLingers(channel);
            channel.receiveEnd();
            assertClosed(channel, /* reset= */ false);
        }
    }

    /// A peer that is blocked sending does not read.
    @Test
    void inputIsDiscardedWhileBytesAreStillSent() {
        ChannelOptions options = ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false);
        try (EmbeddedChannel channel = new EmbeddedChannel(options, ch -> {}).keepInputOpen()) {
            channel.limitWindow(2);
            channel.channel().writeAndFlush(text("answer"));
            channel.receive("request");
            channel.channel().close();
            assertThat(channel.isOutputShutdown()).isFalse();
            channel.receiveEnd();
            assertThat(channel.isClosed()).isFalse();
            channel.openWindow(100);
            assertThat(channel.takeOutboundText()).isEqualTo("answer");
            assertClosed(channel, /* reset= */ false);
        }
    }

    @Test
    void ofInputThatComesWhileBytesAreStillSentSoMuchIsDiscardedOnly() {
        try (EmbeddedChannel channel = new EmbeddedChannel().keepInputOpen()) {
            channel.limitWindow(2);
            channel.channel().writeAndFlush(text("answer"));
            channel.channel().close();
            channel.receive(zeros(1 << 20)).receive("x").receive("stays with the peer");
            assertThat(channel.isClosed()).isFalse();
            channel.openWindow(100);
            assertThat(channel.takeOutboundText()).isEqualTo("answer");
            assertClosed(channel, /* reset= */ false);
        }
    }

    /// A handler that heard of the failure has closed, and passes it on.
    @Test
    void aFailureOfTheNetworkThatNobodyHandlesLeavesACloseAsItIs() {
        try (EmbeddedChannel channel = answered()) {
            channel.channel().close();
            channel.pipeline().fireException(new IOException("on purpose"));
            assertLingers(channel);
        }
    }
}
