package io.weft.channel;

import static java.nio.charset.StandardCharsets.US_ASCII;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.CompositeBuffer;
import io.weft.buffer.IllegalReferenceCountException;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.PassedDescriptor;
import io.weft.engine.WriteBufferWaterMark;
import io.weft.loop.Promise;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

class ChannelTest {
    private final List<String> seen = new ArrayList<>();

    private static Buffer text(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    private static Buffer bytes(int length) {
        return BufferAllocator.pooled().allocate(length).writeOffset(length);
    }

    /// Writes down what happens, and releases what is read.
    private final class Recorder implements ChannelHandler {
        @Override
        public void channelActive(ChannelHandlerContext ctx) {
            seen.add("active");
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            seen.add("inactive");
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            Buffer buffer = (Buffer) message;
            seen.add("read " + buffer.readString(US_ASCII));
            buffer.release();
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            seen.add("complete");
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            seen.add("end");
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            seen.add("writable " + ctx.channel().isWritable());
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            seen.add("exception " + cause.getMessage());
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            seen.add("removed");
        }
    }

    @Test
    void tellsTheLifeOfAConnectionInOrder() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Recorder())) {
            channel.receive("a").receive("b").receiveEnd();
        }
        assertThat(seen)
                .containsExactly(
                        "active",
                        "read a",
                        "complete",
                        "read b",
                        "complete",
                        "end",
                        "inactive",
                        "removed");
    }

    @Test
    void staysOpenForWritingAfterTheEndOfInputWhenHalfClosureIsAllowed() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true);
        try (EmbeddedChannel channel = new EmbeddedChannel(options, ch -> {})) {
            channel.receiveEnd();
            assertThat(channel.channel().isActive()).isTrue();
            channel.channel().writeAndFlush(text("late"));
            assertThat(channel.takeOutboundText()).isEqualTo("late");
        }
    }

    @Test
    void closesWhenBothDirectionsAreShut() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(ChannelOption.ALLOW_HALF_CLOSURE, true);
        for (boolean outputFirst : new boolean[] {true, false}) {
            try (EmbeddedChannel channel = new EmbeddedChannel(options, ch -> {})) {
                if (outputFirst) {
                    channel.channel().shutdownOutput();
                    channel.receiveEnd();
                } else {
                    channel.receiveEnd();
                    channel.channel().shutdownOutput();
                }
                assertThat(channel.isClosed()).isTrue();
                assertThat(channel.isReset()).isFalse();
            }
        }
    }

    @Test
    void staysOpenWithBothDirectionsShutWhenToldTo() {
        ChannelOptions options =
                ChannelOptions.DEFAULT
                        .with(ChannelOption.ALLOW_HALF_CLOSURE, true)
                        .with(ChannelOption.CLOSE_WHEN_SHUT, false);
        try (EmbeddedChannel channel = new EmbeddedChannel(options, ch -> {})) {
            channel.receiveEnd();
            channel.channel().shutdownOutput();
            assertThat(channel.isClosed()).isFalse();
        }
    }

    @Test
    void lingersOnlyForSoLongOverInputThatNobodyReads() {
        ChannelOptions options = ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false);
        try (EmbeddedChannel channel = new EmbeddedChannel(options, ch -> {})) {
            channel.keepInputOpen().receive("unread");
            channel.channel().close();
            assertThat(channel.isOutputShutdown()).isTrue();
            channel.receive("more");
            channel.advance(ChannelOption.LINGER_TIMEOUT.defaultValue().minusMillis(1));
            assertThat(channel.isClosed()).isFalse();
            channel.advance(Duration.ofMillis(1));
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
        }
    }

    @Test
    void sendsOnlyWhatWasFlushed() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.channel().write(text("one"));
            assertThat(channel.takeOutboundText()).isEmpty();
            channel.channel().flush();
            assertThat(channel.takeOutboundText()).isEqualTo("one");
        }
    }

    @Test
    void sendsACompositeAsItsComponents() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.limitWindow(4);
            CompositeBuffer composite = new CompositeBuffer(channel.channel().allocator());
            composite.add(text("xxone")).add(text("two")).add(text("three")).skipReadable(2);
            Promise<Void> promise = channel.channel().newPromise();
            channel.channel().writeAndFlush(composite, promise);
            assertThat(composite.references()).isZero();
            assertThat(promise.isDone()).isFalse();
            channel.openWindow(10);
            assertThat(promise.isSuccess()).isTrue();
            assertThat(channel.takeOutboundText()).isEqualTo("onetwothree");
        }
    }

    @Test
    void anEmptyCompositeKeepsItsPromise() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            Promise<Void> promise = channel.channel().newPromise();
            CompositeBuffer empty = new CompositeBuffer(channel.channel().allocator());
            channel.channel().write(empty, promise);
            channel.channel().writeAndFlush(text("x"));
            assertThat(promise.isSuccess()).isTrue();
        }
    }

    @Test
    void refusesACompositeThatWasReleased() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            CompositeBuffer released = new CompositeBuffer(channel.channel().allocator());
            released.release();
            Promise<Void> promise = channel.channel().newPromise();
            channel.channel().writeAndFlush(released, promise);
            assertThat(promise.isSuccess()).isFalse();
            assertThat(promise.isDone()).isTrue();
        }
    }

    @Test
    void completesPromisesInOrderWhenTheirBytesAreSent() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.limitWindow(4);
            for (String part : List.of("abc", "def")) {
                Promise<Void> promise = channel.channel().newPromise();
                promise.addListener(_ -> seen.add("sent " + part));
                channel.channel().writeAndFlush(text(part), promise);
            }
            assertThat(seen).containsExactly("sent abc");
            channel.openWindow(10);
            assertThat(seen).containsExactly("sent abc", "sent def");
            assertThat(channel.takeOutboundText()).isEqualTo("abcdef");
        }
    }

    @Test
    void writabilityFollowsTheWatermarks() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Recorder())) {
            channel.limitWindow(0);
            channel.channel().writeAndFlush(bytes(64 << 10));
            assertThat(channel.channel().isWritable()).isTrue();
            channel.channel().writeAndFlush(bytes(1));
            assertThat(channel.channel().isWritable()).isFalse();
            channel.openWindow(32 << 10);
            assertThat(channel.channel().isWritable()).isFalse();
            channel.openWindow(2);
            assertThat(channel.channel().isWritable()).isTrue();
        }
        assertThat(seen).containsSubsequence("writable false", "writable true");
    }

    @Test
    void aProducerThatIgnoresWritabilityLosesItsChannelAndNoMore() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Recorder())) {
            channel.limitWindow(0);
            for (int i = 0; i < 16; i++) {
                channel.channel().writeAndFlush(bytes(64 << 10));
            }
            assertThat(channel.isClosed()).isFalse();
            Promise<Void> promise = channel.channel().newPromise();
            channel.channel().writeAndFlush(bytes(1), promise);
            assertThat(promise.cause()).isInstanceOf(OutboundLimitException.class);
            assertThat(channel.isClosed()).isTrue();
        }
        assertThat(seen)
                .contains(
                        "exception bytes waiting to be sent: 1048576 (expected: below the cap"
                                + " 1048576)");
    }

    @Test
    void doesNotReadWhileItIsNotWritable() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Recorder())) {
            channel.limitWindow(0);
            channel.channel().writeAndFlush(bytes((64 << 10) + 1));
            channel.receive("more");
            assertThat(seen).doesNotContain("read more");
            channel.openWindow(1 << 20);
            assertThat(seen).endsWith("writable true", "read more", "complete");
        }
    }

    @Test
    void whatIsReadOnBecomingWritableIsAnsweredAtOnce() {
        ChannelHandler echo =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ctx.writeAndFlush(message);
                    }
                };
        try (EmbeddedChannel channel = new EmbeddedChannel(echo)) {
            channel.limitWindow(0);
            channel.receive(bytes((64 << 10) + 1)).receive("more");
            channel.openWindow(1 << 20);
            assertThat(channel.takeOutboundText()).hasSize((64 << 10) + 5).endsWith("more");
        }
    }

    @Test
    void closeSendsWhatWasFlushedFirst() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.limitWindow(2);
            channel.channel().writeAndFlush(text("last words"));
            channel.channel().close();
            assertThat(channel.isClosed()).isFalse();
            channel.openWindow(100);
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
            assertThat(channel.takeOutboundText()).isEqualTo("last words");
        }
    }

    @Test
    void closeGivesUpOnAPeerThatNeverReads() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.limitWindow(0);
            Promise<Void> promise = channel.channel().newPromise();
            channel.channel().writeAndFlush(text("unread"), promise);
            channel.channel().close();
            channel.advance(Duration.ofMillis(9_999));
            assertThat(channel.isClosed()).isFalse();
            channel.advance(Duration.ofMillis(1));
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isTrue();
            assertThat(promise.cause()).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void writesAfterCloseFail() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.channel().close();
            Promise<Void> promise = channel.channel().newPromise();
            channel.channel().writeAndFlush(text("too late"), promise);
            assertThat(promise.cause()).isInstanceOf(ClosedChannelException.class);
        }
    }

    @Test
    void closingTwiceChangesNothing() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.limitWindow(2);
            channel.channel().writeAndFlush(text("abcd"));
            channel.channel().close();
            channel.channel().close();
            assertThat(channel.isClosed()).isFalse();
            channel.openWindow(10);
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
            assertThat(channel.takeOutboundText()).isEqualTo("abcd");
        }
    }

    @Test
    void lastWordsArriveAlsoWhenNobodyHandlesWhyTheyAreTheLast() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.limitWindow(2);
            channel.channel().writeAndFlush(text("abcd"));
            channel.channel().shutdownOutput();
            channel.pipeline().fireException(new IOException("alert"));
            assertThat(channel.isClosed()).isFalse();
            channel.openWindow(10);
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.isReset()).isFalse();
            assertThat(channel.takeOutboundText()).isEqualTo("abcd");
        }
    }

    @Test
    void shutdownOutputFollowsWhatWasFlushed() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            channel.limitWindow(0);
            channel.channel().writeAndFlush(text("bye"));
            channel.channel().shutdownOutput();
            assertThat(channel.isOutputShutdown()).isFalse();
            channel.openWindow(3);
            assertThat(channel.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void readsOneBatchForEachRequestWithoutAutoRead() {
        ChannelOptions options = ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(options, ch -> ch.pipeline().addLast(new Recorder()))) {
            channel.receive("one").receive("two");
            assertThat(seen).containsExactly("active");
            channel.channel().read();
            assertThat(seen).containsExactly("active", "read one", "complete");
            channel.channel().read();
            assertThat(seen).endsWith("read two", "complete");
        }
    }

    @Test
    void aBrokenConnectionIsToldAndClosed() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Recorder())) {
            channel.fail(new IOException("reset"));
            assertThat(channel.isClosed()).isTrue();
        }
        assertThat(seen).containsExactly("active", "exception reset", "inactive", "removed");
    }

    @Test
    void aMessageThatIsNoBufferFailsClearly() {
        try (EmbeddedChannel channel = new EmbeddedChannel()) {
            Promise<Void> promise = channel.channel().newPromise();
            channel.channel().writeAndFlush("text", promise);
            assertThat(promise.cause())
                    .hasMessage(
                            "message: java.lang.String (expected: a Buffer; is an encoder"
                                    + " missing?)");
        }
    }

    @Test
    void anInitializerThatThrowsClosesTheChannel() {
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT,
                        _ -> {
                            throw new IOException("no");
                        })) {
            assertThat(channel.isClosed()).isTrue();
            assertThat(channel.channel().closeFuture().isDone()).isTrue();
        }
    }

    @Test
    void aReadAskedForWhileReadingIsNotLost() {
        ChannelHandler asking =
                new ChannelHandler() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        ctx.read();
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ((Buffer) message).release();
                        seen.add("read");
                        if (seen.size() < 2) {
                            ctx.read();
                        }
                    }
                };
        try (EmbeddedChannel channel =
                new EmbeddedChannel(
                        ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false),
                        ch -> ch.pipeline().addLast(asking))) {
            channel.receive("a").receive("b").receive("c");
            assertThat(seen).containsExactly("read", "read");
        }
    }

    @Test
    void anOrderlyCloseWaitsAsLongAsThePeerReads() {
        try (EmbeddedChannel channel = new EmbeddedChannel().limitWindow(0)) {
            channel.channel().writeAndFlush(bytes(100_000));
            channel.channel().close();
            for (int i = 0; i < 9; i++) {
                channel.advance(Duration.ofSeconds(9)).openWindow(10_000);
            }
            assertThat(channel.isClosed()).isFalse();
            assertThat(channel.takeOutbound()).hasSize(90_000);
            channel.advance(Duration.ofSeconds(21));
            assertThat(channel.isReset()).isTrue();
        }
    }

    @Test
    void nothingIsReadWhileTheChannelIsUnwritable() {
        ChannelHandler greeting =
                new ChannelHandler() {
                    @Override
                    public void channelActive(ChannelHandlerContext ctx) {
                        ctx.write(bytes(100_000));
                    }

                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ((Buffer) message).release();
                        seen.add("read");
                    }
                };
        try (EmbeddedChannel channel = new EmbeddedChannel(greeting)) {
            channel.receive("a");
            channel.channel().autoRead(true);
            assertThat(seen).isEmpty();
            channel.channel().flush();
            assertThat(seen).containsExactly("read");
        }
    }

    @Test
    void aReleasedBufferIsRefused() {
        Buffer released = bytes(10);
        released.release();
        try (EmbeddedChannel channel = new EmbeddedChannel(new Recorder())) {
            Promise<Void> promise = channel.channel().newPromise();
            channel.channel().writeAndFlush(released, promise);
            assertThat(promise.cause()).isInstanceOf(IllegalReferenceCountException.class);
            channel.channel().writeAndFlush(text("on"));
            assertThat(channel.takeOutboundText()).isEqualTo("on");
        }
    }

    @Test
    void aBufferReleasedBehindItsWriteClosesTheChannel() {
        try (EmbeddedChannel channel = new EmbeddedChannel().limitWindow(0)) {
            Buffer buffer = bytes(10);
            channel.channel().writeAndFlush(buffer);
            buffer.release();
            channel.openWindow(100);
            assertThat(channel.isReset()).isTrue();
            assertThat(channel.channel().closeFuture().isDone()).isTrue();
        }
    }

    /// They have no bytes, but they take memory.
    @Test
    void aProducerOfEmptyBuffersMeetsTheWatermarksAndTheCap() {
        try (EmbeddedChannel channel = new EmbeddedChannel(new Recorder())) {
            int writableFor = 0;
            while (channel.channel().isWritable()) {
                channel.channel().write(BufferAllocator.pooled().allocate(0));
                writableFor++;
            }
            assertThat(writableFor).isBetween(1_024, 4_096);
            assertThat(channel.channel().pendingBytes()).isZero();
            channel.channel().flush();
            assertThat(channel.channel().isWritable()).isTrue();
            int taken = 0;
            while (channel.channel().isOpen() && taken < 100_000) {
                channel.channel().write(BufferAllocator.pooled().allocate(0));
                taken++;
            }
            assertThat(taken).isBetween(16_384, 20_000);
        }
        assertThat(seen).contains("inactive");
    }

    @Test
    void withNoLowWatermarkItIsWritableAgainWhenNothingWaits() {
        ChannelOptions options =
                ChannelOptions.DEFAULT.with(
                        ChannelOption.WRITE_BUFFER_WATER_MARK,
                        new WriteBufferWaterMark(0, 0, 1_000));
        try (EmbeddedChannel channel =
                new EmbeddedChannel(options, ch -> ch.pipeline().addLast(new Recorder()))) {
            channel.limitWindow(0);
            channel.channel().writeAndFlush(bytes(10));
            assertThat(channel.channel().isWritable()).isFalse();
            channel.openWindow(9);
            assertThat(channel.channel().isWritable()).isFalse();
            channel.openWindow(1);
            assertThat(channel.channel().isWritable()).isTrue();
        }
        assertThat(seen).contains("writable false", "writable true");
    }

    @Test
    void descriptorsOfAMessageThatIsRefusedAreClosed() {
        Buffer released = bytes(10);
        List<Integer> closed = new ArrayList<>();
        DescriptorMessage message =
                new DescriptorMessage(released, List.of(new PassedDescriptor(7, closed::add)));
        released.release();
        try (EmbeddedChannel channel = new EmbeddedChannel(new Recorder())) {
            Promise<Void> promise = channel.channel().newPromise();
            channel.channel().writeAndFlush(message, promise);
            assertThat(promise.isDone()).isTrue();
            assertThat(promise.isSuccess()).isFalse();
        }
        assertThat(closed).containsExactly(7);
    }

    @Test
    void theEndOfInputWaitsForWhatCameBefore() {
        ChannelOptions options = ChannelOptions.DEFAULT.with(ChannelOption.AUTO_READ, false);
        try (EmbeddedChannel channel =
                new EmbeddedChannel(options, ch -> ch.pipeline().addLast(new Recorder()))) {
            channel.receive("a").receive("b").receiveEnd();
            assertThat(seen).containsExactly("active");
            channel.channel().read();
            channel.runPending();
            assertThat(seen).startsWith("active", "read a");
            channel.channel().read();
            channel.channel().read();
            channel.runPending();
        }
        assertThat(seen).containsSubsequence("read a", "read b", "end", "inactive");
        assertThat(seen).containsOnlyOnce("end");
    }

    @Test
    void whatNobodyCaughtCanBeLookedAt() {
        IllegalStateException thrown = new IllegalStateException("thrown");
        ChannelHandler throwing =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ((Buffer) message).release();
                        throw thrown;
                    }
                };
        try (EmbeddedChannel channel = new EmbeddedChannel(throwing)) {
            channel.checkException();
            channel.receive("x");
            assertThatThrownBy(channel::checkException).hasCause(thrown);
            channel.checkException();
            assertThat(channel.takeException()).isNull();
            assertThat(channel.isClosed()).isTrue();
        }
    }

    @Test
    void watermarksThatMoveAreHeededAtOnce() throws IOException {
        try (EmbeddedChannel embedded = new EmbeddedChannel(new Recorder())) {
            Channel channel = embedded.limitWindow(0).channel();
            channel.writeAndFlush(bytes(1_000));
            channel.setOption(
                    ChannelOption.WRITE_BUFFER_WATER_MARK,
                    new WriteBufferWaterMark(100, 999, 100_000));
            assertThat(channel.isWritable()).isFalse();
            channel.setOption(
                    ChannelOption.WRITE_BUFFER_WATER_MARK,
                    new WriteBufferWaterMark(1_001, 1_001, 100_000));
            assertThat(channel.isWritable()).isTrue();
        }
        assertThat(seen).containsSubsequence("writable false", "writable true");
    }
}
