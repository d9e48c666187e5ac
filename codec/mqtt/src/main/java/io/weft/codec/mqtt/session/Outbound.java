package io.weft.codec.mqtt.session;

import io.weft.buffer.Buffer;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import org.jspecify.annotations.Nullable;

/// A message of QoS 1 or 2 on its way out.
final class Outbound {
    final long token;
    final QoS qos;
    final int bytes;

    /// Null when the peer has it (PUBREC), so that only its identifier is left.
    @Nullable Publish publish;

    /// 0 until it is first sent.
    int packetId;

    /// Was sent before, perhaps on an earlier connection.
    boolean sent;

    Outbound(Publish publish, long token) {
        this.publish = publish;
        this.token = token;
        qos = publish.qos();
        bytes = size(publish);
    }

    /// Bytes of memory that a message takes while it waits: peers choose all of them.
    static int size(Publish p) {
        return p.payload().readableBytes() + p.topic().length() + p.properties().length();
    }

    /// Returns the message as it is to be sent: its payload is a buffer of its own on the same
    /// memory, since this one may be sent again.
    static Publish copy(Publish p, int packetId, boolean duplicate, Terms terms) {
        Buffer payload = p.payload();
        return new Publish(
                p.topic(),
                payload.slice(payload.readOffset(), payload.readableBytes()),
                p.qos(),
                p.retain(),
                duplicate,
                packetId,
                terms.allowed(p.properties()));
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
