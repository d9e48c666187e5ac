package io.weft.transport.local;

import io.weft.buffer.Buffer;
import io.weft.engine.Accepted;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.Gather;
import io.weft.engine.LocalAddress;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import java.io.IOException;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// One end of a connection within this process: what has arrived for its channel, and what its
/// channel has been told.
///
/// Bytes are copied when they are sent, as a kernel does: sender and receiver own their buffers,
/// and may write into them.
///
/// State that the two ends share is under one lock, which is never held while anything is called.
/// Each end tells the other by a task on its loop, one at a time; [#ready] then looks what there
/// is.
///
/// | field | writer | read | write |
/// |---|---|---|---|
/// | `arrived` to `gone` | both loops | under `lock` | under `lock` |
/// | the rest | the loop of this end | plain | plain |
final class LocalStream implements StreamHandle, Accepted {
    private static final int MAX_RECEIVES = 16;

    private final Object lock;
    private final LocalAddress local;
    private final LocalAddress remote;
    private final ChannelOptions options;
    private final ChannelOptions peerOptions;

    /// The other end; set before this end is published.
    private @Nullable LocalStream peer;

    /// Number of bytes that may have arrived and not been taken.
    private final int capacity;

    private final ArrayDeque<Buffer> arrived = new ArrayDeque<>(0);
    private int arrivedBytes;
    private boolean endArrived;
    private @Nullable IOException broken;
    private @Nullable EventExecutor loop;
    private boolean told;
    private boolean sendWaits;
    private boolean gone;

    private @Nullable StreamEvents events;
    private @Nullable IOException refusal;
    private boolean connecting;
    private boolean receiving;
    private boolean endTold;
    private boolean brokenTold;

    /// Failure of a send to a peer that has left, told behind its input; null if there is none.
    private @Nullable IOException unsent;

    private boolean outputShut;
    private boolean closed;

    LocalStream(
            Object lock,
            LocalAddress local,
            LocalAddress remote,
            ChannelOptions options,
            ChannelOptions peerOptions) {
        this.lock = lock;
        this.local = local;
        this.remote = remote;
        this.options = options;
        this.peerOptions = peerOptions;
        capacity = Capacity.of(options, peerOptions);
    }

    LocalStream makePeer() {
        LocalStream other =
                new LocalStream(
                        lock,
                        /* local= */ remote,
                        /* remote= */ local,
                        /* options= */ peerOptions,
                        /* peerOptions= */ options);
        other.peer = this;
        peer = other;
        return other;
    }

    /// It has a channel from now on.
    void start(EventExecutor itsLoop, StreamEvents itsEvents, boolean connects) {
        events = itsEvents;
        connecting = connects;
        synchronized (lock) {
            loop = itsLoop;
        }
        if (!connects) {
            tell(); // of what has come since it was connected
        }
    }

    @Override
    public StreamHandle adopt(EventExecutor itsLoop, Engine engine, StreamEvents itsEvents) {
        start(itsLoop, itsEvents, false);
        return this;
    }

    /// Keeps `cause`, as no listener took the connection.
    void refused(IOException cause) {
        refusal = cause;
    }

    // ---- any thread ----

    /// Tells if it has a channel.
    boolean isAdopted() {
        synchronized (lock) {
            return loop != null;
        }
    }

    /// Has [#ready] run on this end's loop.
    void tell() {
        EventExecutor target;
        synchronized (lock) {
            if (told || gone || loop == null) {
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

    private static void tell(@Nullable LocalStream end) {
        if (end != null) {
            end.tell();
        }
    }

    // ---- what there is to tell ----

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
        boolean maySend;
        synchronized (lock) {
            told = false;
            maySend = sendWaits && roomAtPeer() > 0;
            if (maySend) {
                sendWaits = false;
            }
        }
        if (closed) {
            return;
        }
        if (connecting && !tellConnected()) {
            return;
        }
        if (maySend) {
            events().sent(0);
        }
        if (!closed && receiving) {
            receiveReady();
        } else if (!closed && unsent != null) {
            failed(unsent); // without further input, as none is wanted
        }
        if (!closed) {
            brokenReady();
        }
    }

    /// False when it is not connected.
    private boolean tellConnected() {
        connecting = false;
        if (refusal != null) {
            brokenTold = true;
            events().failed(refusal);
            return false;
        }
        events().connected();
        return !closed;
    }

    /// An error waits until all that came before it has been read.
    private void brokenReady() {
        IOException cause;
        synchronized (lock) {
            cause = arrived.isEmpty() ? broken : null;
            if (cause != null) {
                sendWaits = false;
            }
        }
        if (cause != null && !brokenTold) {
            failed(cause);
        }
    }

    private void failed(IOException cause) {
        unsent = null;
        brokenTold = true;
        events().failed(cause);
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (receiving || closed) {
            return;
        }
        receiving = true;
        synchronized (lock) {
            if (arrived.isEmpty() && !endArrived && broken == null) {
                return;
            }
        }
        tell();
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
            Buffer next = take();
            if (next == null) {
                break;
            }
            some = true;
            events().received(next);
            if (closed) {
                return;
            }
        }
        if (some) {
            events().receiveComplete();
        }
        if (closed || !receiving) {
            return;
        }
        boolean more;
        boolean end;
        synchronized (lock) {
            more = !arrived.isEmpty();
            end = !more && endArrived && broken == null && !endTold;
        }
        if (more) {
            tell();
        } else if (end) {
            endTold = true;
            if (unsent == null) {
                events().inputClosed();
            } else {
                failed(unsent);
            }
        }
    }

    private @Nullable Buffer take() {
        boolean roomMade;
        Buffer next;
        synchronized (lock) {
            next = arrived.poll();
            if (next == null) {
                return null;
            }
            arrivedBytes -= next.readableBytes();
            // Not for each byte: the sender is better woken for some more.
            roomMade =
                    peer != null
                            && peer.sendWaits
                            && (arrived.isEmpty() || arrivedBytes <= capacity / 2);
        }
        if (roomMade) {
            tell(peer);
        }
        return next;
    }

    @Override
    public boolean discardInput() {
        List<Buffer> dropped;
        synchronized (lock) {
            dropped = new ArrayList<>(arrived);
            arrived.clear();
            arrivedBytes = 0;
        }
        dropped.forEach(Buffer::release);
        if (!dropped.isEmpty()) {
            tell(peer);
        }
        return !dropped.isEmpty();
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        try {
            return offer(buffers);
        } catch (SocketException e) {
            if (!hearsMore()) {
                throw e;
            }
            unsent = e;
            tell();
            return PENDING;
        }
    }

    /// Tells if the peer's last bytes or its end are still to be read, and failures behind them.
    private boolean hearsMore() {
        return receiving && !endTold && !brokenTold && !outputShut;
    }

    private int offer(Gather buffers) throws IOException {
        int room;
        synchronized (lock) {
            checkSendable();
            room = roomAtPeer();
        }
        long offered = 0;
        for (int i = 0; i < buffers.count() && offered < room; i++) {
            offered += buffers.buffer(i).readableBytes();
        }
        int length = (int) Math.min(offered, room);
        if (length > 0) {
            deliver(Copies.of(buffers, length));
            return length;
        }
        return room > 0 || Copies.isEmpty(buffers) ? 0 : await();
    }

    /// Under the lock.
    private int roomAtPeer() {
        return peer == null ? 0 : Math.max(0, peer.capacity - peer.arrivedBytes);
    }

    /// Under the lock.
    private void checkSendable() throws IOException {
        if (broken != null) {
            brokenTold |= !hearsMore();
            throw new SocketException("send: " + broken.getMessage());
        }
        if (peer == null || peer.gone || outputShut) {
            throw new SocketException("send: Broken pipe");
        }
    }

    /// Waits for room, unless some has been made since it was looked for.
    private int await() {
        boolean roomMade;
        synchronized (lock) {
            sendWaits = true;
            roomMade = roomAtPeer() > 0 || broken != null;
        }
        if (roomMade) {
            tell();
        }
        return PENDING;
    }

    private void deliver(List<Buffer> copies) throws IOException {
        LocalStream to = peer;
        boolean late = to == null;
        if (to != null) {
            synchronized (lock) {
                late = to.gone;
                if (!late) {
                    for (Buffer copy : copies) {
                        to.arrivedBytes += copy.readableBytes();
                        to.arrived.add(copy);
                    }
                }
            }
        }
        if (late) {
            copies.forEach(Buffer::release);
            throw new SocketException("send: Broken pipe");
        }
        tell(to);
    }

    @Override
    public void shutdownOutput() {
        if (closed || outputShut || peer == null) {
            return;
        }
        outputShut = true;
        synchronized (lock) {
            peer.endArrived = true;
        }
        tell(peer);
    }

    // ---- the end ----

    @Override
    public void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        receiving = false;
        leave(reset);
        events().closed();
    }

    /// Before it has a channel; from any thread.
    @Override
    public void close() {
        leave(true);
    }

    private void leave(boolean reset) {
        synchronized (lock) {
            if (gone) {
                return;
            }
            gone = true;
            if (peer != null && peer.broken == null && !peer.gone) {
                if (reset || !arrived.isEmpty()) {
                    peer.broken = new SocketException("Connection reset by peer");
                } else {
                    peer.endArrived = true;
                }
            }
        }
        boolean _ = discardInput();
        tell(peer);
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        throw new UnsupportedOperationException(option + " of a local channel");
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        throw new UnsupportedOperationException(option + " of a local channel");
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
        return "LocalStream[" + local + " to " + remote + "]";
    }
}
