package io.weft.codec.mqtt;

/// A sign of life of a client.
public record PingReq() implements MqttPacket {
    /// The only one that codecs hand out.
    public static final PingReq INSTANCE = new PingReq();

    @Override
    public PacketType type() {
        return PacketType.PINGREQ;
    }
}
