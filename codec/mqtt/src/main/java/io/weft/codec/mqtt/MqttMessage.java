package io.weft.codec.mqtt;

/// A message of a connection as codecs have it: a control packet, or one part of a PUBLISH whose
/// payload is long.
public sealed interface MqttMessage permits MqttPacket, PublishStart, PublishPart {}
