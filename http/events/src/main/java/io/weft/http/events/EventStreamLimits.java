package io.weft.http.events;

/// Limits of the events that wait in an [EventStream] for a receiver which takes them more slowly
/// than they come.
///
/// @param events and comments that wait, from 1 on
/// @param bytes of them together, from 16 on
public record EventStreamLimits(int events, int bytes) {
    /// 256 events of 256 KiB together.
    public static final EventStreamLimits DEFAULT = new EventStreamLimits(256, 256 << 10);

    /// @throws IllegalArgumentException for a number out of range
    public EventStreamLimits {
        EventLimits.check("events", events, 1, Integer.MAX_VALUE);
        EventLimits.check("bytes", bytes, 16, Integer.MAX_VALUE);
    }

    public EventStreamLimits withEvents(int count) {
        return new EventStreamLimits(count, bytes);
    }

    public EventStreamLimits withBytes(int count) {
        return new EventStreamLimits(events, count);
    }
}
