package io.weft.transport.local;

import io.weft.engine.CallbackFaults;
import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import io.weft.engine.LocalAddress;
import io.weft.engine.StreamEvents;
import io.weft.engine.StreamHandle;
import io.weft.loop.EventExecutor;
import java.net.BindException;
import java.net.ConnectException;
import java.net.SocketAddress;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// Listener at a [LocalAddress]. Connects come from any thread, into a backlog under its lock; the
/// rest is its loop's.
final class LocalListener implements ListenHandle {
    private static final ConcurrentHashMap<SocketAddress, LocalListener> BOUND =
            new ConcurrentHashMap<>();

    private static final int MAX_ACCEPTS = 64;

    private final EventExecutor loop;
    private final LocalAddress address;
    private final ChannelOptions options;
    private final ListenEvents events;
    private boolean accepting;

    private final ArrayDeque<LocalStream> backlog = new ArrayDeque<>();
    private boolean told;
    private boolean closed;

    private LocalListener(
            EventExecutor loop, LocalAddress address, ChannelOptions options, ListenEvents events) {
        this.loop = loop;
        this.address = address;
        this.options = options;
        this.events = events;
    }

    static ListenHandle listen(
            EventExecutor loop, LocalAddress address, ChannelOptions options, ListenEvents events)
            throws BindException {
        LocalListener listener = new LocalListener(loop, address, options, events);
        if (BOUND.putIfAbsent(address, listener) != null) {
            throw new BindException("bind " + address + ": Address already in use");
        }
        return listener;
    }

    /// A stream that hears on its loop, like any other, whether it is connected.
    static StreamHandle connect(
            EventExecutor loop, LocalAddress address, ChannelOptions options, StreamEvents events) {
        LocalListener listener = BOUND.get(address);
        LocalAddress own = LocalAddress.unique();
        LocalStream client =
                new LocalStream(
                        new Object(),
                        own,
                        address,
                        options,
                        listener == null ? options : listener.options);
        client.start(loop, events, true);
        if (listener == null || !listener.offer(client.makePeer())) {
            client.refused(new ConnectException("connect " + address + ": Connection refused"));
        }
        client.tell();
        return client;
    }

    // ---- any thread ----

    private boolean offer(LocalStream connection) {
        synchronized (backlog) {
            if (closed || backlog.size() >= options.get(ChannelOption.SO_BACKLOG)) {
                return false;
            }
            backlog.add(connection);
        }
        tell();
        return true;
    }

    private void tell() {
        synchronized (backlog) {
            if (told || closed) {
                return;
            }
            told = true;
        }
        try {
            loop.executeUnbounded(this::ready);
        } catch (RejectedExecutionException e) {
            // The loop has ended, and closed its listeners.
        }
    }

    // ---- the loop ----

    private @Nullable LocalStream next() {
        synchronized (backlog) {
            return accepting ? backlog.poll() : null;
        }
    }

    private void ready() {
        synchronized (backlog) {
            told = false;
        }
        CallbackFaults faults = new CallbackFaults();
        int left = MAX_ACCEPTS;
        for (LocalStream next; left > 0 && (next = next()) != null; left--) {
            accept(next, faults);
        }
        if (left == 0) {
            tell();
        }
        faults.rethrow();
    }

    /// A callback that throws costs its connection, unless that has a channel, and no other.
    private void accept(LocalStream connection, CallbackFaults faults) {
        try {
            events.accepted(connection);
        } catch (Throwable t) {
            faults.add(t);
            if (!connection.isAdopted()) {
                connection.close();
            }
        }
    }

    @Override
    public void accept() {
        accepting = true;
        tell();
    }

    @Override
    public void pause() {
        accepting = false;
    }

    @Override
    public void close() {
        List<LocalStream> waiting;
        synchronized (backlog) {
            if (closed) {
                return;
            }
            closed = true;
            waiting = new ArrayList<>(backlog);
            backlog.clear();
        }
        accepting = false;
        BOUND.remove(address, this);
        waiting.forEach(LocalStream::close);
        events.closed();
    }

    @Override
    public SocketAddress localAddress() {
        return address;
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        throw new UnsupportedOperationException(option + " of a local channel");
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        throw new UnsupportedOperationException(option + " of a local channel");
    }
}
