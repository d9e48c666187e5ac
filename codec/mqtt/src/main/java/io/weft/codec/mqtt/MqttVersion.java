package io.weft.codec.mqtt;

/// Versions of the protocol, as a CONNECT packet names them.
public enum MqttVersion {
    V3_1(3, "MQIsdp"),
    V3_1_1(4, "MQTT"),
    V5(5, "MQTT");

    private final int level;
    private final String protocolName;

    MqttVersion(int level, String protocolName) {
        this.level = level;
        this.protocolName = protocolName;
    }

    /// The protocol level, or version as 5.0 calls it: 3, 4 or 5.
    public int level() {
        return level;
    }

    /// The name that goes before the level.
    public String protocolName() {
        return protocolName;
    }

    /// Tells if packets have properties and reason codes.
    public boolean isV5() {
        return this == V5;
    }
}
