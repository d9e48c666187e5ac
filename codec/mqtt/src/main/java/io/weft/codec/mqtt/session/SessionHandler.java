package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.ReasonCode;

/// Actions of an [MqttSession]: a session has no I/O of its own. Methods are called within those of
/// the session, and may publish to it.
public interface SessionHandler {
    /// Sends a packet on the current connection, which takes it over. Packets go out in the order
    /// of these calls.
    void send(MqttPacket packet);

    /// Takes a message of the peer, which the handler owns; its topic is never an alias. A message
    /// of QoS 2 comes once. Its acknowledgement follows when this returns. If this throws, there is
    /// none, and the message counts as not delivered: the peer may send it again.
    ///
    /// @return the reason code of the acknowledgement, one that PUBACK may have; before MQTT 5.0
    ///   none is sent
    ReasonCode deliver(Publish publish);

    /// Tells that the peer has a message of QoS 1 or 2, or has refused it. A message that the peer
    /// has said not to take is dropped: `PACKET_TOO_LARGE`, and of servers `QOS_NOT_SUPPORTED` and
    /// `RETAIN_NOT_SUPPORTED`.
    ///
    /// @param token of [MqttSession#publish(Publish, long)]
    default void completed(long token, ReasonCode reason) {}

    /// Tells that the peer has lost the session, so that nobody knows if it has the message, which
    /// the handler owns. By default the message is dropped.
    ///
    /// @param token of [MqttSession#publish(Publish, long)]
    default void lost(long token, Publish publish) {
        publish.close();
    }

    /// Tells that a message of QoS 1 or 2 was dropped because its message expiry interval was over
    /// before it could be sent. Servers only.
    ///
    /// @param token of [MqttSession#publish(Publish, long)]
    default void expired(long token) {}
}
