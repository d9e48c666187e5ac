package io.weft.channel;

import io.weft.buffer.BufferAllocator;
import io.weft.engine.ChannelHandle;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.DatagramHandle;
import io.weft.engine.StreamHandle;
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
    private enum State {
        CONNECTING,
        ACTIVE,
        CLOSING,
        CLOSED
    }

    private final EventLoop loop;
    private ChannelOptions options;
    private final ChannelPipeline pipeline = new ChannelPipeline(this);
    private final Outbound outbound = new Outbound(this);
    private final Promise<Void> closed;

    /// Neighbours in the loop's list of open channels; owned by the loop.
    @Nullable Channel nextOpen;

    @Nullable Channel prevOpen;

    private @Nullable ChannelHandle handle;
    private volatile State state = State.CONNECTING;
    private volatile boolean autoRead;
    private boolean readsWhileUnwritable;

    /// The channel has become writable again, and nothing has been read since. One batch is, before
    /// it stops to read once more: else a channel that is filled whenever it can be written to
    /// would never hear its peer.
    private boolean owesBatch;

    /// A read was asked for, and no batch has begun since.
    private boolean asked;

    private boolean inBatch;

    /// Handlers that suspend reading ([ChannelHandlerContext#suspendReading]).
    private int suspensions;

    private boolean inputEnded;
    private boolean outputEnded;
    private @Nullable ConnectAttempt connecting;
    private @Nullable OrderlyClose closing;

    /// Counts this channel until it is closed; null if a listener did not accept it.
    private @Nullable ConnectionLimit limit;

    private volatile @Nullable Attributes attributes;

    /// Addresses of both ends, set when they are first asked for while the connection stands, or at
    /// its end. Set under this channel's lock, so that no thread asks for those of a descriptor
    /// that is closed meanwhile.
    private volatile @Nullable Addresses addresses;

    private record Addresses(@Nullable SocketAddress local, @Nullable SocketAddress remote) {
        static final Addresses NONE = new Addresses(null, null);

        static Addresses of(@Nullable ChannelHandle handle) {
            try {
                return handle == null
                        ? NONE
                        : new Addresses(handle.localAddress(), handle.remoteAddress());
            } catch (RuntimeException e) {
                Log.debug("addresses of a channel", e); // such as a path in a foreign encoding
                return NONE;
            }
        }
    }

    Channel(EventLoop loop, ChannelOptions options) {
        this.loop = loop;
        this.options = options;
        this.autoRead = options.get(ChannelOption.AUTO_READ);
        this.readsWhileUnwritable = options.get(ChannelOption.READ_WHILE_UNWRITABLE);
        this.closed = loop.newPromise();
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
        return option.isOfSocket() ? open().option(option) : options.get(option);
    }

    /// Sets an option of the open channel. Loop only.
    ///
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such
    ///     option
    /// @throws IOException when the kernel refuses, or the channel is closed
    public <T> void setOption(ChannelOption<T> option, T value) throws IOException {
        loop.requireLoop("setOption");
        if (option.isOfSocket()) {
            open().option(option, value);
        }
        options = options.with(option, value);
        if (option == ChannelOption.AUTO_READ) {
            autoRead((Boolean) value);
        } else if (option == ChannelOption.WRITE_BUFFER_WATER_MARK) {
            outbound.waterMarksMoved();
        } else if (option == ChannelOption.READ_WHILE_UNWRITABLE) {
            readsWhileUnwritable = (Boolean) value;
            if (!outbound.isWritable()) {
                stopReading();
            }
            receiveByItself();
        }
    }

    private ChannelHandle open() throws ClosedChannelException {
        if (handle == null || state == State.CLOSED) {
            throw new ClosedChannelException();
        }
        return handle;
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
        return state == State.ACTIVE;
    }

    /// Tells if the channel is open: false from the moment when a close is requested.
    public boolean isOpen() {
        return state == State.CONNECTING || state == State.ACTIVE;
    }

    /// False while more than the high watermark waits to be sent: producers should wait for
    /// `channelWritabilityChanged`.
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
        return addresses().local;
    }

    /// The address of the peer. A closed channel keeps it if it was asked for before.
    ///
    /// Thread: any.
    ///
    /// @return as [#localAddress]
    public @Nullable SocketAddress remoteAddress() {
        return addresses().remote;
    }

    /// Asked for when they are wanted: an idle connection holds none.
    private Addresses addresses() {
        Addresses known = addresses;
        if (known != null) {
            return known;
        }
        synchronized (this) {
            known = addresses;
            if (known == null) {
                known = Addresses.of(handle);
                if (state != State.CONNECTING) {
                    addresses = known;
                }
            }
            return known;
        }
    }

    /// The number of the descriptor, which stays the channel's; -1 where there is none, or the
    /// transport does not tell it. Loop only.
    public int descriptor() {
        loop.requireLoop("descriptor");
        return handle == null ? -1 : handle.descriptor();
    }

    /// The multicast groups of a datagram channel. Loop only.
    ///
    /// @throws UnsupportedOperationException when this is none
    /// @throws ClosedChannelException when it is closed
    public Multicast multicast() throws ClosedChannelException {
        loop.requireLoop("multicast");
        if (open() instanceof DatagramHandle datagrams) {
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
            onLoop(() -> pipeline.write(message, promise), message, promise);
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
            onLoop(() -> writeAndFlush(message, promise), message, promise);
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
            loop.executeClose(() -> autoRead(on));
            return;
        }
        autoRead = on;
        if (on) {
            receiveByItself();
        } else {
            asked = false;
            pause();
        }
    }

    /// Tells if input is received without [#read]: auto-read is on, no handler suspends reading,
    /// and the channel is writable or reads regardless. Loop only.
    public boolean readsByItself() {
        loop.requireLoop("readsByItself");
        return mayReceive();
    }

    private boolean mayReceive() {
        return autoRead
                && suspensions == 0
                && (readsWhileUnwritable || owesBatch || outbound.isWritable());
    }

    /// Tells if at least one handler suspends reading. Loop only.
    public boolean isReadingSuspended() {
        loop.requireLoop("isReadingSuspended");
        return suspensions > 0;
    }

    void suspendReading() {
        suspensions++;
        stopReading();
    }

    void resumeReading() {
        suspensions--;
        receiveByItself();
    }

    /// Stops the engine, unless it discards input for an orderly close.
    private void pause() {
        if (handle != null && state == State.ACTIVE) {
            handle.pause();
        }
    }

    /// Tells if auto-read is on.
    ///
    /// Thread: any.
    public boolean autoRead() {
        return autoRead;
    }

    /// Closes in order; see the class. Closing twice changes nothing.
    public Future<Void> close() {
        if (loop.inLoop()) {
            pipeline.close();
        } else {
            loop.executeClose(pipeline::close);
        }
        return closed;
    }

    /// Closes at once with a reset (RST) to the peer; what waits to be sent is given up.
    public Future<Void> abort() {
        if (loop.inLoop()) {
            closeNow(true);
        } else {
            loop.executeClose(() -> closeNow(true));
        }
        return closed;
    }

    /// Closes this channel's descriptor and nothing else, for a connection that another holder goes
    /// on with: one that got the descriptor in a [DescriptorMessage], or a process that inherited
    /// it. The peer sees no end and no reset, and socket options stay as they are. Pending writes
    /// fail, and input that was received and not read is lost: suspend reading before the other
    /// holder begins.
    ///
    /// Thread: the channel's loop.
    ///
    /// @return succeeds when the descriptor is closed
    /// @throws UnsupportedOperationException if it cannot have another holder (NIO, channels within
    ///     the JVM, datagrams); the channel stays open
    public Future<Void> detach() {
        loop.requireLoop("detach");
        if (state == State.CLOSED || handle == null) {
            return closed;
        }
        if (!(handle instanceof StreamHandle stream)) {
            throw new UnsupportedOperationException("detach: of datagrams (expected: a stream)");
        }
        stream.letGo();
        giveUpDescriptor();
        return closed;
    }

    /// Closes the sending direction (FIN) when everything flushed has been sent.
    ///
    /// Thread: any; elsewhere than on the loop it becomes a task.
    public void shutdownOutput() {
        if (loop.inLoop()) {
            outbound.shutdown();
        } else {
            loop.executeClose(outbound::shutdown);
        }
    }

    /// Runs `write` on the loop; if the loop takes no more tasks, the message is released and the
    /// promise fails.
    void onLoop(Runnable write, Object message, @Nullable Promise<Void> promise) {
        try {
            loop.execute(write);
        } catch (java.util.concurrent.RejectedExecutionException e) {
            Messages.release(message);
            if (promise == null) {
                throw e;
            }
            promise.tryFailure(e);
        }
    }

    // ---- the way in ----

    void countedBy(ConnectionLimit by) {
        limit = by;
        if (state == State.CLOSED && handle == null) {
            leaveLimit();
        }
    }

    private void leaveLimit() {
        ConnectionLimit counting = limit;
        limit = null;
        if (counting != null) {
            counting.leave();
        }
    }

    /// The channel has a descriptor, so the loop has to close it before it ends.
    void attach(ChannelHandle handle) {
        this.handle = handle;
        loop.opened(this);
    }

    /// The connection stands: fills the pipeline, tells it, starts to read.
    ///
    /// @return what the initializer threw, which closes the channel; else null
    @Nullable Throwable activate(ChannelInitializer initializer) {
        state = State.ACTIVE;
        try {
            initializer.initChannel(this);
        } catch (Throwable cause) {
            Log.failure("initChannel of " + initializer + " threw; closing " + this, cause);
            closeNow(true);
            return cause;
        }
        pipeline.fireActive();
        receiveByItself();
        if (outbound.isShutdown()) {
            outbound.resume(); // it was while this connected
        }
        return null;
    }

    /// As [#activate(ChannelInitializer)], and completes `promise`. If `promise` is done already,
    /// for instance cancelled, closes the channel.
    void activate(ChannelInitializer initializer, Promise<Channel> promise) {
        if (promise.isDone()) {
            closeNow(true);
            return;
        }
        Throwable failure = activate(initializer);
        if (failure != null) {
            promise.tryFailure(failure);
        } else if (!promise.trySuccess(this)) {
            closeNow(true);
        }
    }

    void receiveByItself() {
        if (mayReceive() && state == State.ACTIVE && handle != null) {
            handle.receive();
        }
    }

    /// The queue is below its low watermark again.
    void becameWritable() {
        owesBatch = true;
        pipeline.fireWritabilityChanged();
        receiveByItself();
    }

    /// An outbound connection is on its way; `promise` gets the outcome.
    void connecting(
            SocketAddress address, Promise<Channel> promise, ChannelInitializer initializer) {
        connecting = new ConnectAttempt(this, address, promise, initializer);
    }

    void connectFailed(Throwable cause) {
        ConnectAttempt attempt = endAttempt();
        closeNow(true);
        if (attempt != null) {
            attempt.promise.tryFailure(cause);
        }
    }

    private @Nullable ConnectAttempt endAttempt() {
        ConnectAttempt attempt = connecting;
        connecting = null;
        if (attempt != null) {
            attempt.end();
        }
        return attempt;
    }

    /// Does one [#read] that no handler kept.
    void receive() {
        if (state == State.ACTIVE && handle != null) {
            asked = true;
            handle.receive();
        }
    }

    // ---- what the engine tells ----

    void connected() {
        ConnectAttempt attempt = state == State.CONNECTING ? endAttempt() : null;
        if (attempt == null) {
            return;
        }
        activate(attempt.initializer, attempt.promise);
    }

    /// @param length of the message, in bytes
    void received(Object message, int length) {
        if (!inBatch) {
            inBatch = true;
            asked = false;
            owesBatch = false;
        }
        if (state == State.ACTIVE) {
            pipeline.fireRead(message);
            return;
        }
        Messages.release(message);
        if (closing != null && !closing.discarded(length) && handle != null) {
            handle.pause();
        }
    }

    void receiveComplete() {
        inBatch = false;
        stopReading();
        if (state == State.ACTIVE) {
            pipeline.fireReadComplete();
        }
    }

    void inputClosed() {
        inputEnded = true;
        if (closing != null) {
            closing.inputEnded();
        } else if (state == State.ACTIVE) {
            pipeline.fireInputClosed();
            if (closesAtInputEnd()) {
                pipeline.close();
            }
        }
    }

    void failed(IOException cause) {
        outbound.sendFailed();
        if (state == State.CONNECTING) {
            connectFailed(cause);
        } else {
            fail(cause);
        }
    }

    /// The connection is broken: handlers hear why, then that it is gone.
    void fail(IOException cause) {
        if (state == State.ACTIVE) {
            pipeline.fireException(cause);
        }
        closeNow(true);
    }

    /// Closes the channel after `cause`, which no handler handled. A failure of the network aborts
    /// connections only. If a handler has shut the output down or closed, the close stays orderly:
    /// a reset would take back what the handler said.
    ///
    /// @param thrower the handler that threw; null if the engine failed
    void unhandled(@Nullable ChannelHandlerContext thrower, Throwable cause) {
        boolean told = pipeline.tellUnhandled(cause);
        if (cause instanceof IOException) {
            Log.debug("connection failed: " + this, cause);
            if (isDatagram()) {
                return;
            }
            if (isClosing() || (state == State.ACTIVE && outbound.isShutdown())) {
                closeOrderly();
                return;
            }
        } else if (!told) {
            String by =
                    thrower == null ? "an exception" : "handler " + thrower.name() + " threw; it";
            Log.failure(
                    by + " was not handled by any of " + pipeline.names() + "; closing " + this,
                    cause);
        }
        closeNow(true);
    }

    // ---- for the sending side ----

    Outbound outbound() {
        return outbound;
    }

    boolean isDatagram() {
        return handle instanceof DatagramHandle;
    }

    void enqueue(Object message, @Nullable Promise<Void> promise) {
        outbound.enqueue(message, promise);
    }

    void flushQueue() {
        outbound.flush();
    }

    /// Null when nothing can be sent.
    @Nullable ChannelHandle sendingHandle() {
        return state == State.ACTIVE || state == State.CLOSING ? handle : null;
    }

    /// Stops to receive, unless the channel reads by itself or a read is outstanding.
    void stopReading() {
        if (!asked && !mayReceive()) {
            pause();
        }
    }

    // ---- the end ----

    void closeOrderly() {
        if (state == State.CLOSING) {
            return;
        }
        if (state != State.ACTIVE || handle == null) {
            closeNow(true);
            return;
        }
        state = State.CLOSING;
        OrderlyClose orderly = new OrderlyClose(this);
        closing = orderly;
        outbound.failUnflushed(); // listeners may abort, here and below
        if (isClosing()) {
            outbound.resume();
        }
        if (!isClosing() || orderly.isLingering() || handle == null) {
            return;
        }
        orderly.awaitSent();
        if (orderly.discardsInput() && handle instanceof StreamHandle) {
            handle.receive();
        } else {
            handle.pause();
        }
    }

    boolean isClosing() {
        return state == State.CLOSING;
    }

    /// Tells if the peer has ended its output.
    boolean isInputEnded() {
        return inputEnded;
    }

    /// Everything flushed has been sent.
    void allSent() {
        if (!(handle instanceof StreamHandle h)) {
            if (state == State.CLOSING) {
                closeNow(false);
            }
        } else if (closing != null && state == State.CLOSING) {
            closing.allSent(h, outputEnded);
        } else if (outbound.isShutdown() && !outputEnded && state == State.ACTIVE) {
            outputEnded = true;
            h.shutdownOutput();
            if (isShut()) {
                pipeline.close();
            }
        }
    }

    /// Tells if the channel closes itself when its input ends, or would do so right now: it may not
    /// stay half-open, or its output has ended before. Loop only.
    public boolean closesAtInputEnd() {
        return !options.get(ChannelOption.ALLOW_HALF_CLOSURE)
                || (outputEnded && options.get(ChannelOption.CLOSE_WHEN_SHUT));
    }

    /// Tells if both sides have ended their output, and the channel closes for it.
    private boolean isShut() {
        return inputEnded && outputEnded && options.get(ChannelOption.CLOSE_WHEN_SHUT);
    }

    /// The loop ends: what has not been sent is given up.
    void endNow() {
        closeNow(closing == null || !closing.isLingering());
    }

    /// From now on no thread asks the system for the addresses of a descriptor that may soon be
    /// another's. They are not asked for here: two system calls a connection are too much for an
    /// answer that hardly any needs.
    private synchronized void forgetDescriptor() {
        if (addresses == null) {
            addresses = Addresses.NONE;
        }
    }

    /// The descriptor goes, to nobody or to another holder: nothing is asked of it from now on.
    private void giveUpDescriptor() {
        forgetDescriptor();
        state = State.CLOSED;
        if (closing != null) {
            closing.end();
        }
    }

    void closeNow(boolean reset) {
        if (state == State.CLOSED) {
            return;
        }
        giveUpDescriptor();
        ChannelHandle h = handle;
        if (h == null) {
            afterClose();
        } else {
            if (!reset && options.get(ChannelOption.SO_LINGER) > 0) {
                doNotWait(h);
            }
            h.close(reset);
        }
    }

    /// With that option a system's close waits until the peer has taken everything, also where
    /// nothing else ever waits, and all channels of the loop would wait with it. Without, the
    /// system sends in the background.
    private static void doNotWait(ChannelHandle handle) {
        try {
            handle.option(ChannelOption.SO_LINGER, -1);
        } catch (IOException | UnsupportedOperationException e) {
            Log.debug("a channel closes without a change of its linger time", e);
        }
    }

    /// The engine has let go of everything.
    void afterClose() {
        state = State.CLOSED;
        handle = null;
        outbound.failAll();
        ConnectAttempt attempt = endAttempt();
        if (attempt != null) {
            attempt.promise.tryFailure(new ClosedChannelException());
        }
        loop.closed(this);
        Shortage.descriptorClosed();
        pipeline.fireInactive();
        pipeline.clear();
        closed.trySuccess(null);
        leaveLimit();
    }

    @Override
    public String toString() {
        return "Channel[" + state + ", remote=" + remoteAddress() + "]";
    }
}
