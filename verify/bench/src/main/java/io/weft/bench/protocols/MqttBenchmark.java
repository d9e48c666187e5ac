package io.weft.bench.protocols;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.PooledByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.mqtt.MqttFixedHeader;
import io.netty.handler.codec.mqtt.MqttMessageType;
import io.netty.handler.codec.mqtt.MqttPublishMessage;
import io.netty.handler.codec.mqtt.MqttPublishVariableHeader;
import io.netty.handler.codec.mqtt.MqttQoS;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.mqtt.ConnAck;
import io.weft.codec.mqtt.MqttDecoder;
import io.weft.codec.mqtt.MqttEncoder;
import io.weft.codec.mqtt.MqttMessage;
import io.weft.codec.mqtt.MqttProperties;
import io.weft.codec.mqtt.MqttVersion;
import io.weft.codec.mqtt.Publish;
import io.weft.codec.mqtt.QoS;
import io.weft.codec.mqtt.Topic;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// One PUBLISH of QoS 1 in MQTT 3.1.1, from a fresh buffer and into one. Netty's codec stands in a
/// channel in memory, as it cannot be called without one.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class MqttBenchmark {
    private static final String TOPIC = "sensors/house/1/temperature";

    @State(Scope.Thread)
    public static class Wire {
        /// Bytes of the payload.
        @Param({"16", "1024", "65536"})
        int payload = 16;

        byte[] content = {};
        byte[] bytes = {};

        @Setup
        public void make() {
            content = new byte[payload];
            MqttEncoder encoder = new MqttEncoder(MqttVersion.V3_1_1);
            try (Output out = new Output()) {
                encoder.encode(publish(), out);
                bytes = new byte[(int) out.size()];
                int at = 0;
                for (Buffer next; (next = out.next()) != null; ) {
                    int length = next.readableBytes();
                    next.readBytes(bytes, at, length).release();
                    at += length;
                }
            }
        }

        Publish publish() {
            Buffer buffer = BufferAllocator.pooled().allocate(content.length).writeBytes(content);
            return new Publish(
                    Topic.of(TOPIC),
                    buffer,
                    QoS.AT_LEAST_ONCE,
                    false,
                    false,
                    7,
                    MqttProperties.NONE);
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        private final MqttDecoder decoder = MqttDecoder.client(MqttVersion.V3_1_1);
        private final MqttEncoder encoder = new MqttEncoder(MqttVersion.V3_1_1);
        private final Topic topic = Topic.of(TOPIC);
        private int seen;

        @Setup
        public void connect() {
            try (Output out = new Output()) {
                encoder.encode(ConnAck.accepted(false), out);
                for (Buffer next; (next = out.next()) != null; next.release()) {
                    decoder.decode(next, this::take);
                }
            }
        }

        private void take(MqttMessage message) {
            if (message instanceof Publish publish) {
                seen += publish.packetId();
                publish.close();
            }
        }

        int decode(byte[] bytes) {
            try (Buffer in = BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes)) {
                decoder.decode(in, this::take);
            }
            return seen;
        }

        long encode(byte[] content) {
            Buffer payload = BufferAllocator.pooled().allocate(content.length).writeBytes(content);
            try (Output out = new Output()) {
                encoder.encode(
                        new Publish(
                                topic,
                                payload,
                                QoS.AT_LEAST_ONCE,
                                false,
                                false,
                                7,
                                MqttProperties.NONE),
                        out);
                return out.size();
            }
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private final EmbeddedChannel in =
                new EmbeddedChannel(new io.netty.handler.codec.mqtt.MqttDecoder(1 << 20));
        private final EmbeddedChannel out =
                new EmbeddedChannel(io.netty.handler.codec.mqtt.MqttEncoder.INSTANCE);

        private static ByteBuf buffer(byte[] bytes) {
            return PooledByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
        }

        int decode(byte[] bytes) {
            in.writeInbound(buffer(bytes));
            MqttPublishMessage message = in.readInbound();
            int id = message.variableHeader().packetId();
            message.release();
            return id;
        }

        long encode(byte[] content) {
            out.writeOutbound(
                    // Its builder copies the payload, and does not release it.
                    new MqttPublishMessage(
                            new MqttFixedHeader(
                                    MqttMessageType.PUBLISH,
                                    false,
                                    MqttQoS.AT_LEAST_ONCE,
                                    false,
                                    0),
                            new MqttPublishVariableHeader(TOPIC, 7),
                            buffer(content)));
            long length = 0;
            for (ByteBuf next; (next = out.readOutbound()) != null; ) {
                length += next.readableBytes();
                ReferenceCountUtil.release(next);
            }
            return length;
        }

        @TearDown
        public void close() {
            in.finishAndReleaseAll();
            out.finishAndReleaseAll();
        }
    }

    @Benchmark
    public int weftDecode(Wire wire, Weft weft) {
        return weft.decode(wire.bytes);
    }

    @Benchmark
    public int nettyDecode(Wire wire, Netty netty) {
        return netty.decode(wire.bytes);
    }

    @Benchmark
    public long weftEncode(Wire wire, Weft weft) {
        return weft.encode(wire.content);
    }

    @Benchmark
    public long nettyEncode(Wire wire, Netty netty) {
        return netty.encode(wire.content);
    }
}
