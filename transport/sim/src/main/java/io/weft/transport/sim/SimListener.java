package io.weft.transport.sim;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.net.SocketException;
import java.util.ArrayDeque;

/// A listening socket with its backlog.
final class SimListener implements ListenHandle, Notice.Target {
    private static final int MAX_ACCEPTS = 64;

    private final SimEngine engine;
    private final SimHost host;
    private final InetSocketAddress address;
    private final OptionValues options;
    private final boolean shared;
    private final int limit;
    private final ListenEvents events;
    private final Notice notice;
    private final ArrayDeque<SimStream> backlog = new ArrayDeque<>();
    private boolean accepting;
    private boolean closed;
    private boolean told;

    SimListener(
            SimEngine engine, InetSocketAddress local, ChannelOptions options, ListenEvents events)
            throws IOException {
        this.engine = engine;
        this.host = engine.host();
        this.options = new OptionValues(options, false);
        this.shared = options.get(ChannelOption.SO_REUSEPORT);
        this.limit = options.get(ChannelOption.SO_BACKLOG);
        this.events = events;
        this.notice = new Notice(engine, this);
        host.open(Fault.SOCKET_EMFILE, "socket");
        try {
            this.address = host.bind(this, local, options);
        } catch (IOException e) {
            host.closed();
            throw e;
        }
        engine.opened(this);
        host.simulation().note(Trace.Kind.LISTEN, host.id(), address.getPort());
    }

    boolean shares() {
        return shared;
    }

    /// Returns the options that accepted connections inherit.
    OptionValues options() {
        return options;
    }

    /// False when the backlog is full: the SYN is dropped.
    boolean offer(SimStream connection) {
        if (closed || backlog.size() >= limit) {
            return false;
        }
        backlog.add(connection);
        if (accepting) {
            notice.give();
        }
        return true;
    }

    @Override
    public void accept() {
        if (!closed) {
            accepting = true;
            if (!backlog.isEmpty()) {
                notice.give();
            }
        }
    }

    @Override
    public void pause() {
        accepting = false;
    }

    @Override
    public void ready() {
        if (closed) {
            tellClosed();
            return;
        }
        for (int i = 0; i < MAX_ACCEPTS && accepting && !backlog.isEmpty(); i++) {
            try {
                if (host.strikes(Fault.ACCEPT_ENOMEM)) {
                    throw new SocketException("accept: Cannot allocate memory");
                }
                host.open(Fault.ACCEPT_EMFILE, "accept");
            } catch (IOException e) {
                accepting = false;
                host.simulation().note(Trace.Kind.EXHAUSTED, host.id(), backlog.size());
                events.exhausted(e);
                return;
            }
            SimStream accepted = backlog.remove();
            accepted.opened();
            host.simulation().note(Trace.Kind.ACCEPT, accepted.connection().id(), 0);
            events.accepted(accepted);
        }
        if (accepting && !backlog.isEmpty()) {
            notice.give();
        }
    }

    @Override
    public void close() {
        if (closed) {
            return;
        }
        closed = true;
        accepting = false;
        host.unbind(this, address.getPort());
        host.closed();
        for (SimStream waiting; (waiting = backlog.poll()) != null; ) {
            waiting.close();
        }
        if (host.strikes(Fault.LATE_CLOSE)) {
            notice.giveLater();
        } else {
            tellClosed();
        }
    }

    private void tellClosed() {
        if (!told) {
            told = true;
            engine.closed(this);
            events.closed();
        }
    }

    @Override
    public void abandon() {
        close();
        tellClosed();
    }

    @Override
    public SocketAddress localAddress() {
        return address;
    }

    @Override
    public <T> T option(ChannelOption<T> option) {
        return options.get(option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) {
        options.set(option, value);
    }
}
