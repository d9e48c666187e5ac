package io.weft.codec.mqtt;

import org.jspecify.annotations.Nullable;

/// The first packet of a client.
///
/// @param cleanStart no state of an earlier connection is used; before 5.0 (clean session) it does
///   not outlive this one either
/// @param keepAlive seconds: 0 for none, at most 65,535
/// @param properties [MqttProperties#NONE] before MQTT 5.0
/// @param clientId empty where the server is to choose one
/// @param will null for none
/// @param userName null for none
/// @param password null for none
public record Connect(
        MqttVersion version,
        boolean cleanStart,
        int keepAlive,
        MqttProperties properties,
        String clientId,
        @Nullable Will will,
        @Nullable String userName,
        @Nullable Binary password)
        implements MqttPacket {
    /// @throws IllegalArgumentException when the keep-alive is out of its range
    public Connect {
        if (keepAlive < 0 || keepAlive > 0xFFFF) {
            throw new IllegalArgumentException(
                    "keepAlive: " + keepAlive + " (expected: 0 to 65535)");
        }
    }

    /// A client that begins anew, keeps alive for a minute and has neither will nor user name.
    public static Connect of(MqttVersion version, String clientId) {
        return new Connect(version, true, 60, MqttProperties.NONE, clientId, null, null, null);
    }

    public Connect cleanStart(boolean clean) {
        return new Connect(
                version, clean, keepAlive, properties, clientId, will, userName, password);
    }

    public Connect keepAlive(int seconds) {
        return new Connect(
                version, cleanStart, seconds, properties, clientId, will, userName, password);
    }

    public Connect properties(MqttProperties properties) {
        return new Connect(
                version, cleanStart, keepAlive, properties, clientId, will, userName, password);
    }

    public Connect will(@Nullable Will will) {
        return new Connect(
                version, cleanStart, keepAlive, properties, clientId, will, userName, password);
    }

    public Connect credentials(@Nullable String userName, @Nullable Binary password) {
        return new Connect(
                version, cleanStart, keepAlive, properties, clientId, will, userName, password);
    }

    @Override
    public PacketType type() {
        return PacketType.CONNECT;
    }
}
