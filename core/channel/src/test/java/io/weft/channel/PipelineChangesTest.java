package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Handlers that come, go and hold things back.
class PipelineChangesTest {
    private final EmbeddedChannel embedded = new EmbeddedChannel();
    private final ChannelPipeline pipeline = embedded.pipeline();
    private final List<String> seen = new ArrayList<>();

    @AfterEach
    void close() {
        embedded.close();
    }

    private static class Plain implements ChannelHandler {}

    private static final class Other implements ChannelHandler {}

    private static final class Failing implements ChannelHandler {
        private final boolean whenAdded;

        Failing(boolean whenAdded) {
            this.whenAdded = whenAdded;
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            if (whenAdded) {
                throw new IllegalStateException("added");
            }
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            if (!whenAdded) {
                throw new IllegalStateException("removed");
            }
        }
    }

    private final class Catching implements ChannelHandler {
        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            seen.add(String.valueOf(cause.getMessage()));
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            seen.add("writable " + ctx.channel().isWritable());
        }
    }

    @Test
    void handlersGoByNameAndByType() {
        Plain a = new Plain();
        Other b = new Other();
        pipeline.addLast("a", a).addLast("b", b).addLast("c", new Plain());
        assertThat(pipeline.names()).containsExactly("a", "b", "c");
        assertThat(pipeline.remove("a")).isSameAs(a);
        assertThat(pipeline.remove(Other.class)).isSameAs(b);
        assertThat(pipeline.names()).containsExactly("c");
        assertThatThrownBy(() -> pipeline.remove("a"))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("name: a (expected: one of [c])");
        assertThatThrownBy(() -> pipeline.remove(Other.class))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("Other (expected: one of [c])");
    }

    @Test
    void handlersAreReplacedByNameAndByType() {
        Plain a = new Plain();
        Other b = new Other();
        pipeline.addLast("first", new Catching()).addLast("a", a).addLast("last", new Catching());
        assertThat(pipeline.replace("a", "a", b)).isSameAs(a);
        assertThat(pipeline.names()).containsExactly("first", "a", "last");
        assertThat(pipeline.get(Plain.class)).isNull();
        assertThat(pipeline.replace(Other.class, "x", a)).isSameAs(b);
        assertThat(pipeline.names()).containsExactly("first", "x", "last");
        assertThatThrownBy(() -> pipeline.replace(Plain.class, "last", b))
                .isInstanceOf(IllegalArgumentException.class);
        assertThat(pipeline.names()).containsExactly("first", "x", "last");
    }

    @Test
    void whatCannotBeAddedReplacesNothing() {
        Plain plain = new Plain();
        pipeline.addLast(new Catching()).addLast("plain", plain);
        pipeline.replace(plain, "failing", new Failing(true));
        assertThat(pipeline.names()).containsExactly("Catching", "plain");
        assertThat(seen).containsExactly("added");
        assertThat(embedded.isClosed()).isFalse();
    }

    @Test
    void whatFailsWhileRemovedIsGoneAllTheSame() {
        Failing failing = new Failing(false);
        pipeline.addLast(failing).addLast(new Catching());
        pipeline.remove(failing);
        assertThat(pipeline.names()).containsExactly("Catching");
        assertThat(seen).containsExactly("removed");
    }

    @Test
    void oneHandlerIsNotTwiceInAPipelineUnlessSharable() {
        Plain plain = new Plain();
        pipeline.addLast("a", plain);
        assertThatThrownBy(() -> pipeline.addLast("b", plain))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("expected: sharable, or not in this pipeline yet");
        ChannelHandler sharable =
                new ChannelHandler() {
                    @Override
                    public boolean isSharable() {
                        return true;
                    }
                };
        pipeline.addLast("c", sharable).addLast("d", sharable);
        assertThat(pipeline.names()).containsExactly("a", "c", "d");
    }

    @Test
    void anyThreadMayChangeIt() {
        Future<Void> changed =
                CompletableFuture.supplyAsync(
                                () -> pipeline.change(p -> p.addLast("late", new Plain())))
                        .join();
        assertThat(changed.isDone()).isFalse();
        embedded.runPending();
        assertThat(changed.isSuccess()).isTrue();
        assertThat(pipeline.names()).containsExactly("late");
        Future<Void> refused = pipeline.change(p -> p.remove("none"));
        assertThat(refused.cause()).isInstanceOf(IllegalArgumentException.class);
    }

    /// Keeps writes back until it is flushed.
    private static final class Holding implements ChannelHandler {
        private final ArrayDeque<Buffer> kept = new ArrayDeque<>();
        private long bytes;

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            Buffer buffer = (Buffer) message;
            kept.add(buffer);
            bytes += buffer.readableBytes();
            ctx.holds(bytes);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            for (Buffer next; (next = kept.poll()) != null; ) {
                bytes -= next.readableBytes();
                ctx.write(next);
                ctx.holds(bytes);
            }
            ctx.flush();
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            kept.forEach(Buffer::release);
            kept.clear();
        }
    }

    private static Buffer bytes(int count) {
        return BufferAllocator.pooled().allocate(count).writeOffset(count);
    }

    @Test
    void whatAHandlerHoldsCountsInWritability() {
        pipeline.addLast(new Holding()).addLast(new Catching());
        Channel channel = embedded.channel();
        channel.write(bytes(60 << 10));
        assertThat(channel.isWritable()).isTrue();
        channel.write(bytes(10 << 10));
        assertThat(channel.isWritable()).isFalse();
        assertThat(channel.pendingBytes()).isEqualTo(70 << 10);
        assertThat(seen).containsExactly("writable false");
        channel.flush();
        assertThat(channel.pendingBytes()).isZero();
        assertThat(seen).containsExactly("writable false", "writable true");
        assertThat(embedded.takeOutbound()).hasSize(70 << 10);
    }

    @Test
    void whatARemovedHandlerHeldIsForgotten() {
        pipeline.addLast(new Holding()).addLast(new Catching());
        embedded.channel().write(bytes(100 << 10));
        assertThat(embedded.channel().isWritable()).isFalse();
        pipeline.remove(Holding.class);
        assertThat(embedded.channel().isWritable()).isTrue();
        assertThat(embedded.channel().pendingBytes()).isZero();
        assertThat(seen).containsExactly("writable false", "writable true");
    }

    @Test
    void whatIsHeldDoesNotMeetTheCapTwice() {
        pipeline.addLast(new Holding()).addLast(new Catching());
        Channel channel = embedded.channel();
        ChannelHandlerContext holding = pipeline.context(Holding.class);
        assertThat(holding).isNotNull();
        holding.holds(1 << 20);
        Promise<Void> written = channel.newPromise();
        holding.write(bytes(1), written);
        holding.flush();
        assertThat(written.isSuccess()).isTrue();
        assertThatThrownBy(() -> holding.holds(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessage("bytes: -1 (expected: >= 0)");
    }

    /// Counts what it hears, and leaves at a given event.
    private final class Leaving implements ChannelHandler {
        private final String at;

        Leaving(String at) {
            this.at = at;
        }

        private void saw(String event, ChannelHandlerContext ctx) {
            assertThat(ctx.isRemoved()).as("%s after it was removed", event).isFalse();
            seen.add(event);
            if (event.equals(at)) {
                ctx.pipeline().remove(this);
            }
        }

        @Override
        public void handlerAdded(ChannelHandlerContext ctx) {
            saw("added", ctx);
        }

        @Override
        public void handlerRemoved(ChannelHandlerContext ctx) {
            seen.add("removed");
        }

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            saw("read", ctx);
            ctx.fireChannelRead(message);
        }

        @Override
        public void channelReadComplete(ChannelHandlerContext ctx) {
            saw("readComplete", ctx);
            ctx.fireChannelReadComplete();
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            saw("userEvent", ctx);
            ctx.fireUserEventTriggered(event);
        }

        @Override
        public void channelWritabilityChanged(ChannelHandlerContext ctx) {
            saw("writability", ctx);
            ctx.fireChannelWritabilityChanged();
        }

        @Override
        public void channelInputClosed(ChannelHandlerContext ctx) {
            saw("inputClosed", ctx);
            ctx.fireChannelInputClosed();
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            saw("exception", ctx);
            ctx.fireExceptionCaught(cause);
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            saw("inactive", ctx);
            ctx.fireChannelInactive();
        }

        @Override
        public void write(
                ChannelHandlerContext ctx, Object message, @Nullable Promise<Void> promise) {
            saw("write", ctx);
            ctx.write(message, promise);
        }

        @Override
        public void flush(ChannelHandlerContext ctx) {
            saw("flush", ctx);
            ctx.flush();
        }

        @Override
        public void read(ChannelHandlerContext ctx) {
            saw("ask", ctx);
            ctx.read();
        }

        @Override
        public void close(ChannelHandlerContext ctx) {
            saw("close", ctx);
            ctx.close();
        }
    }

    /// Writes down what passes it.
    private static final class Witness implements ChannelHandler {
        final List<String> heard = new ArrayList<>();

        @Override
        public void channelRead(ChannelHandlerContext ctx, Object message) {
            heard.add("read");
            ctx.fireChannelRead(message);
        }

        @Override
        public void userEventTriggered(ChannelHandlerContext ctx, Object event) {
            heard.add("userEvent");
        }

        @Override
        public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
            heard.add("exception");
        }

        @Override
        public void channelInactive(ChannelHandlerContext ctx) {
            heard.add("inactive");
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "added",
                "read",
                "readComplete",
                "userEvent",
                "writability",
                "inputClosed",
                "exception",
                "write",
                "flush",
                "ask",
                "close",
                "inactive",
                "never"
            })
    void aHandlerMayLeaveInAnyOfItsCallbacksAndNothingIsLost(String at) {
        Witness behind = new Witness();
        pipeline.addLast("leaving", new Leaving(at)).addLast("witness", behind);
        embedded.receive("hello");
        embedded.channel().read();
        pipeline.fireUserEventTriggered("event");
        pipeline.fireException(new IllegalStateException("handled by the witness"));
        embedded.limitWindow(0);
        embedded.channel().writeAndFlush(bytes(100_000));
        embedded.openWindow(1_000_000);
        embedded.receiveEnd();
        embedded.channel().abort();
        embedded.runPending();
        assertThat(behind.heard).containsExactly("read", "userEvent", "exception", "inactive");
        assertThat(embedded.takeOutbound()).hasSize(100_000);
        assertThat(seen).containsOnlyOnce("removed").endsWith("removed");
        assertThat(seen.stream().filter(at::equals).count()).isEqualTo(at.equals("never") ? 0 : 1);
        assertThat(embedded.isClosed()).isTrue();
        Messages.release(Objects.requireNonNull(embedded.readInbound()));
    }

    /// It has released what it needs to go on.
    @Test
    void whoIsRemovedHearsNothingOfWhatIsOnItsWay() {
        Witness second = new Witness();
        Witness third = new Witness();
        ChannelHandler first =
                new ChannelHandler() {
                    @Override
                    public void channelRead(ChannelHandlerContext ctx, Object message) {
                        ctx.pipeline().remove(this);
                        ctx.pipeline().remove(second);
                        ctx.fireChannelRead(message);
                    }
                };
        pipeline.addLast(first).addLast("second", second).addLast("third", third);
        embedded.receive("hello");
        assertThat(second.heard).isEmpty();
        assertThat(third.heard).containsExactly("read");
        Messages.release(Objects.requireNonNull(embedded.readInbound()));
    }

    @Test
    void whoIsAddedAfterTheEndIsRemovedAgain() {
        embedded.channel().abort();
        embedded.runPending();
        pipeline.addLast(new Leaving("never"));
        assertThat(seen).containsExactly("added", "removed");
        assertThat(pipeline.names()).isEmpty();
    }

    @Test
    void whoIsAddedByOneThatTheEndRemovesIsRemovedToo() {
        ChannelHandler replacing =
                new ChannelHandler() {
                    @Override
                    public void handlerRemoved(ChannelHandlerContext ctx) {
                        ctx.pipeline().addLast(new Leaving("never"));
                    }
                };
        pipeline.addLast(replacing);
        embedded.channel().abort();
        embedded.runPending();
        assertThat(seen).containsExactly("added", "removed");
        assertThat(pipeline.names()).isEmpty();
    }

    @Test
    void anotherThreadIsToldThatItHasToAsk() throws InterruptedException {
        Plain plain = new Plain();
        pipeline.addLast("plain", plain);
        List<Throwable> thrown = new CopyOnWriteArrayList<>();
        List<Runnable> changes =
                List.of(
                        () -> pipeline.addLast(new Other()),
                        () -> pipeline.addFirst("first", new Other()),
                        () -> pipeline.addBefore(plain, "before", new Other()),
                        () -> pipeline.remove(plain),
                        () -> pipeline.remove("plain"),
                        () -> pipeline.remove(Plain.class),
                        () -> pipeline.replace(plain, "other", new Other()));
        Thread thread =
                Thread.ofPlatform()
                        .start(
                                () -> {
                                    for (Runnable change : changes) {
                                        try {
                                            change.run();
                                        } catch (IllegalStateException e) {
                                            thrown.add(e);
                                        }
                                    }
                                });
        thread.join();
        assertThat(thrown).hasSameSizeAs(changes);
        assertThat(pipeline.names()).containsExactly("plain");
    }
}
