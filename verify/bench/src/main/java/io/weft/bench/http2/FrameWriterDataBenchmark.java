package io.weft.bench.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.ChannelOutboundHandlerAdapter;
import io.netty.channel.ChannelPromise;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http2.DefaultHttp2FrameWriter;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandler;
import io.weft.loop.Promise;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// One frame of DATA without padding, from a payload to the buffers that are written to a pipeline
/// and released there. Weft's come with all that a stream's window costs, and small frames are
/// gathered until they are enough for a write, as on a connection.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class FrameWriterDataBenchmark {
    @State(Scope.Thread)
    public static class Weft {
        @Param({"64", "1024", "4096", "16384"})
        int payload;

        private io.weft.channel.@Nullable EmbeddedChannel channel;
        private @Nullable WeftSender sender;
        private @Nullable Buffer bytes;

        @Setup
        public void make() {
            ChannelHandler sink =
                    new ChannelHandler() {
                        @Override
                        public void write(
                                io.weft.channel.ChannelHandlerContext at,
                                Object message,
                                @Nullable Promise<Void> promise) {
                            ((Buffer) message).release();
                        }
                    };
            ChannelHandler source = new ChannelHandler() {};
            channel = new io.weft.channel.EmbeddedChannel(sink, source);
            var ctx = Objects.requireNonNull(channel.channel().pipeline().context(source));
            sender = new WeftSender(1, List.of("u=3"), ctx::write);
            bytes = BufferAllocator.pooled().allocate(payload).writeBytes(new byte[payload]);
        }

        @TearDown
        public void release() {
            Objects.requireNonNull(sender).close();
            Objects.requireNonNull(bytes).release();
            Objects.requireNonNull(channel).close();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        @Param({"64", "1024", "4096", "16384"})
        int payload;

        private final DefaultHttp2FrameWriter writer = new DefaultHttp2FrameWriter();
        private @Nullable EmbeddedChannel channel;
        private @Nullable ChannelHandlerContext ctx;
        private @Nullable ByteBuf bytes;

        @Setup
        public void make() {
            ChannelOutboundHandlerAdapter sink =
                    new ChannelOutboundHandlerAdapter() {
                        @Override
                        public void write(
                                ChannelHandlerContext at, Object message, ChannelPromise promise) {
                            ReferenceCountUtil.release(message);
                        }
                    };
            ChannelInboundHandlerAdapter source = new ChannelInboundHandlerAdapter();
            channel = new EmbeddedChannel(sink, source);
            ctx = channel.pipeline().context(source);
            bytes = ByteBufAllocator.DEFAULT.directBuffer(payload).writeZero(payload);
        }

        @TearDown
        public void release() {
            Objects.requireNonNull(bytes).release();
            Objects.requireNonNull(channel).finishAndReleaseAll();
        }
    }

    @Benchmark
    public int weftWrite(Weft weft) {
        return Objects.requireNonNull(weft.sender)
                .data(Objects.requireNonNull(weft.bytes).retain().readOffset(0));
    }

    @Benchmark
    public int nettyWrite(Netty netty) {
        ChannelHandlerContext ctx = Objects.requireNonNull(netty.ctx);
        ByteBuf bytes = Objects.requireNonNull(netty.bytes).retain().readerIndex(0);
        var _ = netty.writer.writeData(ctx, 3, bytes, 0, false, ctx.voidPromise());
        return bytes.readerIndex();
    }
}
