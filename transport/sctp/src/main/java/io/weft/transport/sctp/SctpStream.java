package io.weft.transport.sctp;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.EndpointMessage;
import io.weft.engine.Engine;
import io.weft.engine.Gather;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.engine.UnsentMessageException;
import io.weft.ffi.Errno;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.loop.EventExecutor;
import io.weft.transport.posix.OwnedDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import org.jspecify.annotations.Nullable;

/// An association, or a socket with any number of them: a descriptor that the loop's engine
/// watches.
///
/// **The end of input** is the peer's shutdown, after which it takes nothing more: SCTP has no
/// half-closed associations. A socket with many associations has no end of input.
final class SctpStream implements StreamHandle, ReadyEvents {
    /// Receives of a ready socket before others get their turn.
    private static final int MAX_RECEIVES = 16;

    private final SctpSocket socket;
    private final StreamEvents events;
    private final SctpSettings settings;
    private final Calls calls;
    private final ReadyHandle watch;
    private final Envelope envelope = new Envelope();
    private final SctpOutput output;

    private boolean connecting;
    private boolean watchesInput;
    private boolean receiving;
    private boolean inputEnded;
    private boolean sendWaits;

    /// The rest of a notification that was longer than the room for it.
    private boolean inNotification;

    private boolean closed;

    SctpStream(
            Engine engine,
            SctpSocket socket,
            SctpSettings settings,
            Calls calls,
            StreamEvents events)
            throws IOException {
        this.socket = socket;
        this.events = events;
        this.settings = settings;
        this.calls = calls;
        this.output = new SctpOutput(socket, settings, calls, envelope);
        try {
            this.watch = socket.watch(engine, this);
        } catch (Throwable t) {
            envelope.close();
            throw t;
        }
    }

    static SctpStream open(
            EventExecutor loop,
            Engine engine,
            SctpAddress address,
            ChannelOptions options,
            StreamEvents events)
            throws IOException {
        SctpAddress.Peeling peeling = address.peeling();
        SctpSocket socket =
                peeling == null
                        ? SctpSocket.open(address, options)
                        : SctpSocket.peelOff(peeling, loop, address.mode(), options);
        return OwnedDescriptor.of(
                socket.fd(),
                () -> {
                    boolean many = address.mode() == SctpMode.ASSOCIATIONS;
                    if (peeling != null) {
                        // It is connected.
                    } else if (many) {
                        socket.bind(address.sockets());
                        socket.listen(options.get(ChannelOption.SO_BACKLOG));
                    } else {
                        if (!address.local().isEmpty()) {
                            socket.bind(address.local());
                        }
                        socket.connect(address.sockets());
                    }
                    SctpSettings settings = new SctpSettings(socket, options);
                    SctpStream stream =
                            new SctpStream(engine, socket, settings, Calls.KERNEL, events);
                    stream.begin(loop, many || peeling != null);
                    return stream;
                });
    }

    static SctpStream accepted(
            EventExecutor loop,
            Engine engine,
            SctpSocket socket,
            ChannelOptions options,
            StreamEvents events)
            throws IOException {
        SctpSettings settings = new SctpSettings(socket, options);
        return new SctpStream(engine, socket, settings, Calls.KERNEL, events);
    }

    private void begin(EventExecutor loop, boolean isOpen) {
        connecting = true;
        if (isOpen) {
            loop.executeUnbounded(() -> guard(this::connected));
        } else {
            watch.interest(false, true);
        }
    }

    private void connected() {
        if (!closed) {
            connecting = false;
            interest();
            events.connected();
        }
    }

    private void interest() {
        if (!closed && !connecting) {
            watch.interest(watchesInput, sendWaits);
        }
    }

    /// Calls back. A callback that throws costs the whole channel, as [Engine] says: the engine
    /// closes only its watch, and knows nothing of the socket.
    private void guard(Runnable callback) {
        CallbackFaults.closeIfThrown(callback, () -> close(true));
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        guard(() -> look(readable, writable));
    }

    private void look(boolean readable, boolean writable) {
        if (connecting) {
            int outcome = socket.outcome();
            if (outcome == 0) {
                connected();
            } else if (outcome != Errno.EINPROGRESS) {
                watch.interest(false, false);
                events.failed(SocketErrors.failure(outcome, "connect"));
            }
            return;
        }
        if (writable && sendWaits) {
            sendWaits = false;
            events.sent(0);
        }
        if (!closed && readable) {
            readable();
        }
        interest();
    }

    @Override
    public void failed(IOException cause) {
        if (!closed) {
            guard(() -> events.failed(cause));
        }
    }

    // ---- receiving ----

    @Override
    public void receive() {
        if (receiving || closed) {
            return;
        }
        receiving = true;
        if (!inputEnded && !watchesInput) {
            watchesInput = true;
            interest();
        }
    }

    /// Costs no call: interest is given up when input comes meanwhile.
    @Override
    public void pause() {
        receiving = false;
    }

    private void readable() {
        if (!receiving) {
            watchesInput = false;
            return;
        }
        Buffer room = null;
        boolean some = false;
        int result = 1;
        int told = 1;
        try {
            for (int i = 0; i < MAX_RECEIVES && receiving && !closed; i++) {
                if (room == null) {
                    room = BufferAllocator.pooled().allocate(settings.receiveSize());
                }
                result = receive(room);
                if (result <= 0) {
                    break;
                }
                if (envelope.isNotification()) {
                    int end = notified(room, result);
                    told = told > 0 ? end : told;
                } else {
                    Buffer bytes = take(room, result);
                    if (bytes == room) {
                        room = null;
                    }
                    some = true;
                    handUp(bytes);
                }
            }
        } catch (MemoryLimitException | OutOfMemoryError e) {
            watchesInput = false;
            events.failed(new IOException("receive: no memory", e));
        } finally {
            if (room != null) {
                room.release();
            }
        }
        if (some && !closed) {
            events.receiveComplete();
        }
        if (closed) {
            return;
        }
        if (told <= 0) {
            end(told);
        } else if (result <= 0 && result != -Errno.EAGAIN && result != -Errno.EINTR) {
            end(result);
        }
    }

    private int receive(Buffer room) {
        boolean named = socket.mode() == SctpMode.ASSOCIATIONS;
        envelope.receive(room.address(), settings.receiveSize(), named);
        return calls.receive(socket.fd(), envelope.header());
    }

    /// Tells of a notification.
    ///
    /// @return 0 or -errno if it ends the association, as a receive would say; else 1
    private int notified(Buffer room, int length) {
        boolean rest = inNotification;
        inNotification = !envelope.isEnd();
        if (rest) {
            return 1;
        }
        SctpNotification told = Notifications.read(room.address(), length);
        events.happened(told);
        return socket.peeled() != 0 && !inputEnded ? resultOf(told) : 1;
    }

    /// The end of a peeled-off association, which is told by notifications only.
    private static int resultOf(SctpNotification told) {
        return switch (told) {
            case SctpNotification.Shutdown _ -> 0;
            case SctpNotification.AssociationChange change ->
                    switch (change.state()) {
                        case LOST -> -Errno.ECONNRESET;
                        case SHUT_DOWN -> 0;
                        default -> 1;
                    };
            default -> 1;
        };
    }

    /// Returns the bytes in a buffer of their own, so that many short messages hold little memory.
    private static Buffer take(Buffer room, int length) {
        if (length > room.capacity() / 4) {
            return room.writeOffset(length);
        }
        return room.copy(0, length);
    }

    private void handUp(Buffer bytes) {
        if (socket.mode() == SctpMode.BYTES) {
            events.received(bytes);
            return;
        }
        events.received(envelope.message(bytes));
    }

    private void end(int result) {
        watchesInput = false;
        if (result < 0) {
            events.failed(SocketErrors.failure(-result, "receive"));
        } else if (socket.mode() != SctpMode.ASSOCIATIONS) {
            inputEnded = true;
            events.inputClosed();
        }
    }

    @Override
    public boolean discardInput() {
        Buffer room;
        try {
            room = BufferAllocator.pooled().allocate(settings.receiveSize());
        } catch (MemoryLimitException | OutOfMemoryError e) {
            return true; // for all that is known: so the close waits, and does not reset
        }
        boolean some = false;
        try {
            for (int i = 0; i < MAX_RECEIVES && receive(room) > 0; i++) {
                some |= !envelope.isNotification();
            }
        } finally {
            room.release();
        }
        return some;
    }

    // ---- sending ----

    @Override
    public @Nullable Exception refusal(EndpointMessage message) {
        return output.refusal(message);
    }

    @Override
    public int send(Gather buffers) throws IOException {
        if (closed) {
            throw new ClosedChannelException();
        }
        int total = 0;
        for (int i = 0; i < buffers.count(); i++) {
            Buffer bytes = buffers.buffer(i);
            int length = bytes.readableBytes();
            EndpointMessage message = buffers.endpointMessage(i);
            int sent = output.send(bytes, message);
            if (sent < 0 && total == 0) {
                return failedFirst(-sent, message != null);
            }
            total += Math.max(sent, 0);
            if (sent < length) {
                break;
            }
        }
        return total;
    }

    private int failedFirst(int errno, boolean message) throws IOException {
        if (errno == Errno.EAGAIN) {
            sendWaits = true;
            interest();
            return PENDING;
        }
        boolean alone =
                socket.mode() == SctpMode.ASSOCIATIONS
                        || (message && (errno == Errno.EINVAL || errno == Errno.EMSGSIZE));
        if (alone) {
            throw new UnsentMessageException("send: " + Errno.describe(errno));
        }
        throw SocketErrors.failure(errno, "send");
    }

    @Override
    public void shutdownOutput() {
        if (!closed && socket.mode() != SctpMode.ASSOCIATIONS) {
            socket.shutdown();
        }
    }

    @Override
    public boolean lingers() {
        return socket.mode() != SctpMode.ASSOCIATIONS;
    }

    // ---- the end ----

    @Override
    public void close(boolean reset) {
        if (closed) {
            return;
        }
        closed = true;
        receiving = false;
        sendWaits = false;
        watch.close();
        if (reset) {
            int _ = Sockets.setLinger(socket.fd(), 0);
        }
        socket.close();
        envelope.close();
        events.closed();
    }

    // ---- the rest ----

    @Override
    public int descriptor() {
        return closed ? -1 : socket.fd();
    }

    @Override
    public <T> T option(ChannelOption<T> option) throws IOException {
        return settings.get(option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) throws IOException {
        settings.set(option, value);
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return closed ? null : socket.address(false);
    }

    @Override
    public @Nullable SocketAddress remoteAddress() {
        boolean many = socket.mode() == SctpMode.ASSOCIATIONS;
        return closed || connecting || many ? null : socket.address(true);
    }

    @Override
    public String toString() {
        return "SctpStream[" + socket + "]";
    }
}
