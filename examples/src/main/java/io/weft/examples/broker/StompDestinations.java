package io.weft.examples.broker;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.stomp.StompFrame;
import io.weft.codec.stomp.StompHeaders;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// Topics and queues of a server. Its monitor guards them, subscriptions and what is under way to
/// connections: messages go to many, whose loops differ.
final class StompDestinations {
    private static final String QUEUE = "/queue/";
    private static final int MAX_QUEUES = 1_000;
    private static final int MAX_QUEUED = 1_000;
    private static final int MAX_QUEUED_BYTES = 4 << 20;

    /// Deliveries of a message that is refused again and again.
    private static final int MAX_TRIES = 5;

    /// One destination: of a topic, `waiting` stays empty.
    private static final class Destination {
        /// The first is the next to get a message of a queue.
        final Set<StompSubscription> subscribers = new LinkedHashSet<>();

        final ArrayDeque<StompDelivery> waiting = new ArrayDeque<>();

        /// Of a queue, those of messages that wait, and of those that subscribers have and have not
        /// acknowledged: a subscriber that never does would else hold any number.
        int bytes;

        boolean busy;

        boolean isIdle() {
            return subscribers.isEmpty() && waiting.isEmpty();
        }
    }

    private final Map<String, Destination> destinations = new HashMap<>();
    private int queues;
    private long messages;

    private static boolean isQueue(String name) {
        return name.startsWith(QUEUE);
    }

    /// Returns false when there are too many queues.
    synchronized boolean subscribe(StompSubscription subscription) {
        String name = subscription.destination();
        if (!mayOpen(name)) {
            return false;
        }
        open(name).subscribers.add(subscription);
        drain(name);
        return true;
    }

    private boolean mayOpen(String name) {
        return destinations.containsKey(name) || !isQueue(name) || queues < MAX_QUEUES;
    }

    private Destination open(String name) {
        Destination known = destinations.get(name);
        if (known != null) {
            return known;
        }
        Destination made = new Destination();
        destinations.put(name, made);
        queues += isQueue(name) ? 1 : 0;
        return made;
    }

    private void closeIdle(String name) {
        Destination destination = destinations.get(name);
        if (destination != null && destination.isIdle()) {
            destinations.remove(name);
            queues -= isQueue(name) ? 1 : 0;
        }
    }

    /// Ends a subscription: what it has not acknowledged, others get first.
    synchronized void unsubscribe(StompSubscription subscription) {
        String name = subscription.destination();
        Destination destination = open(name);
        destination.subscribers.remove(subscription);
        for (StompDelivery left : subscription.takeAll().reversed()) {
            if (isQueue(name)) {
                destination.waiting.addFirst(left);
            } else {
                left.close();
            }
        }
        drain(name);
        closeIdle(name);
    }

    /// Sends messages, all or, if there is no room for one of them, none; their bodies stay the
    /// caller's.
    synchronized boolean send(List<StompFrame> frames) {
        if (!hasRoom(frames)) {
            return false;
        }
        Set<String> names = new LinkedHashSet<>();
        for (StompFrame frame : frames) {
            String name = StompDelivery.destination(frame.headers());
            if (isQueue(name)) {
                Buffer body = frame.body();
                // What waits must not keep the memory of all that was read with it.
                Buffer mine = body.copy(body.readOffset(), body.readableBytes());
                StompDelivery delivery = new StompDelivery(frame.headers(), mine, 0);
                Destination queue = open(name);
                queue.waiting.add(delivery);
                queue.bytes += delivery.size();
                names.add(name);
            } else {
                publish(name, frame.headers(), frame.body());
            }
        }
        names.forEach(
                name -> {
                    drain(name);
                    closeIdle(name);
                });
        return true;
    }

    private boolean hasRoom(List<StompFrame> frames) {
        Map<String, int[]> added = new HashMap<>();
        for (StompFrame frame : frames) {
            String name = StompDelivery.destination(frame.headers());
            if (isQueue(name)) {
                int[] sums = added.computeIfAbsent(name, n -> new int[2]);
                sums[0]++;
                sums[1] += StompDelivery.size(frame.headers(), frame.body());
            }
        }
        int opened = 0;
        for (Map.Entry<String, int[]> entry : added.entrySet()) {
            Destination queue = destinations.get(entry.getKey());
            opened += queue == null ? 1 : 0;
            int count = entry.getValue()[0] + (queue == null ? 0 : queue.waiting.size());
            int bytes = entry.getValue()[1] + (queue == null ? 0 : queue.bytes);
            if (count > MAX_QUEUED || bytes > MAX_QUEUED_BYTES) {
                return false;
            }
        }
        return queues + opened <= MAX_QUEUES;
    }

    private void publish(String name, StompHeaders headers, Buffer body) {
        Destination topic = destinations.get(name);
        if (topic == null) {
            return;
        }
        for (StompSubscription to : List.copyOf(topic.subscribers)) {
            if (to.isReady()) { // a client that does not keep up misses messages
                Buffer mine = body.slice(body.readOffset(), body.readableBytes());
                deliver(to, new StompDelivery(headers, mine, 0));
            }
        }
    }

    /// Sends what waits in a queue to subscribers that are ready, in turns.
    private void drain(String name) {
        Destination queue = destinations.get(name);
        if (queue == null || queue.busy) {
            return; // the loop below goes on
        }
        queue.busy = true;
        StompSubscription next;
        while (!queue.waiting.isEmpty() && (next = nextReady(queue)) != null) {
            StompDelivery delivery = queue.waiting.remove();
            if (next.mode() == StompSubscription.Mode.AUTO) {
                queue.bytes -= delivery.size();
            }
            deliver(next, delivery);
        }
        queue.busy = false;
    }

    private static @Nullable StompSubscription nextReady(Destination queue) {
        for (StompSubscription candidate : queue.subscribers) {
            if (candidate.isReady()) {
                queue.subscribers.remove(candidate);
                queue.subscribers.add(candidate);
                return candidate;
            }
        }
        return null;
    }

    private void deliver(StompSubscription to, StompDelivery delivery) {
        String id = Long.toString(++messages);
        Buffer body = delivery.body();
        if (to.mode() != StompSubscription.Mode.AUTO) {
            // Of a topic, only that it was sent is to be known.
            Buffer kept =
                    isQueue(delivery.destination())
                            ? body.slice(body.readOffset(), body.readableBytes())
                            : BufferAllocator.pooled().allocate(0);
            to.keep(id, new StompDelivery(delivery.headers(), kept, delivery.tries()));
        }
        to.connection().send(to, id, delivery);
    }

    /// Handles an ACK or NACK of a message. Returns false when none of the subscriptions, which are
    /// all of a connection, has been sent it.
    synchronized boolean acknowledge(
            List<StompSubscription> all, String messageId, boolean accepted) {
        for (StompSubscription by : all) {
            if (by.hasSent(messageId)) {
                acknowledge(by, messageId, accepted);
                return true;
            }
        }
        return false;
    }

    private void acknowledge(StompSubscription by, String messageId, boolean accepted) {
        String name = by.destination();
        Destination destination = open(name);
        for (StompDelivery delivery : by.acknowledge(messageId)) {
            if (!isQueue(name)) {
                delivery.close();
            } else if (accepted || delivery.tries() + 1 >= MAX_TRIES) {
                destination.bytes -= delivery.size();
                delivery.close();
            } else {
                destination.waiting.addLast(delivery.again());
            }
        }
        drain(name);
        closeIdle(name);
    }

    /// Goes on with queues, as a connection keeps up again.
    synchronized void resume(List<StompSubscription> subscriptions) {
        subscriptions.forEach(s -> drain(s.destination()));
    }

    synchronized void close() {
        List<Destination> all = new ArrayList<>(destinations.values());
        all.forEach(d -> d.waiting.forEach(StompDelivery::close));
        destinations.clear();
    }
}
