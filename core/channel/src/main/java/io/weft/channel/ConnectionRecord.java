package io.weft.channel;

import io.weft.channel.Lifecycle.Addresses;
import java.util.Objects;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Emits the JFR events of one connection and counts its bytes meanwhile. Exists only for
/// connections that are opened while a recording takes these events: all others pay for one null
/// reference. Thread: the channel's loop.
final class ConnectionRecord {
    private final ConnectionClosedEvent closed;

    private ConnectionRecord(ConnectionClosedEvent closed) {
        this.closed = closed;
    }

    /// Records that a connection stands.
    ///
    /// @return null unless its end is to be recorded
    static @Nullable ConnectionRecord open(Lifecycle life, boolean accepted) {
        // The first use of an event class starts JFR, which takes half a second.
        return FlightRecorder.isInitialized() ? begin(life, accepted) : null;
    }

    private static @Nullable ConnectionRecord begin(Lifecycle life, boolean accepted) {
        var opened = new ConnectionOpenedEvent();
        var closed = new ConnectionClosedEvent();
        boolean closeWanted = closed.isEnabled();
        if (!opened.isEnabled() && !closeWanted) {
            return null;
        }
        Addresses addresses = life.addresses();
        opened.local = Objects.toString(addresses.local(), "");
        opened.remote = Objects.toString(addresses.remote(), "");
        opened.accepted = accepted;
        opened.commit();
        if (!closeWanted) {
            return null;
        }
        closed.local = opened.local;
        closed.remote = opened.remote;
        closed.accepted = accepted;
        closed.begin();
        return new ConnectionRecord(closed);
    }

    void received(int bytes) {
        closed.received += bytes;
    }

    void sent(int bytes) {
        closed.sent += bytes;
    }

    /// The engine has let go of the connection.
    void close() {
        closed.commit();
    }
}
