package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.MqttException;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.PubAck;
import io.weft.codec.mqtt.PubComp;
import io.weft.codec.mqtt.PubRec;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import java.util.BitSet;
import org.jspecify.annotations.Nullable;

/// Messages that the peer sends: each is delivered, those of QoS 2 once, and answered.
final class InboundMessages {
    private final SessionHandler handler;

    /// Messages of QoS 2 that were delivered, and whose PUBREL has not come.
    private final BitSet received = new BitSet();

    InboundMessages(SessionHandler handler) {
        this.handler = handler;
    }

    void forget() {
        received.clear();
    }

    /// @throws MqttException when more are in flight than the peer may send
    void requireRoom(Publish publish, Terms terms) {
        if (publish.qos() == QoS.EXACTLY_ONCE
                && terms.isV5()
                && !received.get(publish.packetId())
                && received.cardinality() >= terms.receiveMaximum) {
            throw terms.peer.fault(
                    ReasonCode.RECEIVE_MAXIMUM_EXCEEDED,
                    "messages in flight: "
                            + (terms.receiveMaximum + 1)
                            + " (expected: at most "
                            + terms.receiveMaximum
                            + ")");
        }
    }

    /// Delivers a message, which has a topic, and returns its acknowledgement; null with QoS 0.
    @Nullable MqttPacket deliver(Publish publish, Terms terms) {
        int id = publish.packetId();
        return switch (publish.qos()) {
            case AT_MOST_ONCE -> {
                var _ = handler.deliver(publish);
                yield null;
            }
            case AT_LEAST_ONCE ->
                    new PubAck(id, deliverAtLeastOnce(publish, terms), MqttProperties.NONE);
            case EXACTLY_ONCE -> new PubRec(id, deliverOnce(publish, terms), MqttProperties.NONE);
        };
    }

    private ReasonCode deliverAtLeastOnce(Publish publish, Terms terms) {
        if (terms.isV5() && received.get(publish.packetId())) {
            publish.close(); // MQTT 5.0, 2.2.1: of a message of QoS 2 that is not released
            return ReasonCode.PACKET_IDENTIFIER_IN_USE;
        }
        return answer(handler.deliver(publish), terms);
    }

    private ReasonCode deliverOnce(Publish publish, Terms terms) {
        int id = publish.packetId();
        if (received.get(id)) {
            publish.close(); // MQTT 5.0, 4.3.3: delivered before
            return ReasonCode.SUCCESS;
        }
        received.set(id);
        ReasonCode reason;
        try {
            reason = answer(handler.deliver(publish), terms);
        } catch (Throwable t) {
            received.clear(id); // or it would be acknowledged when it comes again
            throw t;
        }
        if (reason.isError()) {
            received.clear(id); // with an error the exchange is over
        }
        return reason;
    }

    /// Before 5.0 an acknowledgement has no reason.
    private static ReasonCode answer(ReasonCode reason, Terms terms) {
        return terms.isV5() ? reason : ReasonCode.SUCCESS;
    }

    /// Handles a PUBREL and returns its answer.
    PubComp release(int packetId, Terms terms) {
        boolean known = received.get(packetId);
        received.clear(packetId);
        ReasonCode reason =
                known || !terms.isV5()
                        ? ReasonCode.SUCCESS
                        : ReasonCode.PACKET_IDENTIFIER_NOT_FOUND;
        return new PubComp(packetId, reason, MqttProperties.NONE);
    }
}
