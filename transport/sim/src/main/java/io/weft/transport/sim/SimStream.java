package io.weft.transport.sim;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.Accepted;
import io.weft.engine.ChannelOption;
import io.weft.engine.Gather;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// One end of a connection: the socket, its receive buffer, and what its channel has asked for.
///
/// It reports events when its engine polls it, never from the network's side. Each send moves bytes
/// at once or completes later, at random, so that one run has the ways of all engines.
final class SimStream implements StreamHandle, Accepted, Notice.Target {
    private static final int RECEIVE_SIZE = 16 << 10;
    private static final int MAX_RECEIVES = 4;

    private final SimConnection connection;
    private final SimHost host;
    private final OptionValues options;
    private final InetSocketAddress local;
    private final InetSocketAddress remote;

    private @Nullable Wire out;
    private @Nullable Wire in;
    private @Nullable SimEngine engine;
    private @Nullable Notice notice;
    private @Nullable StreamEvents events;

    private boolean connecting;
    private boolean connectEnded;
    private @Nullable IOException connectFailure;

    private final Inflow inflow = new Inflow();
    private boolean endTold;
    private @Nullable IOException broken;
    private boolean brokenTold;

    private boolean receiving;
    private boolean outputShut;

    /// A send that completes later: what it reads then.
    private @Nullable Gather deferred;

    private boolean sendWaits;
    private boolean hasDescriptor;
    private boolean closed;
    private boolean closeTold;

    SimStream(
            SimConnection connection,
            SimHost host,
            OptionValues options,
            InetSocketAddress local,
            InetSocketAddress remote) {
        this.connection = connection;
        this.host = host;
        this.options = options;
        this.local = local;
        this.remote = remote;
    }

    SimHost host() {
        return host;
    }

    SimConnection connection() {
        return connection;
    }

    OptionValues options() {
        return options;
    }

    /// Its descriptor is open.
    void opened() {
        hasDescriptor = true;
    }

    void wire(Wire toPeer, Wire fromPeer) {
        out = toPeer;
        in = fromPeer;
    }

    void unwire() {
        out = null;
        in = null;
    }

    /// It has a channel: one that connects when it has no wire yet.
    void start(SimEngine itsEngine, StreamEvents itsEvents) {
        hasDescriptor = true;
        engine = itsEngine;
        events = itsEvents;
        notice = new Notice(itsEngine, this);
        connecting = out == null;
        itsEngine.opened(this);
        if (broken != null || !inflow.isEmpty() || inflow.isEnded()) {
            notice.give();
        }
    }

    private StreamEvents events() {
        if (events == null) {
            throw new IllegalStateException("no channel yet: " + connection);
        }
        return events;
    }

    private void give() {
        if (notice != null) {
            notice.give();
        }
    }

    private void note(Trace.Kind kind, long what) {
        host.simulation().note(kind, connection.id(), what);
    }

    // ---- from the network ----

    boolean isClosed() {
        return closed;
    }

    /// @param failure null when the connection stands
    void connectEnded(@Nullable IOException failure) {
        if (closed) {
            return; // if the other end has accepted it, its reset is under way
        }
        connectEnded = true;
        connectFailure = failure;
        give();
    }

    void arrived(byte[] bytes) {
        if (closed) {
            if (out != null) {
                out.reset();
            }
            return;
        }
        inflow.add(bytes);
        give();
    }

    void endArrived() {
        inflow.end();
        give();
    }

    void broken(IOException cause, boolean inputLost) {
        if (closed || broken != null) {
            return;
        }
        note(Trace.Kind.RESET, inputLost ? 1 : 0);
        broken = cause;
        if (inputLost) {
            inflow.clear();
        }
        give();
    }

    boolean waitsForRoom() {
        return sendWaits || deferred != null;
    }

    void roomMade() {
        if (waitsForRoom()) {
            give();
        }
    }

    // ---- what there is to tell ----

    @Override
    public void ready() {
        if (closed) {
            tellClosed();
        } else if (connecting) {
            if (connectEnded) {
                tellConnected();
            }
        } else {
            sendReady();
            if (!closed && receiving) {
                receiveReady();
            }
            if (!closed) {
                brokenReady();
            }
        }
    }

    private void tellConnected() {
        connecting = false;
        if (connectFailure != null) {
            note(Trace.Kind.FAILED, 0);
            events().failed(connectFailure);
            return;
        }
        note(Trace.Kind.CONNECTED, 0);
        events().connected();
        if (!closed && (!inflow.isEmpty() || inflow.isEnded() || broken != null)) {
            give();
        }
    }

    /// Reports an error. An end that sends, or has read all that came before the error, always gets
    /// it; others at random.
    private void brokenReady() {
        if (broken == null || brokenTold) {
            return;
        }
        boolean sends = sendWaits || deferred != null;
        boolean reads = receiving && inflow.isEmpty();
        if (sends || reads || endTold || host.strikes(Fault.RESET_OVERTAKES)) {
            brokenTold = true;
            sendWaits = false;
            deferred = null;
            events().failed(broken);
        }
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (receiving || closed) {
            return;
        }
        receiving = true;
        if (connecting || (inflow.isEmpty() && !inflow.isEnded() && broken == null)) {
            return;
        }
        give();
    }

    @Override
    public void pause() {
        receiving = false;
    }

    private void receiveReady() {
        boolean some = false;
        for (int i = 0; i < MAX_RECEIVES && receiving && !inflow.isEmpty(); i++) {
            Buffer bytes = takeOrFail();
            if (bytes == null) {
                return;
            }
            some = true;
            events().received(bytes);
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
        if (!inflow.isEmpty()) {
            give();
        } else if (inflow.isEnded() && !endTold && broken == null) {
            endTold = true;
            events().inputClosed();
        }
    }

    /// Null when there is no memory: the connection has been told.
    private @Nullable Buffer takeOrFail() {
        IOException cause;
        try {
            if (!host.strikes(Fault.RECEIVE_ENOMEM)) {
                return take();
            }
            cause = new IOException("receive: Cannot allocate memory");
        } catch (MemoryLimitException e) {
            cause = new IOException("receive: no memory", e);
        }
        brokenTold = true;
        events().failed(cause);
        return null;
    }

    private Buffer take() {
        int length = Math.min(inflow.size(), RECEIVE_SIZE);
        if (length > 1 && host.strikes(Fault.PARTIAL_RECEIVE)) {
            length = 1 + host.simulation().dice().nextInt(length);
        }
        Buffer bytes = BufferAllocator.pooled().allocate(length);
        inflow.read(bytes, length);
        note(Trace.Kind.RECEIVE, length);
        if (in != null) {
            in.consumed(length);
        }
        return bytes;
    }

    @Override
    public boolean discardInput() {
        boolean some = !inflow.isEmpty();
        if (some && in != null) {
            in.consumed(inflow.size());
        }
        inflow.clear();
        return some;
    }

    // ---- sending ----

    @Override
    public int send(Gather buffers) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        if (broken != null) {
            brokenTold = true;
            throw new SocketException("send: " + broken.getMessage());
        }
        if (host.strikes(Fault.SEND_ENOBUFS)) {
            throw new SocketException("send: No buffer space available");
        }
        if (host.strikes(Fault.DEFERRED_SEND)) {
            deferred = buffers;
            note(Trace.Kind.PENDING, 1);
            notice().giveLater();
            return PENDING;
        }
        int sent = transmit(buffers);
        if (sent == PENDING) {
            sendWaits = true;
            note(Trace.Kind.PENDING, 0);
        }
        return sent;
    }

    private Notice notice() {
        if (notice == null) {
            throw new IllegalStateException("no channel yet: " + connection);
        }
        return notice;
    }

    private void sendReady() {
        if (broken != null || (deferred == null && !sendWaits)) {
            return;
        }
        if (deferred == null) {
            if (room() > 0 || host.strikes(Fault.SPURIOUS_SEND)) {
                sendWaits = false;
                events().sent(0);
            }
            return;
        }
        int sent = transmit(deferred);
        if (sent != PENDING) {
            deferred = null;
            events().sent(sent);
        } else if (host.strikes(Fault.SPURIOUS_SEND)) {
            deferred = null;
            events().sent(0);
        }
    }

    private int room() {
        return out == null || outputShut ? 0 : out.room();
    }

    /// Returns the number of bytes sent; [#PENDING] if there was no room for any.
    private int transmit(Gather buffers) {
        long offered = 0;
        for (int i = 0; i < buffers.count(); i++) {
            offered += buffers.buffer(i).readableBytes();
        }
        if (offered == 0) {
            return 0;
        }
        int length = (int) Math.min(offered, room());
        if (length == 0 || out == null) {
            return PENDING;
        }
        if (length > 1 && host.strikes(Fault.PARTIAL_SEND)) {
            length = 1 + host.simulation().dice().nextInt(length);
        }
        note(Trace.Kind.SEND, length);
        out.send(buffers, length);
        return length;
    }

    @Override
    public void shutdownOutput() {
        if (!closed && !outputShut && broken == null && out != null) {
            outputShut = true;
            out.end();
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
        note(Trace.Kind.CLOSE, reset ? 1 : 0);
        boolean unread = !inflow.isEmpty();
        if (out != null && broken == null) {
            if (reset || unread || connecting) {
                out.reset();
            } else if (!outputShut) {
                out.end();
            }
        }
        inflow.clear();
        if (hasDescriptor) {
            hasDescriptor = false;
            host.closed();
        }
        if (notice != null && (deferred != null || host.strikes(Fault.LATE_CLOSE))) {
            notice.giveLater();
        } else {
            tellClosed();
        }
    }

    private void tellClosed() {
        if (closeTold || engine == null) {
            return;
        }
        closeTold = true;
        if (deferred != null) {
            // Until now a kernel might have read them.
            for (int i = 0; i < deferred.count(); i++) {
                Buffer buffer = deferred.buffer(i);
                if (buffer.readableBytes() > 0) {
                    byte _ = buffer.getByte(buffer.readOffset());
                }
            }
            deferred = null;
        }
        engine.closed(this);
        events().closed();
    }

    /// Before it has a channel.
    @Override
    public void close() {
        close(true);
    }

    @Override
    public void abandon() {
        close(true);
        tellClosed();
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        return options.get(option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        options.set(option, value);
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return closed ? null : local;
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        return closed ? null : remote;
    }
}
