package io.weft.http.server.exchange;

import io.weft.eventloop.EventLoop;
import io.weft.http.model.Headers;
import io.weft.http.model.Peer;
import io.weft.http.model.Status;
import java.net.SocketAddress;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.RejectedExecutionException;
import org.jspecify.annotations.Nullable;

/// The peer of one request: that of its connection, and the way back for interim responses. Those
/// of one connection are equal.
///
/// Interim responses of other threads wait for the loop, but never behind the final response, which
/// the loop may have while their task is still in its queue.
public final class RequestPeer implements Peer {
    /// Interim responses that a request gets, as many as clients have to bear (see
    /// [io.weft.http.http1.ResponseDecoder#MAX_INTERIM]).
    public static final int MAX_INTERIM = 32;

    /// Sends interim responses, and drops those that come too late or are too many. Thread: the
    /// loop.
    @FunctionalInterface
    public interface Interims {
        /// @param request as it was given to its peer
        void interim(Object request, Status status, Headers headers);
    }

    private record Interim(Status status, Headers headers) {}

    private final Peer connection;
    private final EventLoop loop;
    private final Interims way;
    private final Object request;

    /// Null or not empty; written under the lock.
    private volatile @Nullable List<Interim> waiting;

    /// @param loop of the connection
    /// @param request tells `way` which one it is
    public RequestPeer(Peer connection, EventLoop loop, Interims way, Object request) {
        this.connection = connection;
        this.loop = loop;
        this.way = way;
        this.request = request;
    }

    /// Sends an interim response from any thread, in order with the final one.
    public void interim(Status status, Headers headers) {
        if (loop.inLoop()) {
            sendWaiting();
            way.interim(request, status, headers);
        } else if (isFirst(new Interim(status, headers))) {
            try {
                loop.executeUnbounded(this::sendWaiting);
            } catch (RejectedExecutionException e) {
                // The loop has ended, and its connections with it.
            }
        }
    }

    private synchronized boolean isFirst(Interim interim) {
        List<Interim> before = waiting;
        if (before == null) {
            List<Interim> all = new ArrayList<>(2);
            all.add(interim);
            waiting = all;
            return true;
        }
        if (before.size() < MAX_INTERIM) {
            before.add(interim);
        }
        return false;
    }

    /// Sends what other threads have left. Thread: the loop.
    void sendWaiting() {
        if (waiting != null) {
            List<Interim> all;
            synchronized (this) {
                all = waiting;
                waiting = null;
            }
            if (all != null) {
                all.forEach(one -> way.interim(request, one.status(), one.headers()));
            }
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
