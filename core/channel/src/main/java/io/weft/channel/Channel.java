package io.weft.channel;

import io.weft.buffer.BufferAllocator;
import io.weft.channel.jfr.ConnectionRecord;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelHandle;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramHandle;
import io.weft.engine.Multicast;
import io.weft.eventloop.EventLoop;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// A connection, or a socket for datagrams, with a pipeline, on any engine.
///
/// All its events happen on one loop. `write`, `flush`, `read`, `close` and `abort` may be called
/// from any thread, and go through the whole pipeline, from its last handler.
///
/// **Reading** goes on by itself. A channel that a listener accepted stops while it is not
/// writable: a peer that sends requests without taking the answers gets back-pressure
/// ([ChannelOption#READ_WHILE_UNWRITABLE]). With [ChannelOption#AUTO_READ] off, each [#read] asks
/// for one batch.
///
/// **Writing** queues; [#flush] sends. Beyond the high watermark [#isWritable] is false; at the cap
/// a write fails with [OutboundLimitException] and the channel closes: a slow reader costs its own
/// connection at most.
///
/// **Closing** is orderly: flushed bytes are sent first, unless the peer takes none of them for as
/// long as [ChannelOption#CLOSE_TIMEOUT]; then FIN. Unless no byte was ever sent, the channel keeps
/// its descriptor until the peer's end, at most for [ChannelOption#LINGER_TIMEOUT], and discards
/// input, which would otherwise turn the end into a reset. [#abort] does not wait. The channel
/// closes itself when its input ends, unless [ChannelOption#ALLOW_HALF_CLOSURE] is on; then it does
/// when it has [shut down its output][#shutdownOutput] as well.
public final class Channel {
    private final EventLoop loop;
    private ChannelOptions options;
    private final ChannelPipeline pipeline = new ChannelPipeline(this);

    /// Completed by [Lifecycle].
    final Promise<Void> closed;

    private final Lifecycle life;
    private final Inbound inbound;
    private final Outbound outbound;

    /// Neighbours in the loop's list of open channels; owned by the loop.
    @Nullable Channel nextOpen;

    @Nullable Channel prevOpen;

    private volatile @Nullable Attributes attributes;

    /// Null unless a recording of JFR takes events of this connection; owned by the loop. It is
    /// here as an object of this class has room for it, and one of [Lifecycle] has not.
    @Nullable ConnectionRecord recorded;

    Channel(EventLoop loop, ChannelOptions options) {
        this.loop = loop;
        this.options = options;
        this.closed = loop.newPromise();
        this.life = new Lifecycle(this);
        this.inbound = new Inbound(this, life, options);
        this.outbound = new Outbound(this);
    }

    /// Makes a channel of a connection that something else carries, such as one stream among those
    /// of another channel. Its handle tells the channel what happens, on the loop. Loop only.
    ///
    /// @param connection adopted by this call, or closed
    /// @param initializer fills the pipeline; if it throws, the channel is aborted
    /// @return the channel, active unless a handler has closed it
    /// @throws IOException when the connection cannot be adopted
    public static Channel over(
            Accepted connection,
            EventLoop loop,
            ChannelOptions options,
            ChannelInitializer initializer)
            throws IOException {
        loop.requireLoop("over");
        Channel channel = new Channel(loop, options);
        channel.life().attach(loop.engine().adopt(connection, new StreamSide(channel)));
        var _ = channel.life().activate(initializer);
        return channel;
    }

    // ---- what it is ----

    public EventLoop eventLoop() {
        return loop;
    }

    public ChannelPipeline pipeline() {
        return pipeline;
    }

    public ChannelOptions options() {
        return options;
    }

    /// An option's value: of a socket option what the kernel has. Loop only.
    ///
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such
    ///     option
    /// @throws IOException when the kernel refuses, or the channel is closed
    public <T> T getOption(ChannelOption<T> option) throws IOException {
        loop.requireLoop("getOption");
        return option.isOfSocket() ? life.open().option(option) : options.get(option);
    }

    /// Sets an option of the open channel. Loop only.
    ///
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such
    ///     option
    /// @throws IOException when the kernel refuses, or the channel is closed
    public <T> void setOption(ChannelOption<T> option, T value) throws IOException {
        loop.requireLoop("setOption");
        if (option.isOfSocket()) {
            life.open().option(option, value);
        }
        options = options.with(option, value);
        if (option == ChannelOption.AUTO_READ) {
            autoRead((Boolean) value);
        } else if (option == ChannelOption.WRITE_BUFFER_WATER_MARK) {
            outbound.waterMarksMoved();
        } else if (option == ChannelOption.READ_WHILE_UNWRITABLE) {
            inbound.readsWhileUnwritable((Boolean) value);
        }
    }

    /// Returns the values that were attached to this channel. Any thread.
    public Attributes attributes() {
        Attributes there = attributes;
        return there == null ? newAttributes() : there;
    }

    private synchronized Attributes newAttributes() {
        Attributes there = attributes;
        if (there == null) {
            there = new Attributes();
            attributes = there;
        }
        return there;
    }

    public BufferAllocator allocator() {
        return BufferAllocator.pooled();
    }

    public boolean isActive() {
        return life.isActive();
    }

    /// Tells if the channel is open: false from the moment when a close is requested.
    public boolean isOpen() {
        return life.isOpen();
    }

    /// False while more than the high watermark waits to be sent, or is on its way from other
    /// threads to the loop: producers should wait for `channelWritabilityChanged`, which follows
    /// each false.
    ///
    /// Thread: any.
    public boolean isWritable() {
        return outbound.isWritable();
    }

    /// Bytes that wait to be sent. Loop only.
    public long pendingBytes() {
        loop.requireLoop("pendingBytes");
        return outbound.pendingBytes();
    }

    /// Succeeds when the descriptor is closed: after an orderly close not before the peer's end, or
    /// the end of the [wait for it][ChannelOption#LINGER_TIMEOUT].
    public Future<Void> closeFuture() {
        return closed;
    }

    /// The address of this end. A closed channel keeps it if it was asked for before.
    ///
    /// Thread: any.
    ///
    /// @return null where there is none, or the channel closed before it was asked for
    public @Nullable SocketAddress localAddress() {
        return life.addresses().local();
    }

    /// The address of the peer. A closed channel keeps it if it was asked for before.
    ///
    /// Thread: any.
    ///
    /// @return as [#localAddress]
    public @Nullable SocketAddress remoteAddress() {
        return life.addresses().remote();
    }

    /// Replaces the addresses that [#localAddress] and [#remoteAddress] tell from now on, where the
    /// connection is one that a proxy passes on. Nothing else changes: who needs the proxy's own
    /// address asks for it before. Loop only.
    ///
    /// @param local null where none is known
    /// @param remote null where none is known
    public void proxiedAddresses(@Nullable SocketAddress local, @Nullable SocketAddress remote) {
        loop.requireLoop("proxiedAddresses");
        life.addresses(local, remote);
    }

    /// The number of the descriptor, which stays the channel's; -1 where there is none, or the
    /// transport does not tell it. Loop only.
    public int descriptor() {
        loop.requireLoop("descriptor");
        ChannelHandle handle = life.handle();
        return handle == null ? -1 : handle.descriptor();
    }

    /// The multicast groups of a datagram channel. Loop only.
    ///
    /// @throws UnsupportedOperationException when this is none
    /// @throws ClosedChannelException when it is closed
    public Multicast multicast() throws ClosedChannelException {
        loop.requireLoop("multicast");
        if (life.open() instanceof DatagramHandle datagrams) {
            return new Multicast(datagrams);
        }
        throw new UnsupportedOperationException("multicast: of a stream (expected: of datagrams)");
    }

    public <V> Promise<V> newPromise() {
        return loop.newPromise();
    }

    // ---- operations, from any thread ----

    /// Writes without asking for the outcome, which allocates no promise.
    public void write(Object message) {
        write(message, null);
    }

    public void write(Object message, @Nullable Promise<Void> promise) {
        if (loop.inLoop()) {
            pipeline.write(message, promise);
        } else {
            QueuedWrite.queue(this, null, message, promise, false);
        }
    }

    public void flush() {
        if (loop.inLoop()) {
            pipeline.flush();
        } else {
            loop.execute(pipeline::flush);
        }
    }

    public void writeAndFlush(Object message) {
        writeAndFlush(message, null);
    }

    public void writeAndFlush(Object message, @Nullable Promise<Void> promise) {
        if (loop.inLoop()) {
            pipeline.write(message, promise);
            pipeline.flush();
        } else {
            QueuedWrite.queue(this, null, message, promise, true);
        }
    }

    /// Asks for one batch of input, where the channel does not read by itself.
    public void read() {
        if (loop.inLoop()) {
            pipeline.read();
        } else {
            loop.execute(pipeline::read);
        }
    }

    /// Reads by itself or not, from now on. The flag belongs to the application: a handler that
    /// needs a pause uses [ChannelHandlerContext#suspendReading].
    ///
    /// Thread: any; elsewhere than on the loop it becomes a task.
    public void autoRead(boolean on) {
        if (!loop.inLoop()) {
            loop.engine().close(() -> autoRead(on));
            return;
        }
        inbound.autoRead(on);
    }

    /// Tells if input is received without [#read]: auto-read is on, no handler suspends reading,
    /// and the channel is writable or reads regardless. Loop only.
    public boolean readsByItself() {
        loop.requireLoop("readsByItself");
        return inbound.mayReceive();
    }

    /// Tells if at least one handler suspends reading. Loop only.
    public boolean isReadingSuspended() {
        loop.requireLoop("isReadingSuspended");
        return inbound.isSuspended();
    }

    /// Tells if auto-read is on.
    ///
    /// Thread: any.
    public boolean autoRead() {
        return inbound.autoRead();
    }

    /// Closes in order; see the class. Closing twice changes nothing.
    public Future<Void> close() {
        if (loop.inLoop()) {
            pipeline.close();
        } else {
            loop.engine().close(pipeline::close);
        }
        return closed;
    }

    /// Closes at once with a reset (RST) to the peer; what waits to be sent is given up.
    public Future<Void> abort() {
        if (loop.inLoop()) {
            life.closeNow(true);
        } else {
            loop.engine().close(() -> life.closeNow(true));
        }
        return closed;
    }

    /// Closes this channel's descriptor and nothing else, for a connection that another holder goes
    /// on with: one that got the descriptor in a
    /// [DescriptorMessage][io.weft.engine.DescriptorMessage], or a process that inherited it. The
    /// peer sees no end and no reset, and socket options stay as they are. Pending writes fail, and
    /// input that was received and not read is lost: suspend reading before the other holder
    /// begins.
    ///
    /// Thread: the channel's loop.
    ///
    /// @return succeeds when the descriptor is closed
    /// @throws UnsupportedOperationException if it cannot have another holder (NIO, channels within
    ///     the JVM, datagrams); the channel stays open
    public Future<Void> detach() {
        loop.requireLoop("detach");
        life.detach();
        return closed;
    }

    /// Closes the sending direction (FIN) when everything flushed has been sent, and what handlers
    /// [hold][ChannelHandlerContext#holds], which they get a flush for. Later writes may go out
    /// before it as long as handlers hold others; they fail afterwards. Handlers hear of it
    /// ([ChannelHandler#shutdownOutput]): TLS sends its close_notify before the FIN.
    ///
    /// Thread: any; elsewhere than on the loop it becomes a task.
    public void shutdownOutput() {
        if (loop.inLoop()) {
            OutputEnd.ask(outbound);
        } else {
            loop.engine().close(() -> OutputEnd.ask(outbound));
        }
    }

    /// Tells if the channel closes itself when its input ends, or would do so right now: it may not
    /// stay half-open, or its output has ended before. Loop only.
    public boolean closesAtInputEnd() {
        return !options.get(ChannelOption.ALLOW_HALF_CLOSURE)
                || (life.outputEnded() && options.get(ChannelOption.CLOSE_WHEN_SHUT));
    }

    // ---- its parts ----

    Lifecycle life() {
        return life;
    }

    Inbound inbound() {
        return inbound;
    }

    Outbound outbound() {
        return outbound;
    }

    @Override
    public String toString() {
        return "Channel[" + life + ", remote=" + remoteAddress() + "]";
    }
}
