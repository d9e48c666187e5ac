package io.weft.bench.protocols;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.memcache.binary.BinaryMemcacheObjectAggregator;
import io.netty.handler.codec.memcache.binary.BinaryMemcacheRequestDecoder;
import io.netty.handler.codec.memcache.binary.BinaryMemcacheRequestEncoder;
import io.netty.handler.codec.memcache.binary.DefaultFullBinaryMemcacheRequest;
import io.netty.handler.codec.memcache.binary.FullBinaryMemcacheRequest;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.memcache.BinaryMessage;
import io.weft.codec.memcache.MemcacheDecoder;
import io.weft.codec.memcache.MemcacheEncoder;
import io.weft.codec.memcache.MemcachePart;
import io.weft.codec.memcache.Opcode;
import io.weft.codec.memcache.TextMessage;
import java.util.ArrayList;
import java.util.List;
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

/// Sixteen requests of memcached in one buffer, decoded and released, or encoded; run it with
/// `-prof gc`. Netty has the binary protocol alone, here with its aggregator; the rows of text have
/// nothing beside them.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class MemcacheBenchmark {
    /// Streams of sixteen requests.
    public enum Traffic {
        /// Gets.
        SMALL,
        /// Gets, sets of 100 bytes and increments in turn.
        MIXED,
        /// Sets of 4 KiB.
        LARGE;

        private static final byte[] KEY = "key:000000000001".getBytes(US_ASCII);
        private static final byte[] SHORT = new byte[100];
        private static final byte[] LONG = new byte[4096];

        /// @param large the value of LARGE, of which the message becomes an owner
        private BinaryMessage request(int index, Buffer large) {
            int kind = this == SMALL ? 0 : this == LARGE ? 1 : index % 3;
            BinaryMessage.Builder request =
                    BinaryMessage.request(
                            switch (kind) {
                                case 0 -> Opcode.GET;
                                case 1 -> Opcode.SET;
                                default -> Opcode.INCREMENT;
                            });
            switch (kind) {
                case 1 -> {
                    request.extras(0, 0).value(SHORT);
                    if (this == LARGE) {
                        request.value(large.retain());
                    }
                }
                case 2 -> request.extras(1, 0, 0);
                default -> {}
            }
            return request.key(KEY).opaque(index).build();
        }

        private TextMessage line(int index) {
            int kind = this == SMALL ? 0 : this == LARGE ? 1 : index % 3;
            byte[] value = this == LARGE ? LONG : SHORT;
            return switch (kind) {
                case 0 -> TextMessage.of("get", "key:000000000001");
                case 1 ->
                        TextMessage.of(
                                value,
                                "set",
                                "key:000000000001",
                                "0",
                                "0",
                                String.valueOf(value.length));
                default -> TextMessage.of("incr", "key:000000000001", "1");
            };
        }
    }

    private static final int MESSAGES = 16;

    @Param Traffic traffic = Traffic.SMALL;

    private byte[] binary = {};
    private byte[] text = {};
    private final MemcacheDecoder decoder = MemcacheDecoder.requests();
    private final MemcacheDecoder textDecoder = MemcacheDecoder.requests();
    private final Buffer large = BufferAllocator.pooled().allocate(4096).writeBytes(Traffic.LONG);
    private final MemcacheEncoder encoder = new MemcacheEncoder();
    private final List<FullBinaryMemcacheRequest> nettyRequests = new ArrayList<>();
    private final EmbeddedChannel netty =
            new EmbeddedChannel(
                    new BinaryMemcacheRequestDecoder(),
                    new BinaryMemcacheObjectAggregator(1 << 20));
    private final EmbeddedChannel nettyOut =
            new EmbeddedChannel(new BinaryMemcacheRequestEncoder());
    private int released;

    @Setup
    public void make() {
        binary = encoded(false);
        text = encoded(true);
        for (int i = 0; i < MESSAGES; i++) {
            nettyRequests.add(nettyRequest(traffic.request(i, large)));
        }
    }

    private byte[] encoded(boolean lines) {
        try (Output out = new Output()) {
            for (int i = 0; i < MESSAGES; i++) {
                encoder.encode(lines ? traffic.line(i) : traffic.request(i, large), out);
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

    @TearDown
    public void release() {
        large.release();
        nettyRequests.forEach(ReferenceCountUtil::release);
        netty.finishAndReleaseAll();
        nettyOut.finishAndReleaseAll();
    }

    private ByteBuf nettyInput() {
        return ByteBufAllocator.DEFAULT.directBuffer(binary.length).writeBytes(binary);
    }

    private void closed(MemcachePart part) {
        released++;
        part.close();
    }

    private int decode(MemcacheDecoder with, byte[] bytes) {
        try (Buffer in = BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes)) {
            with.decode(in, this::closed);
        }
        return released;
    }

    @Benchmark
    public int weftDecode() {
        return decode(decoder, binary);
    }

    @Benchmark
    public int weftDecodeText() {
        return decode(textDecoder, text);
    }

    @Benchmark
    public int nettyDecode() {
        netty.writeInbound(nettyInput());
        for (Object request; (request = netty.readInbound()) != null; ) {
            ReferenceCountUtil.release(request);
            released++;
        }
        return released;
    }

    /// Requests are made, too, of keys and values that are there: an encoder takes them. Neither
    /// side copies a large value.
    @Benchmark
    public long weftEncode() {
        try (Output out = new Output()) {
            for (int i = 0; i < MESSAGES; i++) {
                encoder.encode(traffic.request(i, large), out);
            }
            return out.size();
        }
    }

    private static FullBinaryMemcacheRequest nettyRequest(BinaryMessage from) {
        try (from;
                Buffer value = from.value()) {
            ByteBuf extras = ByteBufAllocator.DEFAULT.buffer(from.extrasLength());
            for (int i = 0; i < from.extrasLength(); i += 4) {
                extras.writeInt(from.extra(i));
            }
            byte[] content = new byte[from.valueLength()];
            value.readBytes(content);
            FullBinaryMemcacheRequest request =
                    new DefaultFullBinaryMemcacheRequest(
                            ByteBufAllocator.DEFAULT
                                    .buffer(from.keyLength())
                                    .writeBytes(from.keyBytes()),
                            extras,
                            ByteBufAllocator.DEFAULT.buffer(content.length).writeBytes(content));
            request.setOpcode((byte) from.opcode());
            return request;
        }
    }

    /// The requests share keys and values with those made beforehand: encoding takes them.
    @Benchmark
    public long nettyEncode() {
        for (FullBinaryMemcacheRequest request : nettyRequests) {
            var _ = nettyOut.write(request.replace(request.content().retainedDuplicate()));
        }
        nettyOut.flush();
        long size = 0;
        for (ByteBuf part; (part = nettyOut.readOutbound()) != null; ) {
            size += part.readableBytes();
            part.release();
        }
        return size;
    }
}
