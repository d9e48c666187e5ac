package io.weft.examples.broker;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.session.MqttSession;
import io.weft.codec.mqtt.session.SessionHandler;
import io.weft.codec.mqtt.session.SessionLimits;
import java.util.LinkedHashSet;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// A client that a broker knows, connected or not. The broker's lock guards it.
final class MqttBrokerClient implements SessionHandler {
    final String id;
    final MqttSession session = MqttSession.server(SessionLimits.DEFAULT, this, System::nanoTime);
    final Set<TopicFilter> filters = new LinkedHashSet<>();

    /// True from the first connection on: the next one finds the session present.
    boolean wasConnected;

    private final MqttBroker broker;
    private @Nullable MqttBrokerConnection connection;

    MqttBrokerClient(MqttBroker broker, String id) {
        this.broker = broker;
        this.id = id;
    }

    boolean isConnected() {
        return connection != null;
    }

    boolean isOn(MqttBrokerConnection candidate) {
        return connection == candidate;
    }

    void connected(MqttBrokerConnection to) {
        connection = to;
        wasConnected = true;
    }

    /// Ends the connection, if there is one, in favour of another.
    void takeOver() {
        MqttBrokerConnection before = connection;
        if (before != null) {
            before.takenOver();
        }
    }

    void disconnected() {
        connection = null;
        session.end();
    }

    @Override
    public void send(MqttPacket packet) {
        MqttBrokerConnection to = connection;
        if (to != null) {
            to.send(packet);
        }
    }

    @Override
    public ReasonCode deliver(Publish publish) {
        try (publish) {
            return broker.publish(publish, this);
        }
    }

    /// Sends a message that a subscription matched; the payload stays the caller's. Of a client
    /// that does not read, messages of QoS 0 are dropped.
    void deliver(Publish publish, boolean retain, MqttBrokerTopics.Match match) {
        QoS qos = publish.qos().atMost(match.qos());
        MqttBrokerConnection to = connection;
        if (to != null && qos == QoS.AT_MOST_ONCE && !to.isWritable()) {
            return;
        }
        MqttProperties properties = MqttProperties.NONE;
        if (to == null || to.isV5()) {
            properties = publish.properties();
            for (int identifier : match.identifiers()) {
                properties = properties.with(MqttProperty.SUBSCRIPTION_IDENTIFIER, identifier);
            }
        }
        Buffer payload = publish.payload();
        Buffer slice = payload.slice(payload.readOffset(), payload.readableBytes());
        Publish mine = new Publish(publish.topic(), slice, qos, retain, false, 0, properties);
        if (to != null && !to.fits(mine)) {
            mine.close(); // MQTT 5.0, 3.1.2.11.4
            return;
        }
        var _ = session.publish(mine, 0);
    }
}
