package io.weft.transport.nio;

import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/// A channel of another owner. Its operations for reading and writing differ by kind: a listener
/// accepts, a client connects.
final class NioWatch implements ReadyHandle, Target {
    private final NioEngine engine;
    private final SelectableChannel channel;
    private final ReadyEvents events;
    private final int readOps;
    private final int writeOps;
    private int interest;

    /// Null until the selector has given back the key of an earlier watch.
    private @Nullable SelectionKey key;

    private boolean closed;

    NioWatch(NioEngine engine, SelectableChannel channel, ReadyEvents events) throws IOException {
        this.engine = engine;
        this.channel = channel;
        this.events = events;
        int valid = channel.validOps();
        readOps = valid & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT);
        writeOps = valid & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT);
        key = engine.registerWatch(channel, 0, this);
        engine.opened();
    }

    /// A selection has taken place.
    void registerAgain() {
        if (closed) {
            return;
        }
        try {
            key = engine.registerWatch(channel, interest, this);
        } catch (IOException e) {
            events.failed(e);
        } catch (RuntimeException e) { // such as of a channel that blocks by now
            events.failed(new IOException("watch: " + e, e));
        }
    }

    @Override
    public void interest(boolean readable, boolean writable) {
        interest = (readable ? readOps : 0) | (writable ? writeOps : 0);
        if (key != null) {
            NioEngine.interest(key, interest);
        }
    }

    @Override
    public void ready() {
        try {
            // None: told to the key of the earlier watch, selected with what ended that one.
            int ready = key == null ? 0 : key.readyOps();
            if (!closed && ready != 0) {
                events.ready((ready & readOps) != 0, (ready & writeOps) != 0);
            }
        } catch (CancelledKeyException e) {
            // by another one that was selected with it
        }
    }

    @Override
    public void close() {
        if (!closed) {
            closed = true;
            if (key != null) {
                key.cancel();
            }
            engine.closed();
        }
    }

    @Override
    public void abandon() {
        close();
    }
}
