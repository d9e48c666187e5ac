package io.weft.examples.broker;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/// A subscription of a connection, and what it has not acknowledged. The lock of
/// [StompDestinations] guards it.
final class StompSubscription {
    /// Modes of acknowledgement, as the `ack` header of SUBSCRIBE names them.
    enum Mode {
        AUTO("auto"),
        /// An acknowledgement is for all messages before, too.
        CLIENT("client"),
        INDIVIDUAL("client-individual");

        private final String text;

        Mode(String text) {
            this.text = text;
        }

        /// Returns the mode of a header; null when it is none.
        static @Nullable Mode of(@Nullable String header) {
            for (Mode mode : values()) {
                if (mode.text.equals(header)) {
                    return mode;
                }
            }
            return header == null ? AUTO : null;
        }
    }

    private static final int MAX_UNACKNOWLEDGED = 1_000;

    private final StompConnection connection;
    private final String id;
    private final String destination;
    private final Mode mode;

    /// By message identifier.
    private final Map<String, StompDelivery> unacknowledged = new LinkedHashMap<>();

    StompSubscription(StompConnection connection, String id, String destination, Mode mode) {
        this.connection = connection;
        this.id = id;
        this.destination = destination;
        this.mode = mode;
    }

    String id() {
        return id;
    }

    String destination() {
        return destination;
    }

    Mode mode() {
        return mode;
    }

    StompConnection connection() {
        return connection;
    }

    /// Tells if the next message may go to it.
    boolean isReady() {
        return connection.keepsUp() && unacknowledged.size() < MAX_UNACKNOWLEDGED;
    }

    /// Keeps a message until it is acknowledged; it becomes the subscription's.
    void keep(String messageId, StompDelivery delivery) {
        unacknowledged.put(messageId, delivery);
    }

    boolean hasSent(String messageId) {
        return unacknowledged.containsKey(messageId);
    }

    /// Takes the messages that an acknowledgement is for, in their order.
    List<StompDelivery> acknowledge(String messageId) {
        List<StompDelivery> all = new ArrayList<>();
        if (mode == Mode.INDIVIDUAL) {
            StompDelivery one = unacknowledged.remove(messageId);
            return one == null ? all : List.of(one);
        }
        Iterator<Map.Entry<String, StompDelivery>> entries = unacknowledged.entrySet().iterator();
        boolean found = !hasSent(messageId);
        while (!found && entries.hasNext()) {
            Map.Entry<String, StompDelivery> next = entries.next();
            found = next.getKey().equals(messageId);
            all.add(next.getValue());
            entries.remove();
        }
        return all;
    }

    /// Takes all messages that are not acknowledged.
    List<StompDelivery> takeAll() {
        List<StompDelivery> all = List.copyOf(unacknowledged.values());
        unacknowledged.clear();
        return all;
    }
}
