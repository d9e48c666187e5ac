package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.Publish;
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

    /// Returns the properties that a message may have here: none before 5.0.
    MqttProperties allowed(MqttProperties properties) {
        return isV5() ? properties : MqttProperties.NONE;
    }

    /// Tells if the peer takes packets of any size.
    boolean isUnlimited() {
        return sizes == null;
    }

    /// Tells if the peer takes a message. One that is too large for it counts as sent (MQTT 5.0,
    /// 3.1.2.11.4).
    boolean fits(Publish publish) {
        return sizes == null || sizes.fits(publish);
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
}
