package io.weft.examples.broker;

import io.weft.buffer.Buffer;
import io.weft.codec.stomp.StompHeaders;
import io.weft.codec.stomp.StompVersion;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/// A message as a server keeps it. Owns its body.
///
/// @param tries deliveries before
record StompDelivery(StompHeaders headers, Buffer body, int tries) implements AutoCloseable {
    /// Headers of a SEND that are not for its receivers, or that the server sets itself.
    private static final Set<String> OWN =
            Set.of(
                    "destination",
                    "message-id",
                    "subscription",
                    "ack",
                    "transaction",
                    "receipt",
                    "content-length");

    /// Memory that a frame takes, about.
    static int size(StompHeaders headers, Buffer body) {
        int size = 256 + body.readableBytes();
        for (int i = 0; i < headers.size(); i++) {
            size += 32 + headers.name(i).length() + headers.value(i).length();
        }
        return size;
    }

    int size() {
        return size(headers, body);
    }

    String destination() {
        return destination(headers);
    }

    static String destination(StompHeaders headers) {
        String destination = headers.get("destination");
        return destination == null ? "" : destination;
    }

    /// Returns this message for another try.
    StompDelivery again() {
        return new StompDelivery(headers, body, tries + 1);
    }

    /// Returns the headers of its MESSAGE: those that its sender has given, as far as `version` can
    /// say them, behind the server's own.
    StompHeaders told(StompSubscription to, String id, StompVersion version) {
        List<String> told = new ArrayList<>();
        told.addAll(List.of("destination", destination(), "message-id", id));
        told.addAll(List.of("subscription", to.id()));
        if (to.mode() != StompSubscription.Mode.AUTO && version == StompVersion.V1_2) {
            told.addAll(List.of("ack", id));
        }
        for (int i = 0; i < headers.size(); i++) {
            String name = headers.name(i);
            String value = headers.value(i);
            if (!OWN.contains(name) && isSayable(name, value, version)) {
                told.add(name);
                told.add(value);
            }
        }
        return StompHeaders.of(told.toArray(new String[0]));
    }

    private static boolean isSayable(String name, String value, StompVersion version) {
        return switch (version) {
            case V1_2 -> true;
            case V1_1 -> !(name + value).contains("\r");
            case V1_0 ->
                    name.indexOf(':') < 0
                            && (name + value).chars().noneMatch(c -> c == '\n' || c == '\r');
        };
    }

    @Override
    public void close() {
        body.release();
    }
}
