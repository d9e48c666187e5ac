package io.weft.bench.protocols;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.stomp.StompSubframeAggregator;
import io.netty.handler.codec.stomp.StompSubframeDecoder;
import io.netty.handler.codec.stomp.StompSubframeEncoder;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.stomp.StompDecoder;
import io.weft.codec.stomp.StompEncoder;
import io.weft.codec.stomp.StompFrame;
import io.weft.codec.stomp.StompLimits;
import io.weft.codec.stomp.StompMessage;
import io.weft.codec.stomp.StompVersion;
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

/// Sixteen frames of STOMP in one buffer, decoded and released, or encoded. Netty's codec works in
/// a channel in memory, with its aggregator, which makes whole frames.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class StompBenchmark {
    /// Streams of sixteen frames of a client.
    public enum Traffic {
        /// SEND with a destination and five bytes.
        SMALL,
        /// SEND with six headers and 100 bytes, ACK and SUBSCRIBE in turn.
        MIXED,
        /// SEND of 4 KiB.
        LARGE;

        private String frame(int index) {
            return switch (this) {
                case SMALL -> "SEND\ndestination:/queue/a\ncontent-length:5\n\nhello\0";
                case LARGE ->
                        "SEND\ndestination:/queue/a\ncontent-length:4096\n\n"
                                + "x".repeat(4096)
                                + "\0";
                case MIXED ->
                        switch (index % 3) {
                            case 0 ->
                                    "SEND\ndestination:/topic/prices.EUR\ncontent-type:text/plain\n"
                                            + "receipt:r-"
                                            + index
                                            + "\npriority:4\ncorrelation-id:"
                                            + (1_000_000 + index)
                                            + "\ncontent-length:100\n\n"
                                            + "x".repeat(100)
                                            + "\0";
                            case 1 -> "ACK\nid:message-" + index + "\ntransaction:tx-1\n\n\0";
                            default ->
                                    "SUBSCRIBE\nid:"
                                            + index
                                            + "\ndestination:/topic/"
                                            + index
                                            + "\nack:client\n\n\0";
                        };
            };
        }
    }

    private static final int MESSAGES = 16;

    @Param Traffic traffic = Traffic.SMALL;

    private byte[] bytes = {};
    private final StompDecoder decoder =
            StompDecoder.server(new StompLimits(1_024, 128, 65_536, 1 << 20, 1 << 20));
    private final StompEncoder encoder = new StompEncoder();
    private final List<StompFrame> frames = new ArrayList<>();
    private final List<Object> nettyFrames = new ArrayList<>();
    private final EmbeddedChannel netty =
            new EmbeddedChannel(
                    new StompSubframeDecoder(),
                    new StompSubframeAggregator(1 << 20),
                    new StompSubframeEncoder());
    private int released;

    @Setup
    public void make() {
        byte[] connect = "CONNECT\naccept-version:1.2\nhost:h\n\n\0".getBytes(US_ASCII);
        try (Buffer in = BufferAllocator.pooled().allocate(64).writeBytes(connect)) {
            decoder.decode(in, this::closed);
            decoder.version(StompVersion.V1_2);
        }
        StringBuilder all = new StringBuilder();
        for (int i = 0; i < MESSAGES; i++) {
            all.append(traffic.frame(i));
        }
        bytes = all.toString().getBytes(US_ASCII);
        try (Buffer in = weftInput()) {
            decoder.decode(in, message -> frames.add((StompFrame) message));
        }
        netty.writeInbound(nettyInput());
        for (Object frame; (frame = netty.readInbound()) != null; ) {
            nettyFrames.add(frame);
        }
    }

    @TearDown
    public void release() {
        frames.forEach(StompFrame::close);
        nettyFrames.forEach(ReferenceCountUtil::release);
        netty.finishAndReleaseAll();
    }

    private Buffer weftInput() {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    private ByteBuf nettyInput() {
        return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }

    private void closed(StompMessage message) {
        if (message instanceof StompFrame frame) {
            released++;
            frame.close();
        }
    }

    @Benchmark
    public int weftDecode() {
        try (Buffer in = weftInput()) {
            decoder.decode(in, this::closed);
        }
        return released;
    }

    @Benchmark
    public int nettyDecode() {
        netty.writeInbound(nettyInput());
        for (Object frame; (frame = netty.readInbound()) != null; ) {
            ReferenceCountUtil.release(frame);
            released++;
        }
        return released;
    }

    @Benchmark
    public long weftEncode() {
        try (Output out = new Output()) {
            for (StompFrame frame : frames) {
                Buffer body = frame.body().retain();
                int start = body.readOffset();
                encoder.encode(frame, out);
                body.readOffset(start); // a short one was copied
            }
            return out.size();
        }
    }

    @Benchmark
    public long nettyEncode() {
        for (Object frame : nettyFrames) {
            var _ = netty.write(ReferenceCountUtil.retain(frame));
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
