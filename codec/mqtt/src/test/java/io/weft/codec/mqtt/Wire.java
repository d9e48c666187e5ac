package io.weft.codec.mqtt;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.testkit.Gathered;
import java.util.ArrayList;
import java.util.HexFormat;
import java.util.List;
import java.util.function.Supplier;

/// Packets as bytes, and bytes as packets.
public final class Wire {
    private Wire() {}

    static byte[] hex(String hex) {
        return HexFormat.of().parseHex(hex.replaceAll("\\s", ""));
    }

    static String hex(byte[] bytes) {
        return HexFormat.of().formatHex(bytes);
    }

    public static Buffer buffer(byte[] bytes) {
        return BufferAllocator.pooled().allocate(Math.max(1, bytes.length)).writeBytes(bytes);
    }

    public static Buffer buffer(String text) {
        return buffer(text.getBytes(UTF_8));
    }

    public static byte[] encode(MqttVersion version, MqttMessage... messages) {
        return encode(new MqttEncoder(version), messages);
    }

    public static byte[] encode(MqttEncoder encoder, MqttMessage... messages) {
        try (Output out = new Output()) {
            for (MqttMessage message : messages) {
                encoder.encode(message, out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    /// Encodes messages one after the other, as each is made.
    public static byte[] encode(MqttVersion version, List<Supplier<MqttMessage>> messages) {
        MqttEncoder encoder = new MqttEncoder(version);
        try (Output out = new Output()) {
            for (Supplier<MqttMessage> message : messages) {
                encoder.encode(message.get(), out);
            }
            return Gathered.bytes(out::drain);
        }
    }

    public static List<MqttMessage> decode(MqttDecoder decoder, byte[] bytes) {
        List<MqttMessage> messages = new ArrayList<>();
        try (Buffer in = buffer(bytes)) {
            decoder.decode(in, messages::add);
            decoder.end(messages::add);
        } catch (RuntimeException e) {
            messages.forEach(Wire::describe);
            throw e;
        }
        return messages;
    }

    /// Writes a message down, its payload as text, and releases it.
    static String describe(Object message) {
        return switch (message) {
            case Publish p -> {
                try (p) {
                    String payload = p.payload().readString(UTF_8);
                    yield "PUBLISH %s %s %s%s id %d %s: %s"
                            .formatted(
                                    p.topic(),
                                    p.qos(),
                                    p.retain() ? "retain " : "",
                                    p.duplicate() ? "dup" : "",
                                    p.packetId(),
                                    p.properties(),
                                    payload);
                }
            }
            case PublishPart part -> {
                try (part) {
                    yield "piece " + part.bytes().readString(ISO_8859_1);
                }
            }
            default -> String.valueOf(message);
        };
    }

    public static Publish publish(String topic, String payload, QoS qos, int packetId) {
        return publish(topic, payload, qos, packetId, MqttProperties.NONE);
    }

    public static Publish publish(
            String topic, String payload, QoS qos, int packetId, MqttProperties properties) {
        return new Publish(
                Topic.of(topic), buffer(payload), qos, false, false, packetId, properties);
    }
}
