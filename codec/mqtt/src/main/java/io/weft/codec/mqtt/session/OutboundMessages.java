package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.Publish;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.BitSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// Messages of QoS 1 and 2 that a session sends, in their order, and the packet identifiers that
/// are taken.
final class OutboundMessages {
    /// So that there is always an identifier for another request.
    private static final int MOST_IN_FLIGHT = 0xFFFF - Requests.MOST;

    private final SessionLimits limits;

    /// Sent on the current connection, or known to the peer, by packet identifier.
    private final Map<Integer, Outbound> inFlight = new LinkedHashMap<>();

    /// To be sent; the first ones again, with an identifier already.
    private final ArrayDeque<Outbound> queue = new ArrayDeque<>();

    private final BitSet ids = new BitSet();
    private int lastId;
    private long bytes;

    private final boolean expire;

    /// @param expire messages are dropped that wait for longer than they are of use
    OutboundMessages(SessionLimits limits, boolean expire) {
        this.limits = limits;
        this.expire = expire;
    }

    /// Queues a message; returns false when there is no room for it.
    boolean offer(Publish publish, long token, long now) {
        int size = Outbound.size(publish);
        if (pending() >= limits.inFlight() + limits.queued()
                || bytes + size > limits.queuedBytes()) {
            return false;
        }
        queue.add(new Outbound(publish, token, expire, now));
        bytes += size;
        return true;
    }

    /// Drops the messages that have waited for too long, and returns them.
    List<Outbound> dropExpired(long now) {
        List<Outbound> expired = new ArrayList<>();
        for (Outbound out : queue) {
            if (out.isExpired(now)) {
                expired.add(out);
            }
        }
        if (!expired.isEmpty()) {
            queue.removeIf(out -> out.isExpired(now));
            expired.forEach(this::dropPayload);
        }
        return expired;
    }

    /// Returns the next message to send, which is in flight from now on; null when there is none or
    /// `window` are in flight.
    @Nullable Outbound next(int window) {
        int most = Math.min(Math.min(window, limits.inFlight()), MOST_IN_FLIGHT);
        if (queue.isEmpty() || inFlight.size() >= most) {
            return null;
        }
        Outbound next = queue.remove();
        if (next.packetId == 0) {
            next.packetId = takeId();
        }
        inFlight.put(next.packetId, next);
        return next;
    }

    /// Takes a packet identifier that is not in use; there is one.
    int takeId() {
        do {
            lastId = lastId == 0xFFFF ? 1 : lastId + 1;
        } while (ids.get(lastId));
        ids.set(lastId);
        return lastId;
    }

    void freeId(int id) {
        ids.clear(id);
    }

    @Nullable Outbound find(int id) {
        return inFlight.get(id);
    }

    /// The peer has the message; its identifier stays.
    void dropPayload(Outbound out) {
        bytes -= out.publish == null ? 0 : out.bytes;
        out.release();
    }

    void remove(Outbound out) {
        dropPayload(out);
        inFlight.remove(out.packetId);
        ids.clear(out.packetId);
    }

    /// Prepares a new connection of the same session: what the peer has not answered goes to the
    /// front of the queue. Returns those that are to be released (PUBREL), in their order.
    List<Outbound> resume() {
        List<Outbound> released = new ArrayList<>();
        List<Outbound> again = new ArrayList<>();
        for (Outbound out : inFlight.values()) {
            (out.publish == null ? released : again).add(out);
        }
        for (Outbound out : again.reversed()) {
            inFlight.remove(out.packetId);
            queue.addFirst(out);
        }
        return released;
    }

    /// Forgets what was sent, for a new session. Returns it; what was never sent stays.
    List<Outbound> forget() {
        List<Outbound> all = new ArrayList<>(inFlight.values());
        while (!queue.isEmpty() && queue.getFirst().packetId != 0) {
            all.add(queue.remove());
        }
        for (Outbound out : all) {
            bytes -= out.publish == null ? 0 : out.bytes;
        }
        inFlight.clear();
        ids.clear();
        return all;
    }

    int pending() {
        return inFlight.size() + queue.size();
    }

    void release() {
        inFlight.values().forEach(Outbound::release);
        queue.forEach(Outbound::release);
        inFlight.clear();
        queue.clear();
        ids.clear();
        bytes = 0;
    }
}
