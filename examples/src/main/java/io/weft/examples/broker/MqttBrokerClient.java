package io.weft.examples.broker;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.codec.mqtt.Will;
import io.weft.codec.mqtt.session.MqttSession;
import io.weft.codec.mqtt.session.SessionHandler;
import io.weft.codec.mqtt.session.SessionLifetime;
import io.weft.codec.mqtt.session.SessionLimits;
import io.weft.loop.EventExecutor;
import io.weft.loop.Timeout;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A client that a broker knows, connected or not. The broker's lock guards it.
final class MqttBrokerClient implements SessionHandler {
    final String id;
    final MqttSession session = MqttSession.server(SessionLimits.DEFAULT, this, System::nanoTime);
    final SessionLifetime lifetime = new SessionLifetime(System::nanoTime);
    final Set<TopicFilter> filters = new LinkedHashSet<>();

    /// True from the first connection on: the next one finds the session present.
    boolean wasConnected;

    private final MqttBroker broker;
    private @Nullable MqttBrokerConnection connection;

    /// Runs when the will is due, or the session over.
    private @Nullable Timeout timer;

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

    void connected(MqttBrokerConnection to, Connect connect, ConnAck ack) {
        cancelTimer();
        connection = to;
        wasConnected = true;
        lifetime.begin(connect, ack);
    }

    /// Ends the connection, if there is one, in favour of another.
    void takeOver() {
        MqttBrokerConnection before = connection;
        if (before != null) {
            before.takenOver();
        }
    }

    /// Ends the connection.
    ///
    /// @param loop for the timer of what happens later
    void disconnected(EventExecutor loop) {
        connection = null;
        session.end();
        lifetime.end();
        settle(loop);
    }

    /// Ends the session in favour of a new one.
    void abandon() {
        lifetime.abandon();
        settle(null);
    }

    /// Publishes the will if it is due, and forgets the session if it is over.
    private void settle(@Nullable EventExecutor loop) {
        cancelTimer();
        Will due = lifetime.takeWill();
        if (due != null) {
            broker.publish(due);
        }
        long left = lifetime.left();
        if (lifetime.isOver()) {
            broker.remove(this);
        } else if (left != Long.MAX_VALUE && loop != null) {
            timer = loop.schedule(() -> later(loop), left, TimeUnit.NANOSECONDS);
        }
    }

    private void later(EventExecutor loop) {
        synchronized (broker) {
            if (connection == null) {
                settle(loop);
                broker.flush();
            }
        }
    }

    private void cancelTimer() {
        if (timer != null) {
            var _ = timer.cancel();
            timer = null;
        }
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
    /// that does not keep up, messages of QoS 0 are dropped.
    void deliver(Publish publish, boolean retain, MqttBrokerTopics.Match match) {
        QoS qos = publish.qos().atMost(match.qos());
        boolean keepsUp = connection != null && connection.keepsUp();
        if (qos == QoS.AT_MOST_ONCE && !keepsUp) {
            return;
        }
        MqttProperties properties = publish.properties();
        for (int identifier : match.identifiers()) {
            properties = properties.with(MqttProperty.SUBSCRIPTION_IDENTIFIER, identifier);
        }
        Buffer payload = publish.payload();
        int at = payload.readOffset();
        int length = payload.readableBytes();
        // What waits must not keep the memory of all that was read with it.
        Buffer mine = keepsUp ? payload.slice(at, length) : payload.copy(at, length);
        var _ =
                session.publish(
                        new Publish(publish.topic(), mine, qos, retain, false, 0, properties), 0);
    }
}
