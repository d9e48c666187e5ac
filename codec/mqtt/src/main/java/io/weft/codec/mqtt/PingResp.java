package io.weft.codec.mqtt;

/// A sign of life of a server.
public record PingResp() implements MqttPacket {
    /// The only one that codecs hand out.
    public static final PingResp INSTANCE = new PingResp();

    @Override
    public PacketType type() {
        return PacketType.PINGRESP;
    }
}
