package io.weft.http.server;

import io.weft.eventloop.EventLoop;
import io.weft.http.model.Headers;
import io.weft.http.model.Peer;
import io.weft.http.model.Status;
import java.net.SocketAddress;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The peer of one request: that of its connection, and the way back for interim responses. Those
/// of one connection are equal.
///
/// @param loop of the connection
/// @param way back, to be used on the loop; it drops what comes too late or is too much
record RequestPeer(Peer connection, EventLoop loop, Interims way) implements Peer {
    /// Interim responses that a request gets, as many as clients have to bear (see
    /// [io.weft.http.http1.ResponseDecoder#MAX_INTERIM]).
    static final int MAX_INTERIM = 32;

    /// Sends interim responses. Thread: the loop.
    @FunctionalInterface
    interface Interims {
        void interim(Status status, Headers headers);
    }

    /// Sends an interim response from any thread, in order with the final one.
    void interim(Status status, Headers headers) {
        if (loop.inLoop()) {
            way.interim(status, headers);
            return;
        }
        try {
            loop.executeUnbounded(() -> way.interim(status, headers));
        } catch (RejectedExecutionException e) {
            // The loop has ended, and its connections with it.
        }
    }

    @Override
    public boolean equals(@Nullable Object other) {
        return other instanceof RequestPeer peer && peer.connection.equals(connection);
    }

    @Override
    public int hashCode() {
        return connection.hashCode();
    }

    @Override
    public @Nullable SocketAddress address() {
        return connection.address();
    }

    @Override
    public @Nullable SocketAddress localAddress() {
        return connection.localAddress();
    }

    @Override
    public @Nullable Tls tls() {
        return connection.tls();
    }
}
