package io.weft.examples.broker;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.Connect;
import io.weft.codec.mqtt.MqttDecoder;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttMessage;
import io.weft.codec.mqtt.MqttPacket;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttProperty;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.PubAck;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.SubAck;
import io.weft.codec.mqtt.Subscribe;
import io.weft.codec.mqtt.Subscription;
import io.weft.codec.mqtt.Topic;
import io.weft.codec.mqtt.TopicFilter;
import io.weft.examples.Served;
import java.io.EOFException;
import java.io.IOException;
import java.net.Socket;
import java.util.ArrayDeque;
import java.util.List;

/// A client that sends packets as it is told, without a session, and reads those that come one by
/// one.
final class MqttPeer implements AutoCloseable {
    private final Socket socket;
    private final Connect connect;
    private final MqttEncoder encoder;
    private final MqttDecoder decoder;
    private final ArrayDeque<MqttPacket> packets = new ArrayDeque<>();
    private final byte[] bytes = new byte[65_536];

    /// Bytes of a packet that has not come whole.
    private byte[] rest = {};

    /// @param connect that it will send
    MqttPeer(Served broker, Connect connect) throws Exception {
        socket = broker.connect();
        socket.setTcpNoDelay(true);
        this.connect = connect;
        encoder = new MqttEncoder(connect.version());
        decoder = MqttDecoder.client(connect.version(), MqttBroker.LIMITS);
    }

    /// Connects, and expects to be accepted.
    static MqttPeer accepted(Served broker, Connect connect) throws Exception {
        MqttPeer peer = new MqttPeer(broker, connect);
        ConnAck ack = peer.connect();
        assertThat(ack.reason().isError()).as("%s", ack).isFalse();
        return peer;
    }

    ConnAck connect() throws IOException {
        send(connect);
        return next(ConnAck.class);
    }

    /// A client whose session outlives its connections.
    static Connect kept(String id) {
        return Connect.of(MqttVersion.V5, id)
                .cleanStart(false)
                .properties(MqttProperties.of(MqttProperty.SESSION_EXPIRY_INTERVAL, 0xFFFF_FFFFL));
    }

    /// Packets as bytes.
    static byte[] wire(MqttEncoder encoder, MqttMessage... messages) {
        try (Output out = new Output()) {
            for (MqttMessage message : messages) {
                encoder.encode(message, out);
            }
            byte[] all = new byte[(int) out.size()];
            int at = 0;
            for (Buffer next; (next = out.next()) != null; ) {
                int length = next.readableBytes();
                next.readBytes(all, at, length).release();
                at += length;
            }
            return all;
        }
    }

    /// Sends packets in one piece.
    void send(MqttMessage... messages) throws IOException {
        socket.getOutputStream().write(wire(encoder, messages));
    }

    static Publish message(String topic, String text, QoS qos, boolean retain, int packetId) {
        return message(topic, text, qos, retain, packetId, MqttProperties.NONE);
    }

    static Publish message(
            String topic,
            String text,
            QoS qos,
            boolean retain,
            int packetId,
            MqttProperties properties) {
        byte[] payload = text.getBytes(UTF_8);
        Buffer buffer =
                BufferAllocator.pooled().allocate(Math.max(1, payload.length)).writeBytes(payload);
        return new Publish(Topic.of(topic), buffer, qos, retain, false, packetId, properties);
    }

    /// Publishes with QoS 1 and waits for the acknowledgement.
    PubAck publish(String topic, String text, boolean retain) throws IOException {
        send(message(topic, text, QoS.AT_LEAST_ONCE, retain, 1));
        return next(PubAck.class);
    }

    SubAck subscribe(MqttProperties properties, Subscription... subscriptions) throws IOException {
        send(new Subscribe(1, properties, List.of(subscriptions)));
        return next(SubAck.class);
    }

    SubAck subscribe(String filter, QoS qos) throws IOException {
        return subscribe(MqttProperties.NONE, Subscription.of(TopicFilter.of(filter), qos));
    }

    /// The next packet; a message of QoS 1 is acknowledged by who wants to.
    MqttPacket next() throws IOException {
        while (packets.isEmpty()) {
            int length = socket.getInputStream().read(bytes);
            if (length < 0) {
                throw new EOFException("the connection is over");
            }
            try (Buffer in =
                    BufferAllocator.pooled().allocate(length + rest.length).writeBytes(rest)) {
                in.writeBytes(bytes, 0, length);
                decoder.decode(in, message -> packets.add((MqttPacket) message));
                rest = new byte[in.readableBytes()];
                in.readBytes(rest, 0, rest.length);
            }
        }
        return packets.remove();
    }

    <P extends MqttPacket> P next(Class<P> type) throws IOException {
        MqttPacket packet = next();
        if (packet instanceof Publish publish && !type.isInstance(packet)) {
            publish.close();
        }
        assertThat(packet).isInstanceOf(type);
        return type.cast(packet);
    }

    /// The next message as text: its topic, payload and QoS, and if it is retained.
    String message() throws IOException {
        try (Publish publish = next(Publish.class)) {
            if (publish.qos() == QoS.AT_LEAST_ONCE) {
                send(PubAck.of(publish.packetId()));
            }
            return publish.topic()
                    + " "
                    + publish.payload().readString(UTF_8)
                    + " "
                    + publish.qos().level()
                    + (publish.retain() ? " retained" : "");
        }
    }

    /// Loses the connection.
    void reset() throws IOException {
        socket.setSoLinger(true, 0);
        close();
    }

    @Override
    public void close() throws IOException {
        for (MqttPacket packet : packets) {
            if (packet instanceof Publish publish) {
                publish.close();
            }
        }
        packets.clear();
        socket.close();
    }
}
