package io.weft.channel;

import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;

/// Counts the open connections of one [ServerBootstrap], over all its listeners. Any thread.
///
/// At the maximum a listener stops accepting. It says that it waits and then looks at the count
/// again; a connection that closes leaves the count and then looks for listeners that wait. So one
/// of the two sees the other.
final class ConnectionLimit {
    /// The default of [ServerBootstrap#maxConnections].
    static final int DEFAULT = 65_536;

    private final int max;
    private final AtomicInteger open = new AtomicInteger();
    private final List<ServerChannel> listeners = new CopyOnWriteArrayList<>();

    ConnectionLimit(int max) {
        if (max < 1) {
            throw new IllegalArgumentException("maxConnections: " + max + " (expected: >= 1)");
        }
        this.max = max;
    }

    int max() {
        return max;
    }

    void add(ServerChannel listener) {
        listeners.add(listener);
    }

    void remove(ServerChannel listener) {
        listeners.remove(listener);
    }

    /// Counts one more connection.
    ///
    /// @return false at the maximum
    boolean enter() {
        for (int now = open.get(); now < max; now = open.get()) {
            if (open.compareAndSet(now, now + 1)) {
                return true;
            }
        }
        return false;
    }

    boolean isReached() {
        return open.get() >= max;
    }

    /// A connection is closed, or has come to nothing.
    void leave() {
        if (open.getAndDecrement() == max) {
            for (ServerChannel listener : listeners) {
                listener.hasRoom();
            }
        }
    }
}
