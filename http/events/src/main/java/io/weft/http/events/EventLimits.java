package io.weft.http.events;

/// Limits of what the server of a stream may send.
///
/// @param lineBytes of one line without its end, from 16 to 2^30
/// @param eventBytes of the data of one event, with an end for each line, from 16 to 2^30
public record EventLimits(int lineBytes, int eventBytes) {
    /// 1 MiB of each.
    public static final EventLimits DEFAULT = new EventLimits(1 << 20, 1 << 20);

    private static final int MIN = 16;
    private static final int MAX = 1 << 30;

    /// @throws IllegalArgumentException for a number out of range
    public EventLimits {
        check("lineBytes", lineBytes, MIN, MAX);
        check("eventBytes", eventBytes, MIN, MAX);
    }

    static void check(String what, int value, int min, int max) {
        if (value < min || value > max) {
            throw new IllegalArgumentException(
                    what + ": " + value + " (expected: " + min + " to " + max + ")");
        }
    }

    public EventLimits withLineBytes(int bytes) {
        return new EventLimits(bytes, eventBytes);
    }

    public EventLimits withEventBytes(int bytes) {
        return new EventLimits(lineBytes, bytes);
    }
}
