package io.weft.codec.mqtt;

import java.util.Objects;

/// A filter that a client subscribes to, and how.
///
/// @param qos the highest that messages are sent with
/// @param noLocal messages that the client publishes itself are not sent to it; false before MQTT
///   5.0, and with a shared subscription
/// @param retainAsPublished messages keep their retain flag; false before MQTT 5.0
/// @param retainHandling [RetainHandling#SEND] before MQTT 5.0
public record Subscription(
        TopicFilter filter,
        QoS qos,
        boolean noLocal,
        boolean retainAsPublished,
        RetainHandling retainHandling) {
    /// @throws IllegalArgumentException when a shared subscription is not to be local
    public Subscription {
        Objects.requireNonNull(qos);
        Objects.requireNonNull(retainHandling);
        // MQTT 5.0, 3.8.3.1
        if (noLocal && filter.isShared()) {
            throw new IllegalArgumentException(
                    "noLocal: true with a shared subscription (expected: false)");
        }
    }

    /// Returns a subscription without the options of MQTT 5.0.
    public static Subscription of(TopicFilter filter, QoS qos) {
        return new Subscription(filter, qos, false, false, RetainHandling.SEND);
    }

    int options() {
        return qos.level()
                | (noLocal ? 4 : 0)
                | (retainAsPublished ? 8 : 0)
                | retainHandling.number() << 4;
    }
}
