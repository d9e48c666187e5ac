package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.Ledger;
import io.weft.loop.Promise;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// Messages that wait until it is known who encodes them.
class HeldWritesTest {
    private static final int MAX_BYTES = 200_000;

    private final Holding holding = new Holding();
    private final EmbeddedChannel embedded = new EmbeddedChannel(holding);
    private final Channel channel = embedded.channel();

    @AfterEach
    void everyBufferWasReleased() {
        embedded.close();
        assertThat(Ledger.takeOpen()).isEmpty();
    }

    private static final class Holding implements ChannelHandler {
        final HeldWrites held = new HeldWrites(MAX_BYTES);
        @Nullable ChannelHandlerContext ctx;
        @Nullable IllegalStateException refusal;
        boolean decided;
        Runnable leaving = () -> {};

        @Override
        public void handlerAdded(ChannelHandlerContext context) {
            ctx = context;
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext context) {
            leaving.run();
        }

        @Override
        public void write(
                ChannelHandlerContext context, Object message, @Nullable Promise<Void> promise) {
            if (decided) {
                context.write(message, promise);
            } else {
                refusal = held.add(context, message, promise, IllegalStateException::new);
            }
        }

        @Override
        public void flush(ChannelHandlerContext context) {
            held.flush();
            context.flush();
        }

        @Override
        public void shutdownOutput(ChannelHandlerContext context) {
            if (decided) {
                context.shutdownOutput();
            } else {
                held.shutdownOutput();
            }
        }
    }

    /// Sees messages on their way to the channel.
    private static final class Upper implements ChannelHandler {
        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            try (Buffer text = (Buffer) message) {
                String upper = text.readString(StandardCharsets.US_ASCII);
                ctx.write(text(upper.toUpperCase(Locale.ROOT)), promise);
            }
        }
    }

    private static Buffer text(String text) {
        return BufferAllocator.pooled().allocate(text.length()).writeAscii(text);
    }

    private ChannelHandlerContext ctx() {
        return Objects.requireNonNull(holding.ctx);
    }

    private Promise<Void> write(String text) {
        Promise<Void> promise = channel.newPromise();
        channel.write(text(text), promise);
        return promise;
    }

    /// Has its place taken by a handler that encodes, as those do that hold writes.
    private void decide() {
        channel.pipeline().addAfter(holding, "upper", new Upper());
        channel.pipeline().remove(holding);
    }

    @Test
    void passOnInOrderThroughTheHandlersThatWereDecidedOn() {
        Promise<Void> a = write("a");
        Promise<Void> b = write("bc");
        channel.flush();
        assertThat(embedded.takeOutboundText()).isEmpty();
        holding.held.passOn(ctx(), this::decide);
        assertThat(embedded.takeOutboundText()).isEqualTo("ABC");
        assertThat(a.isSuccess() && b.isSuccess()).isTrue();
        assertThat(channel.pipeline().names()).containsExactly("upper");
    }

    @Test
    void areNotFlushedUnlessTheyWere() {
        Promise<Void> a = write("a");
        holding.held.passOn(ctx(), this::decide);
        assertThat(embedded.takeOutboundText()).isEmpty();
        assertThat(a.isDone()).isFalse();
        channel.flush();
        assertThat(embedded.takeOutboundText()).isEqualTo("A");
    }

    @Test
    void theEndOfTheOutputFollowsThemAndWaitsThoughThereAreNone() {
        for (String text : new String[] {"a", ""}) {
            Holding waits = new Holding();
            try (EmbeddedChannel waiting = new EmbeddedChannel(waits)) {
                if (!text.isEmpty()) {
                    waiting.channel().writeAndFlush(text(text));
                }
                waiting.channel().shutdownOutput();
                waiting.runPending();
                assertThat(waiting.isOutputShutdown()).isFalse();
                waits.held.passOn(Objects.requireNonNull(waits.ctx), () -> waits.decided = true);
                waiting.runPending();
                assertThat(waiting.takeOutboundText()).isEqualTo(text);
                assertThat(waiting.isOutputShutdown()).isTrue();
            }
        }
    }

    @Test
    void sendPassesThemOnFromOnePlace() {
        channel.flush(); // of nothing
        write("a");
        holding.held.send(ctx());
        assertThat(embedded.takeOutboundText()).isEmpty();
        write("b");
        channel.flush();
        holding.held.send(ctx());
        assertThat(embedded.takeOutboundText()).isEqualTo("ab");
        holding.held.send(ctx());
        assertThat(embedded.takeOutboundText()).isEmpty();
    }

    @Test
    void nothingHeldIsDecidedOnAllTheSame() {
        holding.held.passOn(ctx(), this::decide);
        assertThat(channel.pipeline().names()).containsExactly("upper");
        assertThat(embedded.takeOutboundText()).isEmpty();
    }

    @Test
    void aDecisionThatThrowsLeavesThemWaiting() {
        write("a");
        channel.flush();
        assertThatThrownBy(
                        () ->
                                holding.held.passOn(
                                        ctx(),
                                        () -> {
                                            throw new IllegalArgumentException("on purpose");
                                        }))
                .hasMessage("on purpose");
        assertThat(channel.pipeline().names()).hasSize(1);
        assertThat(embedded.takeOutboundText()).isEmpty();
        holding.held.passOn(ctx(), this::decide);
        assertThat(embedded.takeOutboundText()).isEqualTo("A");
    }

    @Test
    void aHandlerThatTakesThemBackKeepsThemInOrder() {
        Promise<Void> a = write("a");
        write("b");
        channel.flush();
        holding.held.passOn(ctx(), () -> {});
        assertThat(embedded.takeOutboundText()).isEmpty();
        assertThat(a.isDone()).isFalse();
        holding.held.passOn(ctx(), this::decide);
        assertThat(embedded.takeOutboundText()).isEqualTo("AB");
    }

    @Test
    void countInTheWritabilityOfTheChannel() {
        write("x".repeat(MAX_BYTES / 2));
        assertThat(channel.isWritable()).isFalse();
        holding.held.send(ctx());
        ctx().flush();
        assertThat(embedded.takeOutboundText()).hasSize(MAX_BYTES / 2);
        assertThat(channel.isWritable()).isTrue();
    }

    @Test
    void bytesBeyondTheLimitAreRefused() {
        write("x".repeat(MAX_BYTES - 1));
        assertThat(holding.refusal).isNull();
        write("y");
        assertThat(holding.refusal).isNull();
        Promise<Void> third = write("z");
        assertThat(third.cause())
                .isSameAs(holding.refusal)
                .hasMessageContaining("2 of 200000 bytes");
        holding.held.fail(ctx(), new IllegalStateException("over"));
    }

    @Test
    void messagesBeyondTheLimitAreRefused() {
        for (int i = 0; i < HeldWrites.MAX_MESSAGES; i++) {
            write("");
            assertThat(holding.refusal).isNull();
        }
        assertThat(write("").cause()).hasMessageContaining("1024 of 0 bytes");
        holding.held.send(ctx());
        write("");
        assertThat(holding.refusal).isNull();
        holding.held.send(ctx());
    }

    @Test
    void allFailWithTheirCauseWhenTheyAreGivenUp() {
        Promise<Void> a = write("x".repeat(MAX_BYTES / 2));
        channel.write(text("b"));
        IllegalStateException cause = new IllegalStateException("over");
        holding.held.fail(ctx(), cause);
        assertThat(a.cause()).isSameAs(cause);
        assertThat(channel.isWritable()).isTrue();
        holding.held.send(ctx());
        ctx().flush();
        assertThat(embedded.takeOutboundText()).isEmpty();
    }

    @Test
    void messageReleasedBeforeItIsGivenUpStopsNoOther() {
        Buffer gone = text("gone");
        Promise<Void> first = channel.newPromise();
        channel.write(gone, first);
        Promise<Void> second = write("x".repeat(MAX_BYTES / 2));
        gone.release();
        IllegalStateException cause = new IllegalStateException("over");
        holding.held.fail(ctx(), cause);
        assertThat(first.cause()).isSameAs(cause);
        assertThat(second.cause()).isSameAs(cause);
        assertThat(cause.getSuppressed()).hasSize(1);
        assertThat(channel.isWritable()).isTrue();
    }

    @Test
    void messageReleasedBeforeItIsRefusedFailsItsPromise() {
        write("x".repeat(MAX_BYTES));
        Buffer gone = text("gone");
        gone.release();
        Promise<Void> refused = channel.newPromise();
        channel.write(gone, refused);
        assertThat(refused.cause()).isSameAs(holding.refusal);
        holding.held.fail(ctx(), new IllegalStateException("over"));
    }

    /// A handler that is decided on may close the channel with what it is given first.
    @Test
    void theRestFailsWithItsHandlerWhenAWriteClosesTheChannel() {
        Promise<Void> a = write("a");
        Promise<Void> b = write("b");
        channel.flush();
        ChannelHandler closing =
                new ChannelHandler() {
                    @Override
                    public void write(
                            ChannelHandlerContext ctx,
                            Object message,
                            @Nullable Promise<Void> promise) {
                        ctx.write(message, promise);
                        ctx.channel().abort();
                    }
                };
        holding.held.passOn(
                ctx(),
                () -> {
                    holding.decided = true;
                    channel.pipeline().addAfter(holding, "closing", closing);
                });
        embedded.runPending();
        assertThat(a.isDone()).isTrue();
        holding.held.fail(ctx(), new IllegalStateException("over"));
        assertThat(b.isDone()).isTrue();
        assertThat(b.isSuccess()).isFalse();
    }

    private void passOn() {
        holding.decided = true;
        holding.held.send(Objects.requireNonNull(holding.ctx));
    }

    @Test
    void outputEndsBehindHeldWrites() {
        Promise<Void> written = channel.newPromise();
        channel.writeAndFlush(text("first"), written);
        channel.shutdownOutput();
        embedded.runPending();
        assertThat(embedded.isOutputShutdown()).isFalse();
        passOn();
        embedded.runPending();
        assertThat(written.isSuccess()).isTrue();
        assertThat(embedded.takeOutboundText()).isEqualTo("first");
        assertThat(embedded.isOutputShutdown()).isTrue();
    }

    @Test
    void lostWithTheirHandlerTheyLeaveNoCleanEnd() {
        for (String text : new String[] {"held", ""}) { // what is still to be encoded has no bytes
            Holding waits = new Holding();
            try (EmbeddedChannel waiting = new EmbeddedChannel(waits)) {
                waiting.channel().writeAndFlush(text(text));
                waiting.channel().shutdownOutput();
                waiting.runPending();
                ChannelHandlerContext at = Objects.requireNonNull(waits.ctx);
                waits.leaving = () -> waits.held.removed(at, new IllegalStateException("over"));
                waiting.pipeline().remove(waits);
                waiting.runPending();
                assertThat(waiting.isReset()).as("text '%s'", text).isTrue();
            }
        }
    }

    @Test
    void passedOnByAHandlerThatLeavesTheyAreFollowedByTheEnd() {
        channel.writeAndFlush(text("held"));
        channel.shutdownOutput();
        embedded.runPending();
        holding.leaving = () -> holding.held.send(ctx());
        channel.pipeline().remove(holding);
        embedded.runPending();
        assertThat(embedded.takeOutboundText()).isEqualTo("held");
        assertThat(embedded.isOutputShutdown()).isTrue();
        assertThat(embedded.isReset()).isFalse();
    }

    /// It tells that it holds nothing, and writes then.
    private static final class TellsFirst implements ChannelHandler {
        private @Nullable Object kept;

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            kept = message;
            ctx.holds(((Buffer) message).readableBytes());
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            Object message = kept;
            kept = null;
            if (message != null) {
                ctx.holds(0);
                ctx.write(message);
            }
            ctx.flush();
        }
    }

    @Test
    void outputEndsBehindHeldWritesThatNobodyFlushed() {
        try (EmbeddedChannel lazy = new EmbeddedChannel(new TellsFirst())) {
            lazy.channel().write(text("not flushed"));
            lazy.channel().shutdownOutput();
            lazy.runPending();
            assertThat(lazy.takeOutboundText()).isEqualTo("not flushed");
            assertThat(lazy.isOutputShutdown()).isTrue();
        }
    }
}
