package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.ReasonCode;
import io.weft.codec.mqtt.rules.Peer;
import org.jspecify.annotations.Nullable;

/// Terms of one connection: what each side takes of the other, as its CONNECT and CONNACK say.
final class Terms {
    private static final int MAX = 65_535;
    private static final long UNLIMITED = Long.MAX_VALUE;

    final Peer peer;

    /// Messages of QoS 1 and 2 that may be in flight to this side, and to the peer.
    final int receiveMaximum;

    final int window;

    /// Topic aliases that the peer may use, and that it allows.
    final int mostAliasesIn;

    final int mostAliasesOut;

    /// Limits of messages that the server has set in its CONNACK.
    private final QoS mostQos;

    private final boolean retains;
    private final boolean isServer;

    /// Tells what fits into a packet that the peer takes; null if it takes all.
    private final @Nullable MqttEncoder sizes;

    private Terms(
            boolean isServer, MqttVersion version, MqttProperties mine, MqttProperties theirs) {
        peer = new Peer(isServer, version);
        peer.begun = true;
        receiveMaximum = (int) mine.number(MqttProperty.RECEIVE_MAXIMUM, MAX);
        window = (int) theirs.number(MqttProperty.RECEIVE_MAXIMUM, MAX);
        mostAliasesIn = (int) mine.number(MqttProperty.TOPIC_ALIAS_MAXIMUM, 0);
        mostAliasesOut = (int) theirs.number(MqttProperty.TOPIC_ALIAS_MAXIMUM, 0);
        MqttProperties server = isServer ? mine : theirs;
        this.isServer = isServer;
        mostQos = QoS.of((int) server.number(MqttProperty.MAXIMUM_QOS, 2));
        retains = server.get(MqttProperty.RETAIN_AVAILABLE, true);
        sizes = sizes(version, theirs.number(MqttProperty.MAXIMUM_PACKET_SIZE, UNLIMITED));
    }

    private static @Nullable MqttEncoder sizes(MqttVersion version, long most) {
        if (most == UNLIMITED) {
            return null;
        }
        MqttEncoder sizes = new MqttEncoder(version);
        sizes.maximumPacketSize(most);
        return sizes;
    }

    /// Returns those of a side that has had no connection yet.
    static Terms none(boolean isServer) {
        return new Terms(isServer, MqttVersion.V3_1_1, MqttProperties.NONE, MqttProperties.NONE);
    }

    static Terms of(boolean isServer, Connect connect, ConnAck ack) {
        return new Terms(
                isServer,
                connect.version(),
                isServer ? ack.properties() : connect.properties(),
                isServer ? connect.properties() : ack.properties());
    }

    boolean isV5() {
        return peer.version.isV5();
    }

    /// Returns the properties that a message may have here: none before 5.0.
    MqttProperties allowed(MqttProperties properties) {
        return isV5() ? properties : MqttProperties.NONE;
    }

    /// Tells if the peer takes packets of any size.
    boolean isUnlimited() {
        return sizes == null;
    }

    /// Returns the reason why a message must not be sent to the peer; null without one. One that is
    /// too large for it counts as sent (MQTT 5.0, 3.1.2.11.4).
    @Nullable ReasonCode refusal(Publish publish) {
        ReasonCode refusal = isServer ? null : unsupported(publish);
        boolean fits = sizes == null || sizes.fits(publish);
        return refusal == null && !fits ? ReasonCode.PACKET_TOO_LARGE : refusal;
    }

    /// Checks that a client sends what this server has said that it takes.
    void requireSupported(Publish publish) {
        ReasonCode reason = isServer ? unsupported(publish) : null;
        if (reason != null) {
            throw peer.fault(
                    reason,
                    "message: "
                            + publish.qos()
                            + (publish.retain() ? ", retained" : "")
                            + " (expected: as CONNACK has said)");
        }
    }

    /// MQTT 5.0, 3.2.2.3.4 and 3.2.2.3.5.
    private @Nullable ReasonCode unsupported(Publish publish) {
        if (publish.qos().compareTo(mostQos) > 0) {
            return ReasonCode.QOS_NOT_SUPPORTED;
        }
        return publish.retain() && !retains ? ReasonCode.RETAIN_NOT_SUPPORTED : null;
    }
}
