package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatCode;

import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Gather;
import io.weft.eventloop.EventLoop;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import io.weft.loop.Promise;
import io.weft.testkit.Warns;
import java.io.IOException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Channels whose engine fails in the midst of something else.
class HandleFaultsTest {
    /// Takes each send, and completes none.
    private static final class Kernel extends QuietStream {
        int sends;
        int closes;
        boolean reset;
        @Nullable Error noMemory;
        @Nullable Error sendFault;

        @Override
        public int send(Gather buffers) {
            sends++;
            if (sendFault != null) {
                throw sendFault;
            }
            return PENDING;
        }

        @Override
        public boolean discardInput() {
            if (noMemory != null) {
                throw noMemory;
            }
            return false;
        }

        @Override
        public void close(boolean withReset) {
            closes++;
            reset = withReset;
        }
    }

    private final Kernel kernel = new Kernel();
    private final EventLoop loop = new EventLoop(new EmbeddedEngine(), new ManualClock());
    private final Channel channel = new Channel(loop, ChannelOptions.DEFAULT);
    private final StreamSide side = new StreamSide(channel);

    private void activate(ChannelHandler handler) {
        channel.life().attach(kernel);
        channel.life().activate(ch -> ch.pipeline().addLast(handler));
    }

    /// As after a receive without memory: the kernel still reads what it sends.
    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void pendingSendIsNotRepeatedByAHandlerThatHearsOfAFailure(boolean closes) {
        activate(
                new ChannelHandler() {
                    @Override
                    public void exceptionCaught(ChannelHandlerContext ctx, Throwable cause) {
                        if (closes) {
                            ctx.close();
                        } else {
                            ctx.flush();
                        }
                    }
                });
        channel.writeAndFlush(BufferAllocator.pooled().allocate(1).writeAscii("x"));
        side.failed(new IOException("receive: no memory"));
        assertThat(kernel.sends).isOne();
        assertThat(kernel.closes).isOne();
        assertThat(kernel.reset).isTrue();
        side.closed();
    }

    @Test
    void closeEndsThoughInputCannotBeDiscarded() {
        activate(new ChannelHandler() {});
        kernel.noMemory = new OutOfMemoryError("on purpose");
        assertThatCode(channel::close).doesNotThrowAnyException();
        ((ManualExecutor) loop.executor()).advance(ChannelOption.LINGER_TIMEOUT.defaultValue());
        assertThat(kernel.closes).isOne();
        assertThat(kernel.reset).isFalse();
        side.closed();
    }

    /// Flushed bytes would else wait for the next flush, which may never come.
    @Test
    @Warns
    void sendThatRunsOutOfMemoryClosesTheChannel() {
        activate(new ChannelHandler() {});
        kernel.sendFault = new OutOfMemoryError("on purpose");
        Promise<Void> written = channel.newPromise();
        assertThatCode(
                        () ->
                                channel.writeAndFlush(
                                        BufferAllocator.pooled().allocate(1).writeAscii("x"),
                                        written))
                .doesNotThrowAnyException();
        assertThat(kernel.closes).isOne();
        assertThat(kernel.reset).isTrue();
        side.closed();
        assertThat(written.cause()).isInstanceOf(ClosedChannelException.class);
    }
}
