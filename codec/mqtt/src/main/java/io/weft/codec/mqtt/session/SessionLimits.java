package io.weft.codec.mqtt.session;

/// Limits of a session's messages of QoS 1 and 2 on their way out.
///
/// @param inFlight messages that are sent and not acknowledged; fewer where the peer has said so,
///   and never more than 64,511, as subscriptions need packet identifiers too
/// @param queued messages that wait for their turn, or for a connection
/// @param queuedBytes of their payloads, topics and properties, with those in flight
public record SessionLimits(int inFlight, int queued, long queuedBytes) {
    public static final SessionLimits DEFAULT = new SessionLimits(256, 1_024, 1_048_576);

    /// @throws IllegalArgumentException when one is out of its range
    public SessionLimits {
        if (inFlight < 1 || queued < 0 || (long) inFlight + queued > 65_535) {
            throw new IllegalArgumentException(
                    "inFlight, queued: "
                            + inFlight
                            + ", "
                            + queued
                            + " (expected: >= 1, >= 0, together at most 65535)");
        }
        if (queuedBytes < 0) {
            throw new IllegalArgumentException("queuedBytes: " + queuedBytes + " (expected: >= 0)");
        }
    }
}
