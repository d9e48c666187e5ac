package io.weft.codec.mqtt.session;

import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.rules.Peer;

/// Terms of one connection: what each side takes of the other, as its CONNECT and CONNACK say.
final class Terms {
    private static final int MAX = 65_535;

    final Peer peer;

    /// Messages of QoS 1 and 2 that may be in flight to this side, and to the peer.
    final int receiveMaximum;

    final int window;

    /// Topic aliases that the peer may use, and that it allows.
    final int mostAliasesIn;

    final int mostAliasesOut;

    private Terms(
            boolean isServer, MqttVersion version, MqttProperties mine, MqttProperties theirs) {
        peer = new Peer(isServer, version);
        peer.begun = true;
        receiveMaximum = (int) mine.number(MqttProperty.RECEIVE_MAXIMUM, MAX);
        window = (int) theirs.number(MqttProperty.RECEIVE_MAXIMUM, MAX);
        mostAliasesIn = (int) mine.number(MqttProperty.TOPIC_ALIAS_MAXIMUM, 0);
        mostAliasesOut = (int) theirs.number(MqttProperty.TOPIC_ALIAS_MAXIMUM, 0);
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
