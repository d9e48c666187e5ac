package io.weft.codec.mqtt;

/// Quality of service: the promise that a sender gives for a message.
public enum QoS {
    /// QoS 0: the message may get lost with its connection.
    AT_MOST_ONCE(0),
    /// QoS 1: the message is sent until it is acknowledged, and may come twice.
    AT_LEAST_ONCE(1),
    /// QoS 2: the message comes once.
    EXACTLY_ONCE(2);

    private static final QoS[] ALL = values();

    private final int level;

    QoS(int level) {
        this.level = level;
    }

    /// The number on the wire.
    public int level() {
        return level;
    }

    /// @throws IllegalArgumentException unless 0 to 2
    public static QoS of(int level) {
        if (level < 0 || level > 2) {
            throw new IllegalArgumentException("qos: " + level + " (expected: 0 to 2)");
        }
        return ALL[level];
    }

    /// The lesser promise of both: of a subscription and of the message that matches it.
    public QoS atMost(QoS other) {
        return compareTo(other) <= 0 ? this : other;
    }
}
