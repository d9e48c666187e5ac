package io.weft.codec.mqtt.session;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttDecoder;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.Wire;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/// A client and a server in memory, and the packets between them, which a test delivers one by one
/// or loses.
final class SessionPair implements AutoCloseable {
    /// One side, and what its application was told.
    final class Side implements SessionHandler {
        final MqttSession session;
        final ArrayDeque<MqttPacket> sent = new ArrayDeque<>();
        final List<String> delivered = new ArrayList<>();
        final List<String> completed = new ArrayList<>();
        final List<String> lost = new ArrayList<>();
        final List<Long> expired = new ArrayList<>();
        ReasonCode answer = ReasonCode.SUCCESS;

        /// Thrown for each message; null if they are taken.
        @Nullable RuntimeException failure;

        /// Runs once, when a message is over or lost.
        @Nullable Runnable onForgotten;

        Side(boolean server, SessionLimits limits) {
            session =
                    server
                            ? MqttSession.server(limits, this, () -> now)
                            : MqttSession.client(limits, this, () -> now);
        }

        @Override
        public void send(MqttPacket packet) {
            sent.add(packet);
        }

        @Override
        public ReasonCode deliver(Publish publish) {
            try (publish) {
                if (failure != null) {
                    throw failure;
                }
                delivered.add(publish.topic() + " " + publish.payload().readString(UTF_8));
            }
            return answer;
        }

        @Override
        public void completed(long token, ReasonCode reason) {
            completed.add(token + " " + reason);
            forgotten();
        }

        @Override
        public void lost(long token, Publish publish) {
            lost.add(token + " " + publish.payload().readString(UTF_8));
            publish.close();
            forgotten();
        }

        private void forgotten() {
            Runnable action = onForgotten;
            onForgotten = null;
            if (action != null) {
                action.run();
            }
        }

        @Override
        public void expired(long token) {
            expired.add(token);
        }

        boolean publish(String topic, String payload, QoS qos, long token) {
            return session.publish(Publish.of(Topic.of(topic), Wire.buffer(payload), qos), token);
        }

        /// Hands the next packet of this side to the other one.
        void pass() {
            MqttPacket packet = sent.remove();
            // As codecs do it, so that what cannot travel is found.
            byte[] wire = Wire.encode(connect.version(), packet);
            boolean fromClient = this == client;
            byte[] first = Wire.encode(connect.version(), fromClient ? connect : ack);
            byte[] all = java.util.Arrays.copyOf(first, first.length + wire.length);
            System.arraycopy(wire, 0, all, first.length, wire.length);
            MqttDecoder decoder =
                    fromClient ? MqttDecoder.server() : MqttDecoder.client(connect.version());
            MqttPacket decoded = (MqttPacket) Wire.decode(decoder, all).get(1);
            var _ = (fromClient ? server : client).session.received(decoded);
        }

        void lose() {
            for (MqttPacket packet : sent) {
                if (packet instanceof Publish p) {
                    p.close();
                }
            }
            sent.clear();
            session.end();
        }
    }

    long now;
    final Side client;
    final Side server;
    Connect connect;
    ConnAck ack;

    SessionPair(SessionLimits limits, Connect connect, ConnAck ack) {
        client = new Side(false, limits);
        server = new Side(true, limits);
        this.connect = connect;
        this.ack = ack;
        client.session.begin(connect, ack);
        server.session.begin(connect, ack);
    }

    static SessionPair of(MqttVersion version) {
        return new SessionPair(
                SessionLimits.DEFAULT, Connect.of(version, "me"), ConnAck.accepted(false));
    }

    /// Loses the connection with what is under way, and makes another one.
    void reconnect(boolean sessionPresent) {
        client.lose();
        server.lose();
        ack = new ConnAck(sessionPresent, ReasonCode.SUCCESS, ack.properties());
        // In the order of the network: the server's CONNACK is sent before it resumes.
        server.session.begin(connect, ack);
        client.session.begin(connect, ack);
    }

    void passAll() {
        while (!client.sent.isEmpty() || !server.sent.isEmpty()) {
            (client.sent.isEmpty() ? server : client).pass();
        }
    }

    @Override
    public void close() {
        client.lose();
        server.lose();
        client.session.close();
        server.session.close();
    }
}
