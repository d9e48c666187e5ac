package io.weft.transport.nio;

import io.weft.engine.ChannelOption;
import io.weft.engine.ChannelOptions;
import io.weft.engine.ListenEvents;
import io.weft.engine.ListenHandle;
import java.io.IOException;
import java.net.SocketAddress;
import java.nio.channels.SelectionKey;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.InvalidPathException;

/// A listening channel.
final class NioListener implements ListenHandle, Target {
    /// Connections an event may accept before others get their turn.
    private static final int MAX_ACCEPTS = 64;

    private final NioEngine engine;
    private final ServerSocketChannel channel;
    private final SocketAddress localAddress;
    private final ChannelOptions options;
    private final ListenEvents events;
    private final SelectionKey key;
    private boolean accepting;
    private boolean closed;

    NioListener(
            NioEngine engine,
            ServerSocketChannel channel,
            ChannelOptions options,
            ListenEvents events)
            throws IOException {
        this.engine = engine;
        this.channel = channel;
        this.localAddress = channel.getLocalAddress();
        this.options = options;
        this.events = events;
        this.key = engine.register(channel, 0, this);
    }

    @Override
    public SocketAddress localAddress() {
        return localAddress;
    }

    @Override
    public <T> T option(ChannelOption<T> option) throws IOException {
        return NioOptions.get(channel, option);
    }

    @Override
    public <T> void option(ChannelOption<T> option, T value) throws IOException {
        NioOptions.set(channel, option, value);
    }

    @Override
    public void accept() {
        if (!closed) {
            accepting = true;
            NioEngine.interest(key, SelectionKey.OP_ACCEPT);
        }
    }

    @Override
    public void pause() {
        if (accepting) {
            accepting = false;
            NioEngine.interest(key, 0);
        }
    }

    @Override
    public void ready() {
        for (int i = 0; i < MAX_ACCEPTS && accepting; i++) {
            SocketChannel connection = null;
            try {
                connection = channel.accept();
            } catch (InvalidPathException e) {
                // Of the peer, where the locale has no characters for it: the JDK has lost that
                // connection. There may be more.
                continue;
            } catch (IOException e) {
                // The JDK goes on by itself after a connection that is gone already. What it throws
                // has many texts, in many
                // languages, and is worth a pause whatever it is: most likely no descriptor is
                // left.
                exhausted(e);
            }
            if (connection == null) {
                return;
            }
            if (prepare(connection)) {
                tell(new AcceptedChannel(connection));
            }
        }
    }

    private void exhausted(IOException cause) {
        pause();
        try {
            events.exhausted(cause);
        } catch (Throwable t) {
            accept(); // nobody else would
            throw t;
        }
    }

    private void tell(AcceptedChannel connection) {
        try {
            events.accepted(connection);
        } catch (Throwable t) {
            engine.faults.add(t);
            connection.close();
        }
    }

    /// Sets what a JDK channel does not inherit. False when the connection is gone already, or
    /// refuses an option's value.
    private boolean prepare(SocketChannel connection) {
        try {
            connection.configureBlocking(false);
            NioOptions.configure(connection, options);
            return true;
        } catch (IOException e) {
            NioEngine.close(connection);
            return false;
        } catch (Throwable t) {
            engine.faults.add(t);
            NioEngine.close(connection);
            return false;
        }
    }

    @Override
    public void abandon() {
        close();
    }

    /// A listener serves all its peers, so it goes on: it has not stopped, unless it was paused.
    @Override
    public void faulted() {}

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            accepting = false;
            key.cancel();
            NioEngine.close(channel);
            engine.unbind(this);
        }
    }

    /// The descriptor is closed.
    void unbound() {
        engine.closed();
        events.closed();
    }
}
