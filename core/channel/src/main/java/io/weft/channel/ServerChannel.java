package io.weft.channel;

import static io.weft.channel.Log.LOG;

import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.PassedDescriptor;
import io.weft.eventloop.EventLoop;
import io.weft.eventloop.process.Shortage;
import io.weft.loop.Future;
import io.weft.loop.LoopThread;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A listening channel: accepts connections and spreads them over the loops of a group.
///
/// At the maximum of connections ([ServerBootstrap#maxConnections]) it stops accepting until one of
/// them is closed. What the engine has accepted before it stopped waits here, without a channel.
///
/// When the process is out of descriptors it stops accepting, and goes on when one of ours is
/// closed. As others may close some too, it looks for itself from time to time, between 10 ms and a
/// second after it stopped.
public final class ServerChannel {
    static {
        LOG.prepare();
        Shortage.prepare();
    }

    /// Options that a connection does not inherit from its listener in Linux.
    private static final List<ChannelOption<?>> NOT_INHERITED =
            List.of(ChannelOption.SO_PRIORITY, ChannelOption.TCP_QUICKACK);

    private final EventLoop loop;
    private final Supplier<EventLoop> children;
    private final ChannelOptions childOptions;
    private final ChannelInitializer childInitializer;

    /// Options to be set for each connection; hardly ever any.
    private final List<ChannelOption<?>> notInherited;

    private final Promise<Void> closed;

    /// Neighbour in the loop's list of listeners; owned by the loop.
    @Nullable ServerChannel nextListener;

    private @Nullable ListenHandle handle;
    private volatile @Nullable SocketAddress localAddress;
    private boolean closing;
    private final AcceptPauses pauses = new AcceptPauses(this);
    private final ConnectionLimit limit;

    /// Accepted beyond the limit, in order.
    private final ArrayDeque<Accepted> waiting = new ArrayDeque<>(1);

    /// At the limit; told by [#hasRoom] when that has changed.
    private volatile boolean awaitsRoom;

    private boolean reportedLimit;

    ServerChannel(
            EventLoop loop,
            Supplier<EventLoop> children,
            ChannelOptions childOptions,
            ChannelInitializer childInitializer,
            ConnectionLimit limit) {
        this.limit = limit;
        this.loop = loop;
        this.children = children;
        this.childOptions = childOptions;
        this.childInitializer = childInitializer;
        this.notInherited = NOT_INHERITED.stream().filter(childOptions::isSet).toList();
        this.closed = loop.newPromise();
    }

    /// Loop only.
    void listen(SocketAddress address, ChannelOptions options) throws IOException {
        listening(loop.engine().listen(address, options, new Events()));
    }

    /// Loop only. Takes the descriptor over, also if this throws.
    void listen(PassedDescriptor descriptor, ChannelOptions options) throws IOException {
        ListenHandle h;
        try {
            h = loop.engine().listen(descriptor.number(), options, new Events());
        } catch (UnsupportedOperationException e) {
            descriptor.close();
            throw e;
        } catch (Throwable cause) {
            descriptor.take();
            throw cause;
        }
        descriptor.take();
        listening(h);
    }

    private void listening(ListenHandle h) {
        handle = h;
        localAddress = h.localAddress();
        OpenChannels.of(loop).opened(this);
        limit.add(this);
        h.accept();
        if (limit.isReached()) {
            awaitRoom();
        }
    }

    /// The bound address, with the port that the system chose for port 0.
    public SocketAddress localAddress() {
        SocketAddress address = localAddress;
        if (address == null) {
            throw new IllegalStateException("not bound yet");
        }
        return address;
    }

    public EventLoop eventLoop() {
        return loop;
    }

    /// The number of the descriptor, which stays the listener's, to be passed to another process
    /// ([PassedDescriptor#borrowed]); -1 where there is none, or the transport does not tell it.
    /// Loop only.
    public int descriptor() {
        loop.requireLoop("descriptor");
        return handle == null || closing ? -1 : handle.descriptor();
    }

    /// A socket option's value. Loop only.
    ///
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such
    ///     option
    /// @throws IOException when the kernel refuses, or the channel is closed
    public <T> T getOption(ChannelOption<T> option) throws IOException {
        return open().option(option);
    }

    /// Sets a socket option. Loop only.
    ///
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such
    ///     option
    /// @throws IOException when the kernel refuses, or the channel is closed
    public <T> void setOption(ChannelOption<T> option, T value) throws IOException {
        open().option(option, value);
    }

    private ListenHandle open() throws ClosedChannelException {
        if (handle == null || closing) {
            throw new ClosedChannelException();
        }
        return handle;
    }

    /// Stops accepting; accepted connections live on. Any thread.
    public Future<Void> close() {
        if (loop.inLoop()) {
            closeNow();
        } else {
            loop.engine().close(this::closeNow);
        }
        return closed;
    }

    /// Stops accepting, closes the accepted connections in order, and aborts those that are still
    /// open after `timeout`. The loops go on, with what others have on them. Any thread.
    ///
    /// If the bootstrap has bound several listeners, the connections of all of them are closed; the
    /// others still accept.
    ///
    /// @return succeeds when the connections are closed
    /// @throws IllegalArgumentException when `timeout` is negative
    public Future<Void> shutdownGracefully(Duration timeout) {
        if (timeout.isNegative()) {
            throw new IllegalArgumentException("timeout: " + timeout + " (expected: >= 0)");
        }
        Promise<Void> ended = loop.newPromise();
        var _ =
                close().addListener(
                                _ ->
                                        limit.closeAll(loop, timeout)
                                                .addListener(_ -> ended.trySuccess(null)));
        return ended;
    }

    public Future<Void> closeFuture() {
        return closed;
    }

    private void closeNow() {
        if (!closing && handle != null) {
            closing = true;
            handle.close();
        }
    }

    private final class Events implements ListenEvents {
        @Override
        public void accepted(Accepted connection) {
            LoopThread.working(); // as in Channel.Events
            try {
                pauses.accepted();
                admit(connection);
            } catch (Throwable cause) {
                notAccepted(cause);
            }
        }

        @Override
        public void exhausted(IOException cause) {
            pauses.exhausted(cause);
        }

        @Override
        public void closed() {
            closing = true; // also where the engine found that it listens no more
            limit.remove(ServerChannel.this);
            waiting.forEach(Accepted::close);
            waiting.clear();
            pauses.end();
            OpenChannels.of(loop).closed(ServerChannel.this);
            Shortage.descriptorClosed();
            closed.trySuccess(null);
        }
    }

    /// Loop only.
    void acceptAgain() {
        if (!closing && handle != null && !awaitsRoom) {
            handle.accept();
        }
    }

    // ---- the maximum of connections ----

    private void admit(Accepted connection) {
        if (!waiting.isEmpty() || !limit.enter()) {
            keep(connection);
        } else {
            handOver(connection);
        }
        if (!waiting.isEmpty() || limit.isReached()) {
            awaitRoom();
        }
    }

    private void keep(Accepted connection) {
        if (closing) {
            connection.close();
            return;
        }
        try {
            waiting.add(connection);
        } catch (Throwable cause) {
            connection.close();
            throw cause;
        }
    }

    private void awaitRoom() {
        if (handle == null || closing || awaitsRoom) {
            return;
        }
        if (!reportedLimit) {
            reportedLimit = true;
            LOG.info(
                    "not accepting on "
                            + this
                            + " for now: maxConnections "
                            + limit.max()
                            + " reached (told once)");
        }
        awaitsRoom = true;
        handle.pause();
        if (!limit.isReached()) {
            hasRoom(); // a connection was closed before it could see that this waits
        }
    }

    /// Goes on accepting if this awaits room. Any thread.
    void hasRoom() {
        if (awaitsRoom) {
            try {
                loop.engine().close(this::goOn);
            } catch (Throwable cause) {
                LOG.failure("a listener was not told that it may accept again: " + this, cause);
            }
        }
    }

    private void goOn() {
        if (!awaitsRoom || closing) {
            return;
        }
        awaitsRoom = false;
        try {
            while (!waiting.isEmpty() && limit.enter()) {
                handOver(waiting.remove());
            }
        } catch (Throwable cause) {
            notAccepted(cause);
        }
        if (!waiting.isEmpty() || limit.isReached()) {
            awaitRoom();
        } else {
            acceptAgain(); // also during a pause: its own attempt may have come while this waited
        }
    }

    // ---- from here to a loop ----

    /// A connection on its way to its loop. Taken once: registered there, or closed because the way
    /// is barred.
    private final class Handover extends AtomicBoolean implements Runnable {
        private static final long serialVersionUID = 1;

        @SuppressWarnings("serial") // never serialized
        private final Accepted connection;

        @SuppressWarnings("serial")
        private final EventLoop target;

        Handover(Accepted connection, EventLoop target) {
            this.connection = connection;
            this.target = target;
        }

        @Override
        public void run() {
            if (compareAndSet(false, true)) {
                register(target, connection);
            }
        }

        void giveUp() {
            if (compareAndSet(false, true)) {
                connection.close();
                limit.leave();
            }
        }
    }

    private void handOver(Accepted connection) {
        EventLoop target;
        @Nullable Handover handover;
        try {
            target = children.get();
            handover = target.inLoop() ? null : new Handover(connection, target);
        } catch (Throwable cause) {
            connection.close();
            limit.leave();
            throw cause;
        }
        if (handover == null) {
            register(target, connection);
            return;
        }
        try {
            target.execute(handover);
        } catch (RejectedExecutionException e) {
            handover.giveUp();
        } catch (Throwable cause) {
            handover.giveUp();
            throw cause;
        }
    }

    /// A connection was lost to something that may pass, such as a thread that cannot be started.
    /// The listener pauses as it does without a descriptor.
    private void notAccepted(Throwable cause) {
        try {
            if (!closing && handle != null) {
                handle.pause();
                pauses.exhausted(cause);
            }
        } catch (Throwable noPause) {
            LOG.failure("a listener could not pause: " + this, noPause);
            acceptAgain();
        }
    }

    private void register(EventLoop target, Accepted connection) {
        if (!target.engine().isOpen()) {
            connection.close();
            limit.leave();
            return;
        }
        Channel channel;
        try {
            channel = new Channel(target, childOptions);
        } catch (Throwable cause) {
            connection.close();
            limit.leave();
            LOG.failure("an accepted connection got no channel", cause);
            return;
        }
        try {
            channel.life().attach(target.engine().adopt(connection, new StreamSide(channel)));
        } catch (IOException e) {
            LOG.debug("an accepted connection could not be registered", e); // and is closed
            limit.leave();
            return;
        } catch (Throwable cause) {
            connection.close();
            limit.leave();
            LOG.failure("an accepted connection could not be registered", cause);
            return;
        }
        channel.life().countedBy(limit);
        try {
            for (ChannelOption<?> option : notInherited) {
                configure(channel, option);
            }
            channel.life().activate(childInitializer);
        } catch (Throwable cause) {
            LOG.failure("an accepted connection could not begin: " + channel, cause);
            channel.life().closeNow(true);
        }
    }

    private <T> void configure(Channel channel, ChannelOption<T> option) {
        try {
            channel.setOption(option, childOptions.get(option));
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("an accepted connection does without an option", e);
        }
    }

    @Override
    public String toString() {
        return "ServerChannel[" + localAddress + "]";
    }
}
