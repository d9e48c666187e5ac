package io.weft.channel;

import io.weft.buffer.BufferAllocator;
import io.weft.channel.spi.ChannelHandle;
import io.weft.channel.spi.DatagramHandle;
import io.weft.channel.spi.StreamHandle;
import io.weft.loop.Future;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// A connection, or a socket for datagrams, with a pipeline, on any engine.
///
/// All its events happen on one loop. `write`, `flush`, `read`, `close` and `abort` may be called from any thread, and go
/// through the whole pipeline, from its last handler.
///
/// **Reading** goes on by itself. A channel that a listener accepted stops while it is not writable, so that a peer that asks
/// without taking the answers is not heard any more ([ChannelOption#READ_WHILE_UNWRITABLE]). With [ChannelOption#AUTO_READ] off,
/// each [#read] asks for one batch.
///
/// **Writing** queues; [#flush] sends. Beyond the high watermark [#isWritable] is false; at the cap a write fails with
/// [OutboundLimitException] and the channel closes: a slow reader costs its own connection at most.
///
/// **Closing** is orderly: what was flushed is sent first, unless the peer takes nothing of it for as long as
/// [ChannelOption#CLOSE_TIMEOUT], and input that nobody reads any more is discarded for a while, lest it turn the end into a
/// reset ([ChannelOption#LINGER_TIMEOUT]); [#abort] does not wait. The channel closes itself when its input ends, unless
/// [ChannelOption#ALLOW_HALF_CLOSURE] is on; then it does when it has [shut down its output][#shutdownOutput] as well.
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
    private boolean autoRead;
    private boolean readsWhileUnwritable;

    /// The channel has become writable again, and nothing has been read since. One batch is, before it stops to read once more:
    /// else a channel that is filled whenever it can be written to would never hear its peer.
    private boolean owesBatch;

    /// Whether somebody asked for a batch since the current one began.
    private boolean asked;

    private boolean inBatch;
    private boolean inputEnded;
    private boolean outputEnded;
    private @Nullable ConnectAttempt connecting;
    private @Nullable OrderlyClose closing;
    private volatile @Nullable Attributes attributes;

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
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such option
    /// @throws IOException when the kernel refuses, or the channel is closed
    public <T> T getOption(ChannelOption<T> option) throws IOException {
        return option.isOfSocket() ? open().option(option) : options.get(option);
    }

    /// Sets an option of the open channel. Loop only.
    ///
    /// @throws UnsupportedOperationException when this transport or kind of channel has no such option
    /// @throws IOException when the kernel refuses, or the channel is closed
    public <T> void setOption(ChannelOption<T> option, T value) throws IOException {
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

    /// What was attached to this channel. Any thread.
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

    /// False from the moment when somebody asked to close it.
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
        return outbound.pendingBytes();
    }

    /// Succeeds when the descriptor is closed.
    public Future<Void> closeFuture() {
        return closed;
    }

    /// Loop only; null when the connection is gone.
    public @Nullable SocketAddress localAddress() {
        return handle == null ? null : handle.localAddress();
    }

    /// Loop only; null when the connection is gone.
    public @Nullable SocketAddress remoteAddress() {
        return handle == null ? null : handle.remoteAddress();
    }

    /// The number of the descriptor, which stays the channel's; -1 where there is none, or the transport does not tell it.
    /// Loop only.
    public int descriptor() {
        return handle == null ? -1 : handle.descriptor();
    }

    /// The multicast groups of a datagram channel. Loop only.
    ///
    /// @throws UnsupportedOperationException when this is none
    /// @throws ClosedChannelException when it is closed
    public Multicast multicast() throws ClosedChannelException {
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

    /// Reads by itself or not, from now on. Loop only.
    public void autoRead(boolean on) {
        autoRead = on;
        if (on) {
            receiveByItself();
        } else if (handle != null) {
            handle.pause();
        }
    }

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

    /// Closes the sending direction (FIN) when everything flushed has been sent. Loop only.
    public void shutdownOutput() {
        outbound.shutdown();
    }

    /// Runs `write` on the loop; if the loop takes no more tasks, the message is released and the promise fails.
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
            Log.failure("initChannel threw; the channel closes", cause);
            closeNow(true);
            return cause;
        }
        pipeline.fireActive();
        receiveByItself();
        return null;
    }

    /// As [#activate(ChannelInitializer)], for somebody who waits for the channel; if he has given up, it closes.
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
        if (autoRead && (readsWhileUnwritable || owesBatch || outbound.isWritable())) {
            receive();
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
        if (closing != null) {
            closing.discarded(length);
        }
    }

    void receiveComplete() {
        inBatch = false;
        if (!autoRead && !asked && handle != null && state == State.ACTIVE) {
            handle.pause();
        } else if (!outbound.isWritable()) {
            stopReading();
        }
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
            if (!options.get(ChannelOption.ALLOW_HALF_CLOSURE) || isShut()) {
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

    /// Nobody handled `cause`. Only a connection is broken by a failure of the network; a handler that shut the output down
    /// has said why, and a reset would take that back.
    void unhandled(Throwable cause) {
        boolean told = pipeline.tellUnhandled(cause);
        if (cause instanceof IOException) {
            Log.debug("connection failed", cause);
            if (isDatagram()) {
                return;
            }
            if (state == State.ACTIVE && outbound.isShutdown()) {
                closeOrderly();
                return;
            }
        } else if (!told) {
            Log.failure("a handler threw and nobody caught it; its channel closes", cause);
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

    /// The queue is above its high watermark.
    void stopReading() {
        if (autoRead && !readsWhileUnwritable && !owesBatch && handle != null) {
            handle.pause();
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
        handle.pause();
        outbound.failUnflushed();
        closing = new OrderlyClose(this);
        closing.awaitSent();
        outbound.resume();
    }

    boolean isClosing() {
        return state == State.CLOSING;
    }

    /// Everything flushed has been sent.
    void allSent() {
        if (!(handle instanceof StreamHandle h)) {
            if (state == State.CLOSING) {
                closeNow(false);
            }
        } else if (closing != null && state == State.CLOSING) {
            closing.allSent(h, inputEnded);
        } else if (outbound.isShutdown() && !outputEnded && state == State.ACTIVE) {
            outputEnded = true;
            h.shutdownOutput();
            if (isShut()) {
                pipeline.close();
            }
        }
    }

    /// Neither side will say anything any more.
    private boolean isShut() {
        return inputEnded && outputEnded && options.get(ChannelOption.CLOSE_WHEN_SHUT);
    }

    void closeNow(boolean reset) {
        if (state == State.CLOSED) {
            return;
        }
        state = State.CLOSED;
        if (closing != null) {
            closing.end();
        }
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

    /// With that option a system's close waits until the peer has taken everything, also where nothing else ever waits, and all
    /// channels of the loop would wait with it. Without, the system sends in the background.
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
    }

    @Override
    public String toString() {
        return "Channel[" + state + ", remote=" + remoteAddress() + "]";
    }
}
