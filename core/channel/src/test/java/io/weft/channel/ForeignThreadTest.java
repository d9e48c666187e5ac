package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalStateException;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Test;

/// Operations on a channel from a thread that is not its loop's.
class ForeignThreadTest {
    private static void elsewhere(ThrowingCallable action) {
        CompletableFuture<Void> done = new CompletableFuture<>();
        Thread.ofPlatform()
                .start(
                        () -> {
                            try {
                                action.call();
                                done.complete(null);
                            } catch (Throwable t) {
                                done.completeExceptionally(t);
                            }
                        });
        try {
            done.get();
        } catch (InterruptedException | ExecutionException e) {
            throw new AssertionError(e.getCause());
        }
    }

    @Test
    void loopOnlyOperationsThrowElsewhereAndNameTheThread() {
        try (EmbeddedChannel embedded =
                new EmbeddedChannel(
                        new ChannelHandler() {
                            @Override
                            public String toString() {
                                return "handler";
                            }
                        })) {
            Channel channel = embedded.channel();
            ChannelPipeline pipeline = channel.pipeline();
            ChannelHandlerContext ctx =
                    Objects.requireNonNull(pipeline.context(pipeline.names().getFirst()));
            List<ThrowingCallable> operations =
                    List.of(
                            channel::pendingBytes,
                            channel::readsByItself,
                            channel::isReadingSuspended,
                            channel::descriptor,
                            channel::multicast,
                            () -> channel.getOption(ChannelOption.AUTO_READ),
                            () -> channel.setOption(ChannelOption.AUTO_READ, true),
                            () -> pipeline.fireUserEventTriggered("event"),
                            () -> pipeline.remove("none"),
                            () -> ctx.holds(1),
                            ctx::suspendReading,
                            ctx::resumeReading,
                            ctx::fireChannelActive,
                            ctx::fireChannelInactive,
                            () -> ctx.fireChannelRead("message"),
                            ctx::fireChannelReadComplete,
                            ctx::fireChannelInputClosed,
                            ctx::fireChannelWritabilityChanged,
                            () -> ctx.fireUserEventTriggered("event"),
                            () -> ctx.fireExceptionCaught(new AssertionError()));
            for (ThrowingCallable operation : operations) {
                elsewhere(
                        () ->
                                assertThatIllegalStateException()
                                        .isThrownBy(operation)
                                        .withMessageContaining("Thread[")
                                        .withMessageContaining("expected: "));
            }
            assertThat(embedded.isClosed()).isFalse();
        }
    }

    @Test
    void autoReadAndShutdownOutputWorkFromAnyThread() {
        try (EmbeddedChannel embedded = new EmbeddedChannel()) {
            elsewhere(() -> embedded.channel().autoRead(false));
            embedded.runPending();
            embedded.receive("x");
            assertThat(embedded.readInbound()).isNull();
            elsewhere(() -> embedded.channel().autoRead(true));
            embedded.runPending();
            Object read = embedded.readInbound();
            assertThat(read).isNotNull();
            Messages.release(Objects.requireNonNull(read));
            elsewhere(embedded.channel()::shutdownOutput);
            embedded.runPending();
            assertThat(embedded.isOutputShutdown()).isTrue();
        }
    }

    @Test
    void outputThatIsShutDownWhileConnectingEndsWhenConnected() {
        EventLoop loop = new EventLoop(new EmbeddedEngine(), new ManualClock());
        EmbeddedPeer peer = new EmbeddedPeer();
        Channel channel = new Channel(loop, ChannelOptions.DEFAULT);
        channel.life().attach(peer.handle(new StreamSide(channel)));
        channel.shutdownOutput();
        assertThat(peer.outputShutdown).isFalse();
        assertThat(channel.life().activate(_ -> {})).isNull();
        assertThat(peer.outputShutdown).isTrue();
        channel.abort();
    }
}
