package io.weft.codec.mqtt;

import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.testkit.CodecLab;
import io.weft.testkit.Machine;
import io.weft.testkit.Subject;
import java.io.ByteArrayOutputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;

class MqttLabTest implements CodecLab {
    private static final MqttLimits LIMITS =
            MqttLimits.DEFAULT.packetBytes(4000).wholePayload(100).propertyBytes(500).filters(20);

    private static Subject subject(String name, Supplier<MqttDecoder> decoder) {
        return Subject.named(name)
                .decoder(
                        () -> {
                            MqttDecoder d = decoder.get();
                            return Machine.of(d::decode, d::end, d::close);
                        },
                        DecoderException.class)
                .describe(Wire::describe);
    }

    @Override
    public List<Subject> subjects() {
        return List.of(server(), client(MqttVersion.V3_1_1), client(MqttVersion.V5), streams());
    }

    private static Subject server() {
        Subject subject = subject("mqtt-server", () -> MqttDecoder.server(LIMITS));
        for (MqttVersion version : MqttVersion.values()) {
            Connect connect = version.isV5() ? Samples.connect5() : Samples.connect(version);
            List<Supplier<MqttMessage>> packets = new ArrayList<>();
            packets.add(() -> connect);
            packets.addAll(Samples.ofClient(version));
            roundTrip(subject, version, packets);
        }
        for (Malformed.Vector vector : Malformed.ofClients()) {
            subject.refuses(vector.toString(), vector.wire(), MqttException.class);
        }
        return subject.refuses("half a CONNECT", "\20\14\0\4MQ", PrematureEndException.class)
                .refuses("a length without end", "\20\200\200\200", PrematureEndException.class)
                .endless(n -> pings(n))
                .endless(n -> publishes(n));
    }

    private static Subject client(MqttVersion version) {
        Subject subject =
                subject(
                        version.isV5() ? "mqtt-client-5" : "mqtt-client-3",
                        () -> MqttDecoder.client(version, LIMITS));
        List<Supplier<MqttMessage>> packets = new ArrayList<>();
        packets.add(() -> version.isV5() ? Samples.connAck5() : ConnAck.accepted(true));
        packets.addAll(Samples.ofServer(version));
        roundTrip(subject, version, packets);
        for (Malformed.Vector vector : Malformed.ofServers(version)) {
            subject.refuses(vector.toString(), vector.wire(), MqttException.class);
        }
        return subject;
    }

    /// Long payloads in pieces.
    private static Subject streams() {
        PublishStart start =
                new PublishStart(
                        Topic.of("long"),
                        QoS.AT_LEAST_ONCE,
                        false,
                        false,
                        5,
                        MqttProperties.NONE,
                        150);
        String half = "x".repeat(75);
        Supplier<byte[]> encode =
                () ->
                        Wire.encode(
                                MqttVersion.V5,
                                List.of(
                                        () -> Connect.of(MqttVersion.V5, "me"),
                                        () -> start,
                                        () -> new PublishPart(Wire.buffer(half), false),
                                        () -> new PublishPart(Wire.buffer(half), true),
                                        () -> PingReq.INSTANCE));
        byte[] wire = encode.get();
        return subject("mqtt-streams", () -> MqttDecoder.server(LIMITS))
                .sample(wire)
                .refuses(
                        "a payload that ends",
                        java.util.Arrays.copyOf(wire, wire.length - 3),
                        PrematureEndException.class)
                .roundTrip(
                        encode,
                        Connect.of(MqttVersion.V5, "me").toString(),
                        start.toString(),
                        "piece " + half + half,
                        PingReq.INSTANCE.toString())
                .endless(n -> longPayloads(n));
    }

    private static void roundTrip(
            Subject subject, MqttVersion version, List<Supplier<MqttMessage>> packets) {
        String[] expected =
                packets.stream().map(p -> Wire.describe(p.get())).toArray(String[]::new);
        Supplier<byte[]> encode = () -> Wire.encode(version, packets);
        subject.sample(encode.get()).roundTrip(encode, expected);
    }

    private static byte[] connected(int n, byte[] packet) {
        ByteArrayOutputStream all = new ByteArrayOutputStream();
        all.writeBytes(Wire.encode(MqttVersion.V5, Connect.of(MqttVersion.V5, "me")));
        while (all.size() < n) {
            all.writeBytes(packet);
        }
        return all.toByteArray();
    }

    private static byte[] pings(int n) {
        return connected(n, Wire.encode(MqttVersion.V5, PingReq.INSTANCE));
    }

    private static byte[] publishes(int n) {
        return connected(
                n,
                Wire.encode(
                        MqttVersion.V5,
                        Wire.publish("a/b/c", "payload", QoS.AT_LEAST_ONCE, 1, Samples.USER)));
    }

    private static byte[] longPayloads(int n) {
        return connected(
                n,
                Wire.encode(
                        MqttVersion.V5,
                        Wire.publish("a/b/c", "x".repeat(3500), QoS.AT_MOST_ONCE, 0)));
    }
}
