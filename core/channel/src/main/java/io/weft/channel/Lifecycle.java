package io.weft.channel;

import static io.weft.channel.Log.LOG;

import io.weft.channel.jfr.ConnectionRecord;
import io.weft.engine.ChannelHandle;
import io.weft.engine.ChannelOption;
import io.weft.engine.DatagramHandle;
import io.weft.engine.StreamHandle;
import io.weft.eventloop.process.Shortage;
import io.weft.loop.Promise;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// The life of a channel, from the attempt to connect to the engine's last word, with the handle
/// that the engine gave for it. On the channel's loop, but for the state and the addresses, which
/// any thread may ask for.
///
/// ```
/// CONNECTING ──▶ ACTIVE ──▶ CLOSING ──▶ CLOSED
///      └────────────┴───────────────────▲
/// ```
///
/// A channel closes orderly, by CLOSING ([OrderlyClose]), or at once. It is CLOSED when its handle
/// has been told to close; [#afterClose] follows when the engine has let go.
final class Lifecycle {
    private enum State {
        CONNECTING,
        ACTIVE,
        CLOSING,
        CLOSED
    }

    private final Channel channel;
    private @Nullable ChannelHandle handle;
    private volatile State state = State.CONNECTING;
    private boolean outputEnded;

    /// Handlers have been told of the end, and stay no longer.
    private boolean over;

    /// A [ConnectAttempt] at the beginning, an [OrderlyClose] at the end; null between them.
    private @Nullable Object phase;

    /// Counts this channel until it is closed; null if a listener did not accept it.
    private @Nullable ConnectionLimit limit;

    /// Addresses of both ends, set when they are first asked for while the connection stands, or at
    /// its end. Set under this object's lock, so that no thread asks for those of a descriptor that
    /// is closed meanwhile.
    private volatile @Nullable Addresses addresses;

    /// @param local null where there is none
    /// @param remote null where there is none
    /// @param peer of the handle, whatever a proxy says; null where there is none
    record Addresses(
            @Nullable SocketAddress local,
            @Nullable SocketAddress remote,
            @Nullable SocketAddress peer) {
        static final Addresses NONE = new Addresses(null, null, null);

        static Addresses of(@Nullable ChannelHandle handle) {
            if (handle == null) {
                return NONE;
            }
            try {
                SocketAddress peer = handle.remoteAddress();
                return new Addresses(handle.localAddress(), peer, peer);
            } catch (RuntimeException e) {
                LOG.debug("addresses of a channel", e); // such as a path in a foreign encoding
                return NONE;
            }
        }
    }

    Lifecycle(Channel channel) {
        this.channel = channel;
    }

    // ---- any thread ----

    boolean isActive() {
        return state == State.ACTIVE;
    }

    boolean isOpen() {
        State now = state;
        return now == State.CONNECTING || now == State.ACTIVE;
    }

    boolean isClosing() {
        return state == State.CLOSING;
    }

    /// Asked for when they are wanted: an idle connection holds none.
    Addresses addresses() {
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

    /// Sets what [#addresses] tells from now on.
    void addresses(@Nullable SocketAddress local, @Nullable SocketAddress remote) {
        synchronized (this) {
            addresses = new Addresses(local, remote, isDatagram() ? addresses().peer() : null);
        }
    }

    // ---- the handle ----

    /// Returns null where there is none, or none any longer.
    @Nullable ChannelHandle handle() {
        return handle;
    }

    /// Returns the handle of a channel that is not closed.
    ChannelHandle open() throws ClosedChannelException {
        if (handle == null || state == State.CLOSED) {
            throw new ClosedChannelException();
        }
        return handle;
    }

    /// Returns null unless the channel is active.
    @Nullable ChannelHandle activeHandle() {
        return state == State.ACTIVE ? handle : null;
    }

    /// Returns null when nothing can be sent.
    @Nullable ChannelHandle sendingHandle() {
        State now = state;
        return now == State.ACTIVE || now == State.CLOSING ? handle : null;
    }

    boolean isDatagram() {
        return handle instanceof DatagramHandle;
    }

    // ---- the beginning ----

    void countedBy(ConnectionLimit by) {
        limit = by;
        if (state == State.CLOSED && handle == null) {
            leaveLimit();
        }
    }

    boolean isCountedBy(ConnectionLimit by) {
        return limit == by;
    }

    private void leaveLimit() {
        ConnectionLimit counting = limit;
        limit = null;
        if (counting != null) {
            counting.leave();
        }
    }

    /// The channel has a descriptor, so the loop has to close it before it ends.
    void attach(ChannelHandle itsHandle) {
        handle = itsHandle;
        OpenChannels.of(channel.eventLoop()).opened(channel);
    }

    /// The connection stands: fills the pipeline, tells it, starts to read.
    ///
    /// @return what the initializer threw, which closes the channel; else null
    @Nullable Throwable activate(ChannelInitializer initializer) {
        state = State.ACTIVE;
        if (!isDatagram()) {
            if (ConnectionRecord.isPossible()) {
                Addresses known = addresses();
                channel.recorded =
                        ConnectionRecord.open(known.local(), known.remote(), limit != null);
            }
        }
        try {
            initializer.initChannel(channel);
        } catch (Throwable cause) {
            LOG.failure("initChannel of " + initializer + " threw; closing " + channel, cause);
            closeNow(true);
            return cause;
        }
        channel.pipeline().fireActive();
        channel.inbound().receiveByItself();
        OutputEnd.goOn(channel.outbound()); // if it was asked for while this connected
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
        } else if (!promise.trySuccess(channel)) {
            closeNow(true);
        }
    }

    /// An outbound connection is on its way; `promise` gets the outcome.
    void connecting(
            SocketAddress address, Promise<Channel> promise, ChannelInitializer initializer) {
        phase = new ConnectAttempt(channel, address, promise, initializer);
    }

    void connected() {
        ConnectAttempt attempt = state == State.CONNECTING ? endAttempt() : null;
        if (attempt != null) {
            activate(attempt.initializer, attempt.promise);
        }
    }

    void connectFailed(Throwable cause) {
        ConnectAttempt attempt = endAttempt();
        closeNow(true);
        if (attempt != null) {
            attempt.promise.tryFailure(cause);
        }
    }

    private @Nullable ConnectAttempt endAttempt() {
        if (!(phase instanceof ConnectAttempt attempt)) {
            return null;
        }
        phase = null;
        attempt.end();
        return attempt;
    }

    // ---- failures ----

    /// A send may still be pending, and the buffers the kernel's: nothing more is sent before the
    /// channel closes.
    void failed(IOException cause) {
        if (state == State.CONNECTING) {
            connectFailed(cause);
        } else {
            fail(cause);
        }
    }

    /// The connection is broken: handlers hear why, then that it is gone.
    void fail(IOException cause) {
        if (state == State.ACTIVE) {
            channel.pipeline().fireException(cause);
        }
        closeNow(true);
    }

    /// Closes a stream after `cause`, which no handler handled. A datagram channel goes on, as any
    /// sender could close it otherwise, unless a handler could not be added.
    ///
    /// @param thrower the handler that threw; null if the exception was fired
    void unhandled(@Nullable ChannelHandlerContext thrower, Throwable cause) {
        if (!isDatagram() || (thrower != null && thrower.isRemoved())) {
            broken(thrower, cause);
        } else if (thrower == null && cause instanceof IOException) {
            LOG.debug("a datagram was refused: " + channel, cause);
        } else {
            Log.unhandled(thrower, cause, channel);
        }
    }

    /// Closes the channel. If handlers have ended the output or closed, and the network failed, the
    /// close stays orderly: a reset would take back what they said. One that still holds bytes has
    /// not: an orderly end would make what was sent look whole.
    ///
    /// @param thrower the handler that threw; null if the channel itself failed
    void broken(@Nullable ChannelHandlerContext thrower, Throwable cause) {
        boolean told = channel.pipeline().tellUnhandled(cause);
        if (cause instanceof IOException) {
            LOG.debug("connection failed: " + channel, cause);
            if (isClosing() || (state == State.ACTIVE && OutputEnd.isEnding(channel.outbound()))) {
                closeOrderly();
                return;
            }
        } else if (!told) {
            LOG.failure(Log.unhandledText(thrower, channel) + "; closing " + channel, cause);
        }
        closeNow(true);
    }

    // ---- the end ----

    /// Returns the orderly close that has begun; null before.
    @Nullable OrderlyClose closing() {
        return phase instanceof OrderlyClose orderly ? orderly : null;
    }

    void closeOrderly() {
        if (state == State.CLOSING) {
            return;
        }
        if (state != State.ACTIVE || handle == null) {
            closeNow(true);
            return;
        }
        state = State.CLOSING;
        OrderlyClose orderly = new OrderlyClose(channel);
        phase = orderly;
        channel.outbound().failUnflushed(); // listeners may abort, here and below
        if (isClosing()) {
            channel.outbound().resume();
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

    /// Counts input that nobody will read.
    ///
    /// @param length in bytes
    void discarded(int length) {
        OrderlyClose orderly = closing();
        if (orderly != null && !orderly.discarded(length) && handle != null) {
            handle.pause();
        }
    }

    /// Tells if handlers have heard that the channel is inactive, and are being removed.
    boolean isOver() {
        return over;
    }

    boolean outputEnded() {
        return outputEnded;
    }

    /// Everything flushed has been sent.
    void allSent() {
        if (!(handle instanceof StreamHandle h)) {
            if (state == State.CLOSING) {
                closeNow(false);
            }
        } else if (state == State.CLOSING && phase instanceof OrderlyClose orderly) {
            orderly.allSent(h, outputEnded);
        } else if (OutputEnd.isBegun(channel.outbound()) && !outputEnded && state == State.ACTIVE) {
            outputEnded = true;
            h.shutdownOutput();
            if (isShut()) {
                channel.pipeline().close();
            }
        }
    }

    /// Tells if both sides have ended their output, and the channel closes for it.
    private boolean isShut() {
        return channel.inbound().isEnded()
                && outputEnded
                && channel.options().get(ChannelOption.CLOSE_WHEN_SHUT);
    }

    /// The loop ends: what has not been sent is given up.
    void endNow() {
        OrderlyClose orderly = closing();
        closeNow(orderly == null || !orderly.isLingering());
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
            if (!reset && channel.options().get(ChannelOption.SO_LINGER) > 0) {
                doNotWait(h);
            }
            h.close(reset);
        }
    }

    /// Lets another holder go on with the descriptor, unless it is closed already.
    void detach() {
        ChannelHandle h = handle;
        if (state == State.CLOSED || h == null) {
            return;
        }
        if (!(h instanceof StreamHandle stream)) {
            throw new UnsupportedOperationException("detach: of datagrams (expected: a stream)");
        }
        stream.letGo();
        giveUpDescriptor();
    }

    /// With that option a system's close waits until the peer has taken everything, also where
    /// nothing else ever waits, and all channels of the loop would wait with it. Without, the
    /// system sends in the background.
    private static void doNotWait(ChannelHandle handle) {
        try {
            handle.option(ChannelOption.SO_LINGER, -1);
        } catch (IOException | UnsupportedOperationException e) {
            LOG.debug("a channel closes without a change of its linger time", e);
        }
    }

    /// The descriptor goes, to nobody or to another holder: nothing is asked of it from now on.
    private void giveUpDescriptor() {
        forgetDescriptor();
        state = State.CLOSED;
        if (phase instanceof OrderlyClose orderly) {
            orderly.end();
        }
    }

    /// From now on no thread asks the system for the addresses of a descriptor that may soon be
    /// another's. They are not asked for here: two system calls a connection are too much for an
    /// answer that hardly any needs.
    private synchronized void forgetDescriptor() {
        if (addresses == null) {
            addresses = Addresses.NONE;
        }
    }

    /// The engine has let go of everything.
    void afterClose() {
        state = State.CLOSED;
        handle = null;
        channel.outbound().failAll();
        ConnectAttempt attempt = endAttempt();
        if (attempt != null) {
            attempt.promise.tryFailure(new ClosedChannelException());
        }
        OpenChannels.of(channel.eventLoop()).closed(channel);
        Shortage.descriptorClosed();
        channel.pipeline().fireInactive();
        over = true;
        channel.pipeline().clear();
        ConnectionRecord record = channel.recorded;
        if (record != null) {
            channel.recorded = null;
            record.close();
        }
        channel.closed.trySuccess(null);
        leaveLimit();
    }

    @Override
    public String toString() {
        return state.toString();
    }
}
