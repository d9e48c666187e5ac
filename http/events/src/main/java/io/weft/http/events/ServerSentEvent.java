package io.weft.http.events;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/// An event of a stream of `text/event-stream`.
///
/// @param type for which a browser's listener is registered, without line breaks; null for
///     `message`
/// @param data of any lines, which end by CR LF, CR or LF; a receiver gets them with LF
/// @param id with which a client that lost its connection tells where to go on, without line breaks
///     and NUL; null if this event has none, empty to forget the one before
/// @param retry time for which a client waits before it connects again, in whole milliseconds; null
///     to leave it as it is
public record ServerSentEvent(
        @Nullable String type, String data, @Nullable String id, @Nullable Duration retry) {
    /// @throws IllegalArgumentException for a type that is empty, a type or an id with a forbidden
    ///     character, or a time that is negative or has more milliseconds than a long
    public ServerSentEvent {
        if (type != null) {
            if (type.isEmpty()) {
                throw new IllegalArgumentException("type: empty (expected: null, or a name)");
            }
            check("type", type, "\r\n");
        }
        if (id != null) {
            check("id", id, "\r\n\0");
        }
        if (retry != null) {
            checkRetry(retry);
        }
    }

    private static void check(String what, String value, String forbidden) {
        for (int i = 0; i < value.length(); i++) {
            if (forbidden.indexOf(value.charAt(i)) >= 0) {
                throw new IllegalArgumentException(
                        what
                                + ": U+%04X at %d".formatted((int) value.charAt(i), i)
                                + " (expected: no line break"
                                + (forbidden.length() > 2 ? " and no NUL)" : ")"));
            }
        }
    }

    private static void checkRetry(Duration retry) {
        if (retry.isNegative() || retry.compareTo(Duration.ofMillis(Long.MAX_VALUE)) > 0) {
            throw new IllegalArgumentException(
                    "retry: " + retry + " (expected: 0 to 2^63 - 1 milliseconds)");
        }
    }

    /// An event of type `message`.
    public static ServerSentEvent of(String data) {
        return new ServerSentEvent(null, data, null, null);
    }

    /// An event of another type.
    ///
    /// @throws IllegalArgumentException for a type that is empty or has a line break
    public static ServerSentEvent of(String type, String data) {
        return new ServerSentEvent(type, data, null, null);
    }

    /// @throws IllegalArgumentException for a line break or NUL
    public ServerSentEvent withId(String newId) {
        return new ServerSentEvent(type, data, newId, retry);
    }

    /// @throws IllegalArgumentException for a time that is negative, or has more milliseconds than
    ///     a long
    public ServerSentEvent withRetry(Duration time) {
        return new ServerSentEvent(type, data, id, time);
    }

    /// Returns the event as it is sent.
    byte[] toBytes() {
        StringBuilder text = new StringBuilder(data.length() + 32);
        if (type != null) {
            text.append("event: ").append(type).append('\n');
        }
        if (id != null) {
            text.append("id: ").append(id).append('\n');
        }
        if (retry != null) {
            text.append("retry: ").append(retry.toMillis()).append('\n');
        }
        appendLines("data: ", data, text);
        return text.append('\n').toString().getBytes(UTF_8);
    }

    /// Appends each line of `value`, which has at least one, behind `prefix`.
    static void appendLines(String prefix, String value, StringBuilder to) {
        int start = 0;
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            if (c == '\r' || c == '\n') {
                to.append(prefix).append(value, start, i).append('\n');
                if (c == '\r' && i + 1 < value.length() && value.charAt(i + 1) == '\n') {
                    i++;
                }
                start = i + 1;
            }
        }
        to.append(prefix).append(value, start, value.length()).append('\n');
    }
}
