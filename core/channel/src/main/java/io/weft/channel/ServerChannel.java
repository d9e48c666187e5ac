package io.weft.channel;

import io.weft.channel.spi.Accepted;
import io.weft.channel.spi.ListenEvents;
import io.weft.channel.spi.ListenHandle;
import io.weft.loop.Future;
import io.weft.loop.LoopThread;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/// A listening channel: accepts connections and spreads them over the loops of a group.
///
/// When the process is out of descriptors it stops accepting, and goes on when one of ours is closed. As others may close
/// some too, it looks for itself from time to time, between 10 ms and a second after it stopped.
public final class ServerChannel {
    static {
        Log.prepare();
        Shortage.prepare();
    }

    /// What a connection does not get from its listener in Linux.
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

    ServerChannel(
            EventLoop loop,
            Supplier<EventLoop> children,
            ChannelOptions childOptions,
            ChannelInitializer childInitializer) {
        this.loop = loop;
        this.children = children;
        this.childOptions = childOptions;
        this.childInitializer = childInitializer;
        this.notInherited = NOT_INHERITED.stream().filter(childOptions::isSet).toList();
        this.closed = loop.newPromise();
    }

    /// Loop only.
    void listen(SocketAddress address, ChannelOptions options) throws IOException {
        ListenHandle h = loop.listen(address, options, new Events());
        handle = h;
        localAddress = h.localAddress();
        loop.opened(this);
        h.accept();
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

    /// A socket option's value. Loop only.
    ///
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such option
    /// @throws IOException when the kernel refuses, or the channel is closed
    public <T> T getOption(ChannelOption<T> option) throws IOException {
        return open().option(option);
    }

    /// Sets a socket option. Loop only.
    ///
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such option
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
            loop.executeClose(this::closeNow);
        }
        return closed;
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
            pauses.accepted();
            EventLoop target = children.get();
            if (target.inLoop()) {
                register(target, connection);
                return;
            }
            try {
                target.execute(() -> register(target, connection));
            } catch (RejectedExecutionException e) {
                connection.close();
            }
        }

        @Override
        public void exhausted(IOException cause) {
            pauses.exhausted(cause);
        }

        @Override
        public void closed() {
            closing = true; // also where the engine found that it listens no more
            pauses.end();
            loop.closed(ServerChannel.this);
            Shortage.descriptorClosed();
            closed.trySuccess(null);
        }
    }

    /// Loop only.
    void acceptAgain() {
        if (!closing && handle != null) {
            handle.accept();
        }
    }

    private void register(EventLoop target, Accepted connection) {
        if (!target.takesChannels()) {
            connection.close();
            return;
        }
        Channel channel = new Channel(target, childOptions);
        try {
            channel.attach(target.adopt(connection, new StreamSide(channel)));
        } catch (IOException e) {
            Log.debug("an accepted connection could not be registered", e);
            return;
        }
        for (ChannelOption<?> option : notInherited) {
            configure(channel, option);
        }
        channel.activate(childInitializer);
    }

    private <T> void configure(Channel channel, ChannelOption<T> option) {
        try {
            channel.setOption(option, childOptions.get(option));
        } catch (IOException | UnsupportedOperationException e) {
            Log.debug("an accepted connection does without an option", e);
        }
    }

    @Override
    public String toString() {
        return "ServerChannel[" + localAddress + "]";
    }
}
