package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.Datagram;
import io.weft.loop.Future;
import io.weft.loop.ManualExecutor;
import java.nio.channels.ClosedChannelException;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

class ChannelGroupTest {
    private final ManualExecutor executor = new ManualExecutor();
    private final ChannelGroup group = new ChannelGroup(executor);
    private final EmbeddedChannel a = new EmbeddedChannel();
    private final EmbeddedChannel b = new EmbeddedChannel();
    private final EmbeddedChannel c = new EmbeddedChannel();

    ChannelGroupTest() {
        group.add(a.channel());
        group.add(b.channel());
        group.add(c.channel());
    }

    @AfterEach
    void close() {
        a.close();
        b.close();
        c.close();
    }

    private static Buffer text(String ascii) {
        return BufferAllocator.pooled().allocate(ascii.length()).writeAscii(ascii);
    }

    private Future<Void> done(Future<Void> future) {
        a.runPending();
        b.runPending();
        c.runPending();
        executor.runPending();
        assertThat(future.isDone()).isTrue();
        return future;
    }

    @Test
    void aBroadcastReachesAllWithoutACopy() {
        Future<Void> written = group.broadcast(text("hello"));
        assertThat(done(written).isSuccess()).isTrue();
        assertThat(a.takeOutboundText()).isEqualTo("hello");
        assertThat(b.takeOutboundText()).isEqualTo("hello");
        assertThat(c.takeOutboundText()).isEqualTo("hello");
    }

    @Test
    void oneMayTalkToAllOthers() {
        done(group.broadcast(text("hi"), ChannelGroup.except(b.channel())));
        assertThat(a.takeOutboundText()).isEqualTo("hi");
        assertThat(b.takeOutboundText()).isEmpty();
        assertThat(c.takeOutboundText()).isEqualTo("hi");
    }

    @Test
    void eachMayGetItsOwn() {
        done(
                group.broadcastEach(
                        channel -> text(channel == a.channel() ? "you" : "others"), _ -> true));
        assertThat(a.takeOutboundText()).isEqualTo("you");
        assertThat(b.takeOutboundText()).isEqualTo("others");
    }

    @Test
    void oneThatFailsDoesNotKeepTheOthersFromIt() {
        b.pipeline().addLast(new Refusing());
        Future<Void> written = group.broadcast(text("x"));
        assertThat(done(written).cause()).hasMessage("refused");
        assertThat(a.takeOutboundText()).isEqualTo("x");
        assertThat(c.takeOutboundText()).isEqualTo("x");
    }

    private static final class Refusing implements ChannelHandler {
        @Override
        public void write(
                ChannelHandlerContext ctx,
                Object message,
                io.weft.loop.@org.jspecify.annotations.Nullable Promise<Void> promise) {
            Messages.release(message);
            if (promise != null) {
                promise.tryFailure(new IllegalStateException("refused"));
            }
        }
    }

    @Test
    void aMessageThatOwnsSomethingCannotBeShared() {
        Datagram datagram = new Datagram(text("x"), null);
        assertThatThrownBy(() -> group.broadcast(datagram))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("io.weft.engine.Datagram");
    }

    @Test
    void whoClosesLeaves() {
        assertThat(group).hasSize(3);
        assertThat(group.contains(b.channel())).isTrue();
        b.receiveEnd();
        b.runPending();
        assertThat(group.contains(b.channel())).isFalse();
        assertThat(group.size()).isEqualTo(2);
        assertThat(group.add(b.channel())).isTrue();
        assertThat(group.contains(b.channel())).isFalse();
        assertThat(group.add(a.channel())).isFalse();
    }

    @Test
    void oneMayLeaveAndComeBack() {
        for (int i = 0; i < 3; i++) {
            assertThat(group.remove(a.channel())).isTrue();
            assertThat(group.remove(a.channel())).isFalse();
            done(group.broadcast(text("x")));
            assertThat(a.takeOutboundText()).isEmpty();
            assertThat(group.add(a.channel())).isTrue();
        }
        a.channel().abort();
        assertThat(group.size()).isEqualTo(2);
    }

    @Test
    void someMayBeClosed() {
        done(group.close(channel -> channel == c.channel()));
        assertThat(c.isClosed()).isTrue();
        assertThat(group.size()).isEqualTo(2);
        assertThat(a.isClosed()).isFalse();
    }

    @Test
    void whoComesAfterTheEndIsClosed() {
        assertThat(done(group.close()).isSuccess()).isTrue();
        assertThat(a.isClosed()).isTrue();
        assertThat(group.size()).isZero();
        try (EmbeddedChannel late = new EmbeddedChannel()) {
            group.add(late.channel());
            late.runPending();
            assertThat(late.isClosed()).isTrue();
            assertThat(group.size()).isZero();
        }
    }

    @Test
    void aWriteToOneThatIsJustClosingFails() {
        a.channel().abort();
        group.add(a.channel());
        Future<Void> written = group.broadcastEach(_ -> text("x"), channel -> true);
        assertThat(done(written).isSuccess()).isTrue();
        b.limitWindow(0);
        b.channel().write(text("stuck"));
        b.channel().flush();
        Future<Void> closing = b.channel().close();
        assertThat(closing.isDone()).isFalse();
        Future<Void> second = group.broadcast(text("y"));
        assertThat(done(second).cause()).isInstanceOf(ClosedChannelException.class);
    }
}
