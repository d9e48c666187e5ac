package io.weft.codec.mqtt;

/// A control packet, of one of 15 types. Only [Publish] has a buffer, which its consumer owns.
public sealed interface MqttPacket extends MqttMessage
        permits Connect,
                ConnAck,
                Publish,
                PubAck,
                PubRec,
                PubRel,
                PubComp,
                Subscribe,
                SubAck,
                Unsubscribe,
                UnsubAck,
                PingReq,
                PingResp,
                Disconnect,
                Auth {
    /// The type, which the first byte says.
    PacketType type();
}
