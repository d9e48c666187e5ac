package io.weft.channel.jfr;

import java.net.SocketAddress;
import java.util.Objects;
import jdk.jfr.FlightRecorder;
import org.jspecify.annotations.Nullable;

/// Emits the JFR events of one connection and counts its bytes meanwhile. Exists only for
/// connections that are opened while a recording takes these events: all others pay for one null
/// reference. Thread: the channel's loop.
public final class ConnectionRecord {
    private final ConnectionClosedEvent closed;

    private ConnectionRecord(ConnectionClosedEvent closed) {
        this.closed = closed;
    }

    /// Tells if JFR runs. The first use of an event class would start it, which takes half a
    /// second.
    public static boolean isPossible() {
        return FlightRecorder.isInitialized();
    }

    /// Records that a connection stands, if [#isPossible].
    ///
    /// @return null unless its end is to be recorded
    public static @Nullable ConnectionRecord open(
            @Nullable SocketAddress local, @Nullable SocketAddress remote, boolean accepted) {
        var opened = new ConnectionOpenedEvent();
        var closed = new ConnectionClosedEvent();
        boolean closeWanted = closed.isEnabled();
        if (!opened.isEnabled() && !closeWanted) {
            return null;
        }
        opened.local = Objects.toString(local, "");
        opened.remote = Objects.toString(remote, "");
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

    public void received(int bytes) {
        closed.received += bytes;
    }

    public void sent(int bytes) {
        closed.sent += bytes;
    }

    /// The engine has let go of the connection.
    public void close() {
        closed.commit();
    }
}
