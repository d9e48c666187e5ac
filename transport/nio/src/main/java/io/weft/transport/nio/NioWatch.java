package io.weft.transport.nio;

import io.weft.engine.ReadyEvents;
import io.weft.engine.ReadyHandle;
import java.io.IOException;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;

/// A channel of another owner. Its operations for reading and writing differ by kind: a listener
/// accepts, a client connects.
final class NioWatch implements ReadyHandle, Target {
    private final NioEngine engine;
    private final SelectionKey key;
    private final ReadyEvents events;
    private final int readOps;
    private final int writeOps;
    private boolean closed;

    NioWatch(NioEngine engine, SelectableChannel channel, ReadyEvents events) throws IOException {
        this.engine = engine;
        this.events = events;
        int valid = channel.validOps();
        readOps = valid & (SelectionKey.OP_READ | SelectionKey.OP_ACCEPT);
        writeOps = valid & (SelectionKey.OP_WRITE | SelectionKey.OP_CONNECT);
        key = engine.register(channel, 0, this);
    }

    @Override
    public void interest(boolean readable, boolean writable) {
        NioEngine.interest(key, (readable ? readOps : 0) | (writable ? writeOps : 0));
    }

    @Override
    public void ready() {
        try {
            int ready = key.readyOps();
            if (!closed) {
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
            key.cancel();
            engine.closed();
        }
    }

    @Override
    public void abandon() {
        close();
    }
}
