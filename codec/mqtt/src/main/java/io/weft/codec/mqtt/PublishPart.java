package io.weft.codec.mqtt;

import io.weft.buffer.Buffer;

/// Bytes of the payload of the last [PublishStart]; where they are cut depends on how they arrive.
/// Owns them.
///
/// @param isLast the payload ends with these
public record PublishPart(Buffer bytes, boolean isLast) implements MqttMessage, AutoCloseable {
    @Override
    public void close() {
        bytes.release();
    }
}
