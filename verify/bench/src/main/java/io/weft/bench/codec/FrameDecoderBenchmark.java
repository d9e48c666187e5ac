package io.weft.bench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.channel.EmbeddedChannel;
import io.weft.codec.Decoder;
import io.weft.codec.framing.DelimiterDecoder;
import io.weft.codec.framing.LengthField;
import io.weft.codec.framing.LengthFieldDecoder;
import io.weft.codec.framing.LineDecoder;
import io.weft.codec.framing.VarintDecoder;
import io.weft.handler.codec.DecoderHandler;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OperationsPerInvocation;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// Cutting the bytes of a read into frames: a fresh buffer with 64 of them, through the pipeline of
/// an embedded channel to a handler that releases them, and through what decodes alone. Counted in
/// frames.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@OperationsPerInvocation(Framing.FRAMES)
public class FrameDecoderBenchmark {
    @State(Scope.Thread)
    public static class Batch {
        @Param Framing framing = Framing.LENGTH_FIELD;

        @Param({"16", "128", "1024"})
        int length;

        private byte[] bytes = {};

        @Setup
        public void make() {
            bytes = framing.batch(length);
        }

        /// @param taken bytes of content
        int expect(int taken) {
            if (taken != Framing.FRAMES * length) {
                throw new IllegalStateException(
                        "bytes: " + taken + " (expected: " + Framing.FRAMES * length + ")");
            }
            return taken;
        }

        Buffer weft() {
            return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
        }

        ByteBuf netty() {
            return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
        }

        Decoder<Buffer> decoder() {
            int max = framing.maxLength(length);
            return switch (framing) {
                case LENGTH_FIELD -> new LengthFieldDecoder(LengthField.of(4), max);
                case VARINT -> new VarintDecoder(max);
                case LINE -> new LineDecoder(max);
                case DELIMITERS -> new DelimiterDecoder(max, Framing.NUL, Framing.SEMICOLONS);
            };
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        private int taken;
        private final Consumer<Buffer> taker = this::take;
        private @Nullable EmbeddedChannel channel;
        private @Nullable Decoder<Buffer> decoder;

        @Setup
        public void make(Batch batch) {
            decoder = batch.decoder();
            channel =
                    new EmbeddedChannel(
                            new DecoderHandler<>(batch.decoder()),
                            new ChannelHandler() {
                                @Override
                                public void channelRead(
                                        io.weft.channel.ChannelHandlerContext ctx, Object message) {
                                    take((Buffer) message);
                                }
                            });
        }

        @TearDown
        public void close() {
            if (channel != null) {
                channel.close();
            }
        }

        private void take(Buffer frame) {
            taken += frame.readableBytes();
            frame.release();
        }

        int receive(Buffer in) {
            taken = 0;
            java.util.Objects.requireNonNull(channel).receive(in);
            return taken;
        }

        int decode(Buffer in) {
            taken = 0;
            try (in) {
                java.util.Objects.requireNonNull(decoder).decode(in, taker);
            }
            return taken;
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private int taken;
        private io.netty.channel.embedded.@Nullable EmbeddedChannel channel;
        private @Nullable NettyFramer decoder;

        @Setup
        public void make(Batch batch) {
            decoder = NettyFramer.of(batch.framing, batch.length);
            channel =
                    new io.netty.channel.embedded.EmbeddedChannel(
                            NettyFramer.of(batch.framing, batch.length),
                            new ChannelInboundHandlerAdapter() {
                                @Override
                                public void channelRead(ChannelHandlerContext ctx, Object message) {
                                    take((ByteBuf) message);
                                }
                            });
        }

        @TearDown
        public void close() {
            if (channel != null) {
                channel.finishAndReleaseAll();
            }
        }

        private void take(ByteBuf frame) {
            taken += frame.readableBytes();
            frame.release();
        }

        int receive(ByteBuf in) {
            taken = 0;
            java.util.Objects.requireNonNull(channel).writeInbound(in);
            return taken;
        }

        int decode(ByteBuf in) {
            taken = 0;
            NettyFramer framer = java.util.Objects.requireNonNull(decoder);
            for (ByteBuf frame; (frame = framer.next(in)) != null; ) {
                take(frame);
            }
            in.release();
            return taken;
        }
    }

    @Benchmark
    public int weftPipeline(Weft weft, Batch batch) {
        return batch.expect(weft.receive(batch.weft()));
    }

    @Benchmark
    public int nettyPipeline(Netty netty, Batch batch) {
        return batch.expect(netty.receive(batch.netty()));
    }

    @Benchmark
    public int weftDecoder(Weft weft, Batch batch) {
        return batch.expect(weft.decode(batch.weft()));
    }

    @Benchmark
    public int nettyDecoder(Netty netty, Batch batch) {
        return batch.expect(netty.decode(batch.netty()));
    }
}
