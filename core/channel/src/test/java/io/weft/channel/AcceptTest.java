package io.weft.channel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatIllegalArgumentException;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.LocalAddress;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Future;
import io.weft.loop.ManualClock;
import io.weft.loop.ManualExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

/// A listener on a scripted engine.
class AcceptTest {
    private static final LocalAddress ADDRESS = LocalAddress.of("accept");

    private final Listening engine = new Listening();
    private final EventLoop loop = new EventLoop(engine, new ManualClock());
    private final List<Channel> accepted = new ArrayList<>();
    private @Nullable Error refusal;
    private ConnectionLimit limit = new ConnectionLimit(ConnectionLimit.DEFAULT, List.of(loop));

    @AfterEach
    void end() {
        loop.shutdownGracefully();
        ((ManualExecutor) loop.executor()).runPending();
    }

    private ServerChannel listen(Supplier<EventLoop> children) throws IOException {
        ServerChannel server =
                new ServerChannel(loop, children, ChannelOptions.DEFAULT, accepted::add, limit);
        server.listen(new java.net.InetSocketAddress(0), ChannelOptions.DEFAULT);
        return server;
    }

    private EventLoop next() {
        if (refusal != null) {
            throw refusal;
        }
        return loop;
    }

    @Test
    void errorDuringHandOverPausesTheListenerAndClosesTheConnection() throws IOException {
        ServerChannel server = listen(this::next);
        refusal = new OutOfMemoryError("unable to create native thread");
        Connection lost = new Connection();
        engine.events().accepted(lost);
        assertThat(lost.closes).isEqualTo(1);
        assertThat(server.closeFuture().isDone()).isFalse();
        assertThat(engine.accepting).isFalse();

        refusal = null;
        ((ManualExecutor) loop.executor()).advance(Duration.ofMillis(10));
        assertThat(engine.accepting).isTrue();
        Connection served = new Connection();
        engine.events().accepted(served);
        assertThat(served.closes).isZero();
        assertThat(served.peer.closed).isFalse();
    }

    @Test
    void connectionForALoopThatHasEndedIsClosed() throws IOException {
        EventLoop dead = new EventLoop(new EmbeddedEngine(), new ManualClock());
        ServerChannel server = listen(() -> dead);
        dead.shutdownGracefully();
        ((ManualExecutor) dead.executor()).runPending();
        Connection lost = new Connection();
        engine.events().accepted(lost);
        assertThat(lost.closes).isEqualTo(1);
        assertThat(engine.accepting).isTrue();
        assertThat(server.closeFuture().isDone()).isFalse();
    }

    @Test
    void listenerStopsAtTheMaximumAndGoesOnWhenOneCloses() throws IOException {
        limit = new ConnectionLimit(1, List.of(loop));
        ServerChannel server = listen(this::next);
        engine.events().accepted(new Connection());
        assertThat(engine.accepting).isFalse();
        Connection second = new Connection();
        engine.events().accepted(second); // was on its way
        assertThat(accepted).hasSize(1);
        assertThat(second.closes).isZero();

        accepted.getFirst().close();
        ((ManualExecutor) loop.executor()).runPending();
        assertThat(accepted).hasSize(2);
        assertThat(engine.accepting).isFalse();
        accepted.getLast().abort();
        ((ManualExecutor) loop.executor()).runPending();
        assertThat(engine.accepting).isTrue();
        assertThat(server.closeFuture().isDone()).isFalse();
    }

    @Test
    void shutdownTakesAsLongAsItIsGiven() throws IOException {
        ServerChannel server = listen(this::next);
        engine.events().accepted(new Connection());
        Future<Void> end = server.shutdownGracefully(Duration.ofSeconds(Long.MAX_VALUE));
        ((ManualExecutor) loop.executor()).runPending();
        assertThat(end.isSuccess()).isTrue();
        assertThat(accepted.getFirst().isOpen()).isFalse();
        assertThatIllegalArgumentException()
                .isThrownBy(() -> server.shutdownGracefully(Duration.ofMillis(-1)));
    }

    @Test
    void whatWaitsAtTheMaximumIsClosedWithTheListener() throws IOException {
        limit = new ConnectionLimit(1, List.of(loop));
        ServerChannel server = listen(this::next);
        engine.events().accepted(new Connection());
        Connection second = new Connection();
        engine.events().accepted(second);
        server.close();
        assertThat(second.closes).isEqualTo(1);
        assertThat(accepted).hasSize(1);
    }

    @Test
    void connectionThatIsLostOnItsWayIsNotCounted() throws IOException {
        limit = new ConnectionLimit(1, List.of(loop));
        var _ = listen(this::next);
        refusal = new OutOfMemoryError("unable to create native thread");
        engine.events().accepted(new Connection());
        refusal = null;
        ((ManualExecutor) loop.executor()).advance(Duration.ofMillis(10));
        engine.events().accepted(new Connection());
        assertThat(accepted).hasSize(1);
    }

    /// A connection of an embedded channel.
    private static final class Connection implements Accepted {
        final EmbeddedPeer peer = new EmbeddedPeer();
        int closes;

        @Override
        public void close() {
            closes++;
        }
    }

    private static final class Listening implements Engine, ListenHandle {
        boolean accepting;
        private @Nullable ListenEvents events;

        ListenEvents events() {
            return Objects.requireNonNull(events);
        }

        @Override
        public ListenHandle listen(SocketAddress a, ChannelOptions o, ListenEvents e) {
            events = e;
            return this;
        }

        @Override
        public StreamHandle adopt(Accepted accepted, StreamEvents e) {
            return ((Connection) accepted).peer.handle(e);
        }

        @Override
        public StreamHandle connect(SocketAddress a, ChannelOptions o, StreamEvents e) {
            throw new AssertionError("connects nowhere");
        }

        @Override
        public void accept() {
            accepting = true;
        }

        @Override
        public void pause() {
            accepting = false;
        }

        @Override
        public SocketAddress localAddress() {
            return ADDRESS;
        }

        @Override
        public <T> T option(ChannelOption<T> option) {
            throw new UnsupportedOperationException();
        }

        @Override
        public <T> void option(ChannelOption<T> option, T value) {
            throw new UnsupportedOperationException();
        }

        @Override
        public void close() {
            accepting = false;
            ListenEvents told = events;
            events = null;
            if (told != null) {
                told.closed();
            }
        }

        @Override
        public void poll(long timeoutNanos) {}

        @Override
        public void wakeup() {}
    }
}
