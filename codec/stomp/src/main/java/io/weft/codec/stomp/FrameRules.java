package io.weft.codec.stomp;

import org.jspecify.annotations.Nullable;

/// Headers that each command must have, by version.
final class FrameRules {
    private FrameRules() {}

    /// Returns the number of up to 18 digits that a `content-length` is; -1 if it is none.
    static long contentLength(String text) {
        long length = 0;
        for (int i = 0; i < text.length(); i++) {
            int digit = text.charAt(i) - '0';
            if (digit < 0 || digit > 9) {
                return -1;
            }
            length = length * 10 + digit;
        }
        return text.isEmpty() || text.length() > 18 ? -1 : length;
    }

    /// Returns the name of a header that is missing; null if all are there.
    static @Nullable String missing(StompCommand command, StompHeaders h, StompVersion version) {
        boolean old = version == StompVersion.V1_0;
        return switch (command) {
            case SEND -> first(h, "destination");
            case SUBSCRIBE -> old ? first(h, "destination") : first(h, "destination", "id");
            case UNSUBSCRIBE -> old && h.contains("destination") ? null : first(h, "id");
            case ACK, NACK ->
                    switch (version) {
                        case V1_0 -> first(h, "message-id");
                        case V1_1 -> first(h, "message-id", "subscription");
                        case V1_2 -> first(h, "id");
                    };
            case BEGIN, COMMIT, ABORT -> first(h, "transaction");
            case MESSAGE ->
                    old
                            ? first(h, "destination", "message-id")
                            : first(h, "destination", "message-id", "subscription");
            case RECEIPT -> first(h, "receipt-id");
            case CONNECT, STOMP, DISCONNECT, CONNECTED, ERROR -> null;
        };
    }

    private static @Nullable String first(StompHeaders headers, String... names) {
        for (String name : names) {
            if (!headers.contains(name)) {
                return name;
            }
        }
        return null;
    }
}
