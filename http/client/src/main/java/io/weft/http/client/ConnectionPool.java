package io.weft.http.client;

import io.weft.http.client.HttpClientException.ConnectFailed;
import io.weft.http.client.HttpClientException.Rejected;
import io.weft.http.client.HttpClientException.Stage;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// The connections of one client: bounded for each route and in total, kept while they are used
/// again within the idle time-out.
///
/// A request takes the connection that was used last, of those on the caller's loop if it can; else
/// makes one, else waits. Where the total is reached, a connection to another origin that lies idle
/// makes room. A connection may carry several exchanges at a time, up to its
/// [capacity][ClientConnection#capacity].
///
/// **Threads.** Any. A lock guards all fields; nobody is called under it.
final class ConnectionPool {
    /// Makes connections.
    interface Connector {
        /// Calls one of the two, from any thread.
        void connect(Route route, ConnectionPool pool, Waiter waiter);

        /// Tells if a connection to there may carry several exchanges at a time.
        default boolean mayMultiplex(Route route) {
            return false;
        }

        /// A server of HTTP/2 wants HTTP/1.1.
        default void requiresHttp1(Route route) {}

        /// No connection is made any more.
        default void close() {}
    }

    /// One request for a connection.
    interface Waiter {
        /// @param fresh whether no exchange has run on it
        void acquired(ClientConnection connection, boolean fresh);

        void refused(HttpClientException cause);

        /// The connection is being made.
        void connecting(Stage stage);
    }

    private static final class Slots {
        /// With room for an exchange, the last used last.
        final ArrayDeque<ClientConnection> available = new ArrayDeque<>();

        final Set<Waiter> waiting = new LinkedHashSet<>();

        /// Connections, also those that are being made.
        int count;

        /// Connections that are being made.
        int connecting;

        /// The next connection may do for all that wait, so while it is being made they do wait.
        boolean shared;
    }

    /// Connections that are looked at for one on the caller's loop.
    private static final int MAX_LOOKS = 8;

    private final Connector connector;
    private final HttpClientLimits limits;

    // ---- under the lock ----

    /// Least recently used route first.
    private final Map<Route, Slots> routes = new LinkedHashMap<>(16, 0.75f, true);

    /// Exchanges on each connection.
    private final Map<ClientConnection, Integer> lent = new HashMap<>();

    private int count;
    private int waiting;
    private boolean closed;

    ConnectionPool(Connector connector, HttpClientLimits limits) {
        this.connector = connector;
        this.limits = limits;
    }

    // ---- lending ----

    /// Lends a connection, now or later.
    void acquire(Route route, boolean freshOnly, Waiter waiter) {
        List<Runnable> then = new ArrayList<>();
        synchronized (this) {
            if (closed) {
                then.add(() -> waiter.refused(rejected(route, "the client is closed")));
            } else {
                serve(route, waiter, freshOnly, then);
            }
        }
        then.forEach(Runnable::run);
    }

    private static Rejected rejected(Route route, String what) {
        return new Rejected(route.origin(), what + " (expected: open, and with room)");
    }

    private void serve(Route route, Waiter waiter, boolean freshOnly, List<Runnable> then) {
        Slots slots = slots(route);
        ClientConnection free = freshOnly ? null : take(slots, then);
        if (free != null) {
            then.add(() -> waiter.acquired(free, false));
        } else if (mayConnect(slots, then)) {
            then.add(() -> connect(route, waiter));
        } else if (waiting < limits.waiting()) {
            slots.waiting.add(waiter);
            waiting++;
        } else {
            then.add(() -> waiter.refused(rejected(route, waiting(limits))));
            dropIfEmpty(route, slots);
        }
    }

    private Slots slots(Route route) {
        return routes.computeIfAbsent(
                route,
                missing -> {
                    Slots slots = new Slots();
                    slots.shared = connector.mayMultiplex(missing);
                    return slots;
                });
    }

    /// Counts one connection more, if it may be made now.
    private boolean mayConnect(Slots slots, List<Runnable> then) {
        if ((slots.shared && slots.connecting > 0) || !makeRoom(slots, then)) {
            return false;
        }
        slots.count++;
        slots.connecting++;
        count++;
        return true;
    }

    private static String waiting(HttpClientLimits limits) {
        return "requests that wait for a connection: more than " + limits.waiting();
    }

    private void connect(Route route, Waiter waiter) {
        try {
            connector.connect(route, this, waiter);
        } catch (RuntimeException e) {
            failed(route);
            waiter.refused(new ConnectFailed(route.origin(), Stage.CONNECT, String.valueOf(e), e));
        }
    }

    private @Nullable ClientConnection take(Slots slots, List<Runnable> then) {
        while (!slots.available.isEmpty()) {
            ClientConnection connection = removeNearest(slots.available);
            if (connection.isOpen()) {
                int used = lent.merge(connection, 1, Integer::sum);
                if (used < connection.capacity()) {
                    slots.available.addLast(connection);
                }
                return connection;
            }
            remove(connection);
            then.add(connection::close);
        }
        return null;
    }

    /// The last used of the caller's loop, if there is one among the few that were used last; else
    /// the last used.
    private static ClientConnection removeNearest(ArrayDeque<ClientConnection> available) {
        Iterator<ClientConnection> latest = available.descendingIterator();
        for (int i = 0; i < MAX_LOOKS && latest.hasNext(); i++) {
            ClientConnection connection = latest.next();
            if (connection.isNear()) {
                latest.remove();
                return connection;
            }
        }
        return available.removeLast();
    }

    /// Tells if one connection more may be made, for which another one may have to go.
    private boolean makeRoom(Slots slots, List<Runnable> then) {
        if (slots.count >= limits.perOrigin()) {
            // A fresh one is wanted although others are idle.
            ClientConnection idle = oldestIdle(slots);
            if (idle == null) {
                return false;
            }
            remove(idle);
            then.add(idle::close);
        }
        if (count < limits.connections()) {
            return true;
        }
        for (Slots other : routes.values()) {
            ClientConnection idle = oldestIdle(other);
            if (idle != null) {
                remove(idle);
                then.add(idle::close);
                return true;
            }
        }
        return false;
    }

    private @Nullable ClientConnection oldestIdle(Slots slots) {
        for (ClientConnection connection : slots.available) {
            if (lent.getOrDefault(connection, 0) == 0) {
                return connection;
            }
        }
        return null;
    }

    /// Gives up waiting.
    ///
    /// @return false when the waiter has a connection, or one is being made for it
    boolean cancel(Route route, Waiter waiter) {
        synchronized (this) {
            Slots slots = routes.get(route);
            if (slots == null || !slots.waiting.remove(waiter)) {
                return false;
            }
            waiting--;
            dropIfEmpty(route, slots);
            return true;
        }
    }

    // ---- what becomes of connections ----

    /// A connection was made, for `waiter`.
    void connected(ClientConnection connection, Waiter waiter) {
        boolean refused;
        List<Runnable> then = new ArrayList<>();
        synchronized (this) {
            refused = closed;
            Slots slots = slots(connection.route());
            slots.connecting--;
            slots.shared = connection.capacity() > 1;
            lent.put(connection, 1);
            if (slots.shared) {
                slots.available.addLast(connection);
            }
            if (!refused) {
                serveWaiting(then);
            }
        }
        if (refused) {
            connection.close();
            gone(connection);
            waiter.refused(rejected(connection.route(), "the client is closed"));
        } else {
            waiter.acquired(connection, true);
        }
        then.forEach(Runnable::run);
    }

    /// A server of HTTP/2 wants HTTP/1.1. Connections that are there stay as they are.
    void requiresHttp1(Route route) {
        connector.requiresHttp1(route);
    }

    /// As [Connector#mayMultiplex].
    boolean mayMultiplex(Route route) {
        return connector.mayMultiplex(route);
    }

    /// A connection could not be made.
    void failed(Route route) {
        List<Runnable> then = new ArrayList<>();
        synchronized (this) {
            Slots slots = slots(route);
            slots.count--;
            slots.connecting--;
            slots.shared = false; // others that wait try for themselves, side by side
            count--;
            dropIfEmpty(route, slots);
            serveWaiting(then);
        }
        then.forEach(Runnable::run);
    }

    /// An exchange is over, and the connection can carry another one.
    void release(ClientConnection connection) {
        List<Runnable> then = new ArrayList<>();
        synchronized (this) {
            Integer used = lent.get(connection);
            if (used == null) {
                return;
            }
            lent.put(connection, used - 1);
            Slots slots = slots(connection.route());
            slots.available.remove(connection);
            if (used <= connection.capacity()) {
                slots.available.addLast(connection);
            }
            if (closed) {
                remove(connection);
                then.add(connection::close);
            } else {
                serveWaiting(then);
                if (used == 1 && lent.getOrDefault(connection, 1) == 0) {
                    then.add(connection::rests);
                }
            }
        }
        then.forEach(Runnable::run);
    }

    /// A connection carries more exchanges at a time than before, or fewer.
    void capacityChanged(ClientConnection connection) {
        List<Runnable> then = new ArrayList<>();
        synchronized (this) {
            Integer used = lent.get(connection);
            Slots slots = routes.get(connection.route());
            if (used == null || slots == null) {
                return;
            }
            boolean listed = slots.available.contains(connection);
            if (used >= connection.capacity()) {
                slots.available.remove(connection);
            } else if (!listed) {
                slots.available.addLast(connection);
                serveWaiting(then);
            }
        }
        then.forEach(Runnable::run);
    }

    /// An idle connection has waited for too long.
    void expired(ClientConnection connection) {
        synchronized (this) {
            if (lent.getOrDefault(connection, 1) != 0) {
                return; // lent just now, or gone
            }
            remove(connection);
            dropEmpty();
        }
        connection.close();
    }

    /// A connection has ended, whatever it carried.
    void gone(ClientConnection connection) {
        List<Runnable> then = new ArrayList<>();
        synchronized (this) {
            if (!lent.containsKey(connection)) {
                return;
            }
            remove(connection);
            serveWaiting(then);
        }
        then.forEach(Runnable::run);
    }

    private void remove(ClientConnection connection) {
        if (lent.remove(connection) != null) {
            Slots slots = routes.get(connection.route());
            if (slots != null) {
                slots.available.remove(connection);
                slots.count--;
            }
            count--;
        }
    }

    private void dropIfEmpty(Route route, Slots slots) {
        if (slots.count == 0 && slots.waiting.isEmpty()) {
            routes.remove(route);
        }
    }

    private void dropEmpty() {
        routes.values().removeIf(slots -> slots.count == 0 && slots.waiting.isEmpty());
    }

    /// Serves those that wait and have room now, the route that was used least recently first.
    private void serveWaiting(List<Runnable> then) {
        if (waiting == 0) {
            dropEmpty();
            return;
        }
        for (Map.Entry<Route, Slots> entry : new ArrayList<>(routes.entrySet())) {
            Slots slots = entry.getValue();
            while (!slots.waiting.isEmpty()) {
                Iterator<Waiter> first = slots.waiting.iterator();
                Waiter waiter = first.next();
                ClientConnection free = take(slots, then);
                if (free != null) {
                    then.add(() -> waiter.acquired(free, false));
                } else if (mayConnect(slots, then)) {
                    then.add(() -> connect(entry.getKey(), waiter));
                } else {
                    break;
                }
                first.remove();
                waiting--;
            }
        }
    }

    // ---- the end ----

    /// Refuses further requests and those that wait, and closes idle connections now, others when
    /// their exchange is over.
    void close() {
        List<Runnable> then = new ArrayList<>();
        synchronized (this) {
            closed = true;
            for (Map.Entry<Route, Slots> entry : routes.entrySet()) {
                Collection<Waiter> losers = List.copyOf(entry.getValue().waiting);
                entry.getValue().waiting.clear();
                losers.forEach(
                        w ->
                                then.add(
                                        () ->
                                                w.refused(
                                                        rejected(
                                                                entry.getKey(),
                                                                "the client is closed"))));
            }
            waiting = 0;
            for (ClientConnection connection : List.copyOf(lent.keySet())) {
                if (lent.getOrDefault(connection, 0) == 0) {
                    remove(connection);
                    then.add(connection::close);
                }
            }
        }
        then.forEach(Runnable::run);
        connector.close();
    }

    /// Returns the number of connections, also those that are being made. A snapshot.
    int size() {
        synchronized (this) {
            return count;
        }
    }

    /// Says, for a message, what a request to there waits for. A snapshot.
    String occupancy(Route route) {
        synchronized (this) {
            Slots slots = routes.get(route);
            return "; connections in use: %d to the origin (limit: %d), %d in all (limit: %d)"
                            .formatted(
                                    slots == null ? 0 : slots.count,
                                    limits.perOrigin(),
                                    count,
                                    limits.connections())
                    + ". A response that is neither read to its end nor closed keeps one";
        }
    }

    /// Returns the number of connections without an exchange. A snapshot.
    int idle() {
        synchronized (this) {
            return (int) lent.values().stream().filter(used -> used == 0).count();
        }
    }

    /// Returns the number of requests that wait. A snapshot.
    int waiting() {
        synchronized (this) {
            return waiting;
        }
    }
}
