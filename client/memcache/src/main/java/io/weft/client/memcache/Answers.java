package io.weft.client.memcache;

import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.BinaryStatus;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;

/// Answers made of messages, which are closed but for what an answer keeps of them.
final class Answers {
    /// Statistics of one answer.
    static final int MAX_STATISTICS = 16_384;

    /// Characters of their names and values.
    static final int MAX_STATISTICS_LENGTH = 4 << 20;

    private Answers() {}

    static Optional<Item> item(BinaryMessage message) {
        try (message) {
            if (status(message) != BinaryStatus.OK) {
                return Optional.empty();
            }
            int flags = message.extrasLength() < 4 ? 0 : message.extra(0);
            return Optional.of(new Item(message.value(), flags, message.cas()));
        }
    }

    /// Returns one of those that say what has become of an item; others are failures.
    static BinaryStatus status(BinaryMessage message) {
        BinaryStatus status = BinaryStatus.of(message.status());
        if (status != null) {
            switch (status) {
                case OK, KEY_NOT_FOUND, KEY_EXISTS, NOT_STORED -> {
                    return status;
                }
                default -> {}
            }
        }
        throw refused(message);
    }

    private static MemcacheFailure refused(BinaryMessage message) {
        try (var value = message.value()) {
            return new MemcacheFailure.Refused(
                    message.status(), value.readString(StandardCharsets.UTF_8));
        }
    }

    static BinaryStatus outcome(BinaryMessage message) {
        try (message) {
            return status(message);
        }
    }

    static OptionalLong number(BinaryMessage message) {
        try (message) {
            if (status(message) != BinaryStatus.OK) {
                return OptionalLong.empty();
            }
            try (var value = message.value()) {
                return value.readableBytes() < 8
                        ? OptionalLong.empty()
                        : OptionalLong.of(value.readLong());
            }
        }
    }

    /// @throws MemcacheFailure unless all went well
    static BinaryMessage any(BinaryMessage message) {
        if (message.status() != BinaryStatus.OK.number()) {
            try (message) {
                throw refused(message);
            }
        }
        return message;
    }

    static String text(BinaryMessage message) {
        try (var all = any(message);
                var value = all.value()) {
            return value.readString(StandardCharsets.UTF_8);
        }
    }

    /// Gathers statistics up to the one without a name. The reader throws if there are more than
    /// any server has, which ends the connection: they may have no end.
    static Function<BinaryMessage, @Nullable Map<String, String>> statistics() {
        return new Statistics();
    }

    private static final class Statistics
            implements Function<BinaryMessage, @Nullable Map<String, String>> {
        private final Map<String, String> all = new LinkedHashMap<>();
        private int count;
        private int length;

        @Override
        public @Nullable Map<String, String> apply(BinaryMessage message) {
            String name = message.key();
            String value = text(message);
            if (name.isEmpty()) {
                return all;
            }
            count++;
            length += name.length() + value.length();
            if (count > MAX_STATISTICS || length > MAX_STATISTICS_LENGTH) {
                throw new IllegalStateException(
                        "statistics: "
                                + count
                                + " of "
                                + length
                                + " characters (expected: at most "
                                + MAX_STATISTICS
                                + " of "
                                + MAX_STATISTICS_LENGTH
                                + ")");
            }
            all.put(name, value);
            return null;
        }
    }

    /// Releases an answer that nobody gets.
    static void close(Object answer) {
        switch (answer) {
            case Optional<?> some when some.orElse(null) instanceof Item item -> item.close();
            case BinaryMessage message -> message.close();
            default -> {}
        }
    }
}
