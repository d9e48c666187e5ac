package io.weft.transport.sctp;

import io.weft.engine.Accepted;
import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.Engine;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.ffi.Errno;
import io.weft.ffi.SocketErrors;
import io.weft.ffi.Sockets;
import io.weft.loop.EventExecutor;
import io.weft.transport.posix.OwnedDescriptor;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.ClosedChannelException;
import java.util.concurrent.atomic.AtomicBoolean;

/// A listening socket whose associations become streams.
final class SctpListener implements ListenHandle, ReadyEvents {
    /// Associations that are accepted before others get their turn.
    private static final int MAX_BATCH = 16;

    /// Failures in a row after which the listener pauses as without descriptors, lest it spin.
    private static final int MAX_FAILURES = 64;

    private final EventExecutor loop;
    private final SctpSocket socket;
    private final SctpAddress address;
    private final ChannelOptions options;
    private final ListenEvents events;
    private final CallbackFaults faults = new CallbackFaults();
    private final SctpSettings settings;
    private final ReadyHandle watch;
    private int failures;
    private boolean accepting;
    private boolean closed;

    SctpListener(
            EventExecutor loop,
            Engine engine,
            SctpSocket socket,
            SctpAddress address,
            ChannelOptions options,
            ListenEvents events)
            throws IOException {
        this.loop = loop;
        this.socket = socket;
        this.address = socket.listening(address);
        this.options = options;
        this.events = events;
        this.settings = new SctpSettings(socket, options);
        this.watch = socket.watch(engine, this);
    }

    static SctpListener open(
            EventExecutor loop,
            Engine engine,
            SctpAddress address,
            ChannelOptions options,
            ListenEvents events)
            throws IOException {
        boolean reuse = options.get(ChannelOption.SO_REUSEADDR);
        SctpSocket socket =
                SctpSocket.open(address, options.with(ChannelOption.SO_REUSEADDR, reuse));
        return OwnedDescriptor.of(
                socket.fd(),
                () -> {
                    socket.bind(address.sockets());
                    socket.listen(options.get(ChannelOption.SO_BACKLOG));
                    return new SctpListener(loop, engine, socket, address, options, events);
                });
    }

    /// An association that no loop has yet.
    private record Incoming(SctpSocket socket, ChannelOptions options, AtomicBoolean gone)
            implements Accepted {
        @Override
        public StreamHandle adopt(EventExecutor loop, Engine engine, StreamEvents events)
                throws IOException {
            if (!gone.compareAndSet(false, true)) {
                throw new ClosedChannelException();
            }
            return OwnedDescriptor.of(
                    socket.fd(), () -> SctpStream.accepted(loop, engine, socket, options, events));
        }

        @Override
        public void close() {
            if (gone.compareAndSet(false, true)) {
                socket.close();
            }
        }
    }

    @Override
    public void ready(boolean readable, boolean writable) {
        for (int i = 0; i < MAX_BATCH && accepting; i++) {
            int result =
                    Sockets.accept4(
                            socket.fd(), 0, 0, Sockets.SOCK_NONBLOCK | Sockets.SOCK_CLOEXEC);
            if (result >= 0) {
                failures = 0;
                tell(result);
            } else if (result == -Errno.EAGAIN) {
                return;
            } else if (SocketErrors.isExhaustion(-result) || ++failures >= MAX_FAILURES) {
                failures = 0;
                exhausted(SocketErrors.failure(-result, "accept on " + address));
            }
        }
    }

    private void tell(int fd) {
        Incoming incoming =
                new Incoming(
                        new SctpSocket(fd, socket.family(), socket.mode()),
                        options,
                        new AtomicBoolean());
        try {
            events.accepted(incoming);
        } catch (Throwable t) {
            incoming.close();
            report(t);
        }
    }

    /// Has the loop log what a callback threw. Thrown to the engine, it would end the watch, and
    /// the listener would be deaf: it serves all its peers, and goes on.
    private void report(Throwable fault) {
        faults.add(fault);
        loop.executeUnbounded(faults::rethrow);
    }

    private void exhausted(IOException cause) {
        pause();
        try {
            events.exhausted(cause);
        } catch (Throwable t) {
            accept(); // nobody else would
            report(t);
        }
    }

    @Override
    public void failed(IOException cause) {
        close();
    }

    @Override
    public void accept() {
        if (!closed && !accepting) {
            accepting = true;
            watch.interest(true, false);
        }
    }

    @Override
    public void pause() {
        if (!closed && accepting) {
            accepting = false;
            watch.interest(false, false);
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            accepting = false;
            watch.close();
            socket.close();
            events.closed();
        }
    }

    @Override
    public SocketAddress localAddress() {
        return address;
    }

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
    public String toString() {
        return "listener on " + address;
    }
}
