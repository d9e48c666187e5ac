package io.weft.transport.udt;

import io.weft.buffer.Buffer;
import io.weft.engine.Accepted;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import io.weft.transport.udt.machine.Connection;
import io.weft.transport.udt.machine.Inbox;
import io.weft.transport.udt.machine.Terms;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// A channel's end of a connection, between the channel's loop and the port's, which may be two.
///
/// State that both share is in [Inflow] and [Outflow], under their locks, which are never held
/// while anything is called. Each loop tells the other by a task, one at a time.
///
/// | field | writer | read | write |
/// |---|---|---|---|
/// | `session` to `sessionTold` | both loops | under `this` | under `this` |
/// | `maxRate` | the channel's loop | volatile | volatile |
/// | `statistics` | the port's loop | volatile | volatile |
/// | the rest | the channel's loop | plain | plain |
final class UdtStream implements StreamHandle, Accepted, Inbox {
    /// The ways in which a channel ends.
    enum Closing {
        NONE,
        ORDERLY,
        RESET
    }

    private static final int MAX_RECEIVES = 16;
    private static final long MEASURE_NANOS = 100_000_000;

    private final UdtAddress local;
    private final UdtAddress remote;
    private final Inflow inflow;
    private final Outflow outflow;

    private @Nullable Session session;
    private @Nullable EventExecutor loop;
    private boolean connected;
    private Closing closing = Closing.NONE;
    private boolean told;
    private boolean sessionTold;
    private boolean news;

    private volatile long maxRate;
    private volatile UdtStatistics statistics = UdtStatistics.NONE;
    private long measuredAt;

    private @Nullable StreamEvents events;
    private boolean connecting;
    private boolean receiving;
    private boolean endTold;
    private boolean brokenTold;

    /// Of a send to a peer that has left, told behind what it has said; null for none.
    private @Nullable IOException unsent;

    private boolean closed;

    /// @param remote with the limits
    UdtStream(UdtAddress local, UdtAddress remote, ChannelOptions options) {
        this.local = local;
        this.remote = remote;
        maxRate = options.get(UdtOption.MAX_RATE);
        UdtLimits limits = remote.limits();
        inflow = new Inflow((long) limits.window() * limits.segment() / 2);
        outflow = new Outflow(remote.mode() == UdtMode.MESSAGE, limits, options);
    }

    /// It has a session and a channel, and hears when it is connected.
    void begin(Session itsSession, EventExecutor itsLoop, StreamEvents itsEvents) {
        connecting = true;
        events = itsEvents;
        synchronized (this) {
            session = itsSession;
            loop = itsLoop;
        }
    }

    /// It has a session, and will have a channel.
    void accepted(Session itsSession) {
        synchronized (this) {
            session = itsSession;
        }
    }

    @Override
    public StreamHandle adopt(EventExecutor itsLoop, Engine engine, StreamEvents itsEvents) {
        events = itsEvents;
        synchronized (this) {
            loop = itsLoop;
        }
        tell(); // of what has come since it was accepted
        return this;
    }

    // ---- the port's loop ----

    void established(Terms terms) {
        outflow.packet(terms.payload());
        synchronized (this) {
            connected = true;
        }
        news = true;
    }

    @Override
    public boolean copy(Buffer from, int index, int length) {
        news = true;
        return inflow.copy(from, index, length);
    }

    @Override
    public void bytes(Buffer bytes) {
        news = true;
        inflow.add(bytes);
    }

    @Override
    public void message(Buffer message) {
        news = true;
        inflow.add(message);
    }

    @Override
    public void end() {
        news = true;
        inflow.end();
    }

    @Override
    public long held() {
        return inflow.bytes();
    }

    /// The connection has ended by itself.
    void broken(IOException cause) {
        news = true;
        inflow.broken(cause);
        outflow.broken();
    }

    /// There is no session any more.
    void detached(@Nullable IOException cause) {
        news = true;
        inflow.broken(cause == null ? new SocketException("Socket closed") : cause);
        outflow.broken();
        outflow.clear();
    }

    /// Hands what waits to the machine.
    ///
    /// @return whether the channel sends nothing more
    boolean pull(Connection to) {
        synchronized (this) {
            sessionTold = false;
        }
        return outflow.pull(to);
    }

    /// The machine has `bytes` that are not acknowledged.
    void unacknowledged(long bytes, boolean peerShut) {
        if (peerShut) {
            outflow.broken();
        }
        news |= outflow.unacknowledged(bytes);
    }

    void measured(long now, Connection open) {
        if (now - measuredAt >= MEASURE_NANOS) {
            measuredAt = now;
            statistics = Session.statistics(open);
        }
    }

    long maxRate() {
        return maxRate;
    }

    synchronized Closing closing() {
        return closing;
    }

    boolean isClosing() {
        return closing() != Closing.NONE;
    }

    /// Tells the channel's loop that something has changed, if so.
    void tellNews() {
        if (news) {
            news = false;
            tell();
        }
    }

    private void tell() {
        EventExecutor target;
        synchronized (this) {
            if (told || loop == null) {
                return;
            }
            told = true;
            target = loop;
        }
        try {
            target.executeUnbounded(this::guardedReady);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and closed its channels.
        }
    }

    // ---- the channel's loop ----

    /// Has the session look at what the channel wants.
    private void wake() {
        Session target;
        synchronized (this) {
            if (sessionTold || session == null) {
                return;
            }
            sessionTold = true;
            target = session;
        }
        try {
            target.port().loop.executeUnbounded(() -> awake(target));
        } catch (RejectedExecutionException e) {
            // The port's loop has ended, and dropped the session.
        }
    }

    /// On the port's loop.
    private void awake(Session target) {
        synchronized (this) {
            sessionTold = false;
        }
        target.port().runNow(target);
    }

    private StreamEvents events() {
        if (events == null) {
            throw new IllegalStateException("no channel yet: " + this);
        }
        return events;
    }

    private void guardedReady() {
        CallbackFaults.closeIfThrown(this::ready, () -> close(true));
    }

    private void ready() {
        boolean established;
        synchronized (this) {
            told = false;
            established = connected;
        }
        if (closed) {
            return;
        }
        if (connecting) {
            if (!established) {
                brokenReady();
                return;
            }
            connecting = false;
            events().connected();
        }
        if (!closed && outflow.takeWaiting()) {
            events().sent(0);
        }
        if (!closed && receiving) {
            receiveReady();
        } else if (!closed && unsent != null) {
            events().failed(unsent); // who does not receive hears of it at once
        }
        if (!closed) {
            brokenReady();
        }
    }

    /// An error waits until all that came before it has been read.
    private void brokenReady() {
        IOException cause = brokenTold ? null : inflow.failure();
        if (cause != null) {
            brokenTold = true;
            events().failed(cause);
        }
    }

    @Override
    public void receive() {
        if (!receiving && !closed) {
            receiving = true;
            if (inflow.hasNews()) {
                tell();
            }
        }
    }

    @Override
    public void pause() {
        receiving = false;
        if (unsent != null) {
            tell();
        }
    }

    private void receiveReady() {
        boolean some = false;
        for (int i = 0; i < MAX_RECEIVES && receiving; i++) {
            Buffer next = inflow.take();
            if (next == null) {
                break;
            }
            some = true;
            events().received(next);
            if (closed) {
                return;
            }
        }
        if (inflow.takeRoomMade()) {
            wake();
        }
        if (some) {
            events().receiveComplete();
        }
        if (closed || !receiving) {
            return;
        }
        if (inflow.bytes() > 0) {
            tell();
        } else if (!endTold && inflow.isEnded()) {
            endTold = true;
            if (unsent == null) {
                events().inputClosed();
            } else {
                events().failed(unsent);
            }
        }
    }

    @Override
    public boolean discardInput() {
        boolean some = inflow.clear();
        wake();
        return some;
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int sent;
        try {
            sent = outflow.send(buffers, now());
        } catch (SocketException e) {
            if (!receiving || endTold || brokenTold || !outflow.isBroken()) {
                throw e;
            }
            unsent = e;
            tell();
            return PENDING;
        }
        if (sent > 0) {
            wake();
        }
        return sent;
    }

    private long now() {
        EventExecutor clocked;
        synchronized (this) {
            clocked = loop;
        }
        return clocked == null ? 0 : clocked.clock().nanoTime();
    }

    @Override
    public void shutdownOutput() {
        if (!closed && outflow.finish()) {
            wake();
        }
    }

    // ---- the end ----

    @Override
    public void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        receiving = false;
        leave(reset ? Closing.RESET : Closing.ORDERLY);
        events().closed();
    }

    /// Tells if it has a channel.
    synchronized boolean isAdopted() {
        return loop != null;
    }

    /// Before it has a channel; from any thread.
    @Override
    public void close() {
        leave(Closing.RESET);
    }

    private void leave(Closing how) {
        synchronized (this) {
            if (closing != Closing.NONE) {
                return;
            }
            closing = how;
        }
        // As TCP does: an end that has not read what has come is no orderly one.
        boolean unread = inflow.close();
        if (unread) {
            synchronized (this) {
                closing = Closing.RESET;
            }
        }
        wake();
    }

    // ---- the rest ----

    @Override
    public <T> T option(ChannelOption<T> option) {
        if (option == UdtOption.STATISTICS) {
            return cast(option, measures());
        }
        if (option == UdtOption.MAX_RATE) {
            return cast(option, maxRate);
        }
        return outflow.option(option);
    }

    private UdtStatistics measures() {
        Session of;
        synchronized (this) {
            of = session;
        }
        return of != null && of.port().loop.inLoop() ? of.statistics() : statistics;
    }

    @SuppressWarnings("unchecked") // the option is one of this type
    static <T> T cast(ChannelOption<T> option, Object value) {
        return (T) value;
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        if (option == UdtOption.MAX_RATE) {
            maxRate = (Long) value;
            wake();
        } else {
            outflow.option(option, value);
        }
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return closed ? null : local;
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return closed ? null : remote;
    }

    @Override
    public String toString() {
        return "UdtStream[" + local + " to " + remote + "]";
    }
}
