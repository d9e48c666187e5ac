package io.weft.bench.protocols;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.redis.RedisArrayAggregator;
import io.netty.handler.codec.redis.RedisBulkStringAggregator;
import io.netty.handler.codec.redis.RedisDecoder;
import io.netty.handler.codec.redis.RedisEncoder;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.redis.Command;
import io.weft.codec.redis.CommandDecoder;
import io.weft.codec.redis.CommandEncoder;
import io.weft.codec.redis.RespDecoder;
import io.weft.codec.redis.RespEncoder;
import io.weft.codec.redis.RespValue;
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

/// Sixteen messages of Redis in one buffer, decoded and released, or encoded; run it with
/// `-prof gc`. Netty's codec works in a pipeline, with both aggregators, which make whole values.
///
/// The rows `weftCommands` and `nettyDecode` of `COMMANDS` are a server's.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class RedisBenchmark {
    /// Streams of sixteen messages.
    public enum Traffic {
        /// A simple string, an integer and a bulk of three bytes in turn.
        SMALL,
        /// Arrays of five values, one of them an array.
        MIXED,
        /// Bulks of 4 KiB.
        LARGE,
        /// SET with a key and a value of 16 bytes.
        COMMANDS;

        private String message(int index) {
            return switch (this) {
                case SMALL ->
                        switch (index % 3) {
                            case 0 -> "+OK\r\n";
                            case 1 -> ":12345\r\n";
                            default -> "$3\r\nfoo\r\n";
                        };
                case MIXED ->
                        "*5\r\n+OK\r\n:7\r\n$16\r\n0123456789abcdef\r\n*1\r\n$1\r\nx\r\n$-1\r\n";
                case LARGE -> "$4096\r\n" + "x".repeat(4096) + "\r\n";
                case COMMANDS ->
                        "*3\r\n$3\r\nSET\r\n$16\r\nkey:000000000001\r\n$16\r\n0123456789abcdef\r\n";
            };
        }
    }

    private static final int MESSAGES = 16;

    @Param Traffic traffic = Traffic.SMALL;

    private byte[] bytes = {};
    private final RespDecoder decoder = new RespDecoder();
    private final CommandDecoder commandDecoder = new CommandDecoder();
    private final RespEncoder encoder = new RespEncoder();
    private final CommandEncoder commandEncoder = new CommandEncoder();
    private final List<RespValue> values = new ArrayList<>();
    private final List<Object> nettyValues = new ArrayList<>();
    private final EmbeddedChannel netty =
            new EmbeddedChannel(
                    new RedisDecoder(),
                    new RedisBulkStringAggregator(),
                    new RedisArrayAggregator(1024, 32),
                    new RedisEncoder());
    private int released;

    @Setup
    public void make() {
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < MESSAGES; i++) {
            all.append(traffic.message(i));
        }
        bytes = all.toString().getBytes(US_ASCII);
        try (Buffer in = weftInput()) {
            decoder.decode(in, values::add);
        }
        netty.writeInbound(nettyInput());
        for (Object value; (value = netty.readInbound()) != null; ) {
            nettyValues.add(value);
        }
    }

    @TearDown
    public void release() {
        values.forEach(RespValue::close);
        nettyValues.forEach(ReferenceCountUtil::release);
        netty.finishAndReleaseAll();
    }

    private Buffer weftInput() {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    private ByteBuf nettyInput() {
        return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }

    private void closed(RespValue value) {
        released++;
        value.close();
    }

    private void closed(Command command) {
        released++;
        command.close();
    }

    @Benchmark
    public int weftDecode() {
        try (Buffer in = weftInput()) {
            decoder.decode(in, this::closed);
        }
        return released;
    }

    /// Reads commands as a server does; other traffic as `weftDecode`.
    @Benchmark
    public int weftCommands() {
        if (traffic != Traffic.COMMANDS) {
            return weftDecode();
        }
        try (Buffer in = weftInput()) {
            commandDecoder.decode(in, this::closed);
        }
        return released;
    }

    @Benchmark
    public int nettyDecode() {
        netty.writeInbound(nettyInput());
        for (Object value; (value = netty.readInbound()) != null; ) {
            ReferenceCountUtil.release(value);
            released++;
        }
        return released;
    }

    @Benchmark
    public long weftEncode() {
        try (Output out = new Output()) {
            for (RespValue value : values) {
                retain(value);
                encoder.encode(value, out);
            }
            return out.size();
        }
    }

    /// Encoding releases what is encoded again.
    private static void retain(RespValue value) {
        switch (value) {
            case RespValue.Bulk bulk -> bulk.content().retain();
            case RespValue.Array array -> {
                for (RespValue element : array.elements()) {
                    retain(element);
                }
            }
            default -> {}
        }
    }

    /// Makes and encodes commands as a client does; the same whatever the traffic.
    @Benchmark
    public long weftBuildCommands() {
        try (Output out = new Output()) {
            for (int i = 0; i < MESSAGES; i++) {
                commandEncoder.encode(
                        Command.of("SET", "key:000000000001", "0123456789abcdef"), out);
            }
            return out.size();
        }
    }

    @Benchmark
    public long nettyEncode() {
        for (Object value : nettyValues) {
            var _ = netty.write(ReferenceCountUtil.retain(value));
        }
        netty.flush();
        long size = 0;
        for (ByteBuf part; (part = netty.readOutbound()) != null; ) {
            size += part.readableBytes();
            part.release();
        }
        return size;
    }
}
