package io.weft.codec.mqtt.session;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/// A message of QoS 1 or 2 on its way out.
final class Outbound {
    private static final long FOREVER = Long.MAX_VALUE;

    final long token;
    final QoS qos;
    final int bytes;

    /// Null when the peer has it (PUBREC), so that only its identifier is left.
    @Nullable Publish publish;

    /// 0 until it is first sent.
    int packetId;

    /// Was sent before, perhaps on an earlier connection.
    boolean sent;

    /// Seconds for which the message is of use; [#FOREVER] without an end.
    private final long expiry;

    private final long since;

    /// @param expires the message expiry interval counts
    /// @param now nanoseconds
    Outbound(Publish publish, long token, boolean expires, long now) {
        this.publish = publish;
        this.token = token;
        since = now;
        expiry =
                expires
                        ? publish.properties().number(MqttProperty.MESSAGE_EXPIRY_INTERVAL, FOREVER)
                        : FOREVER;
        qos = publish.qos();
        bytes = size(publish);
    }

    /// Bytes of memory that a message takes while it waits: peers choose all of them.
    static int size(Publish p) {
        return p.payload().readableBytes() + p.topic().length() + p.properties().length();
    }

    /// Returns the message as it is to be sent: its payload is a buffer of its own on the same
    /// memory, since this one may be sent again.
    static Publish copy(Publish p, int packetId, boolean duplicate, MqttProperties properties) {
        Buffer payload = p.payload();
        return new Publish(
                p.topic(),
                payload.slice(payload.readOffset(), payload.readableBytes()),
                p.qos(),
                p.retain(),
                duplicate,
                packetId,
                properties);
    }

    /// Returns the properties of a message as it is sent now: its expiry interval is less by the
    /// seconds that it has waited (MQTT 5.0, 3.3.2.3.3).
    MqttProperties properties(MqttProperties properties, long now) {
        long waited = TimeUnit.NANOSECONDS.toSeconds(now - since);
        return expiry == FOREVER || waited == 0
                ? properties
                : properties.with(
                        MqttProperty.MESSAGE_EXPIRY_INTERVAL, Math.max(0, expiry - waited));
    }

    /// Tells if it is too late to begin to send the message.
    boolean isExpired(long now) {
        return !sent
                && expiry != FOREVER
                && TimeUnit.NANOSECONDS.toSeconds(now - since) >= Math.max(1, expiry);
    }

    /// Returns a message of QoS 0 as the connection's version has it.
    static Publish restricted(Publish p, Terms terms) {
        MqttProperties allowed = terms.allowed(p.properties());
        return allowed == p.properties() ? p : p.with(p.qos(), p.retain(), 0, allowed);
    }

    void release() {
        if (publish != null) {
            publish.close();
            publish = null;
        }
    }
}
