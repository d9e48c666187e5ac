package io.weft.bench.http;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.ChannelHandlerContext;
import io.netty.channel.ChannelInboundHandlerAdapter;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.websocketx.BinaryWebSocketFrame;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameDecoder;
import io.netty.handler.codec.http.websocketx.WebSocket13FrameEncoder;
import io.netty.handler.codec.http.websocketx.WebSocketDecoderConfig;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.websocket.FrameDecoder;
import io.weft.codec.websocket.FrameEncoder;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketLimits;
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

/// Frames of WebSocket, encoded and decoded by what does it in a pipeline, without one: as a server
/// sends them, and masked as a client does. Keys of masks cannot be foretold on Weft's side (RFC
/// 6455, 10.3).
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
@State(Scope.Thread)
public class WebSocketFrameBenchmark {
    /// Bytes of payload.
    @Param({"8", "100", "1000", "16384"})
    int length = 100;

    private final NettyEncoder nettyPlain = new NettyEncoder(false);
    private final NettyEncoder nettyMasking = new NettyEncoder(true);
    private final NettyDecoder nettyDecoder = new NettyDecoder();
    private final EmbeddedChannel channel = new EmbeddedChannel(new ChannelInboundHandlerAdapter());
    private final ChannelHandlerContext context = channel.pipeline().firstContext();
    private final List<Object> taken = new ArrayList<>();

    private final Output output = new Output();
    private final FrameEncoder plain = new FrameEncoder(Role.SERVER);
    private final FrameEncoder masking = new FrameEncoder(Role.CLIENT);
    private final FrameDecoder decoder = new FrameDecoder(Role.SERVER, WebSocketLimits.DEFAULT);

    private byte[] payload = {};
    private byte[] masked = {};
    private int size;

    /// Netty's, to be called without a pipeline.
    private static final class NettyEncoder extends WebSocket13FrameEncoder {
        NettyEncoder(boolean mask) {
            super(mask);
        }

        void encodeTo(ChannelHandlerContext ctx, ByteBuf content, List<Object> out)
                throws Exception {
            BinaryWebSocketFrame frame = new BinaryWebSocketFrame(content);
            try {
                encode(ctx, frame, out);
            } finally {
                frame.release();
            }
        }
    }

    /// Netty's, to be called without a pipeline.
    private static final class NettyDecoder extends WebSocket13FrameDecoder {
        NettyDecoder() {
            super(WebSocketDecoderConfig.newBuilder().maxFramePayloadLength(1 << 20).build());
        }

        void decodeFrom(ChannelHandlerContext ctx, ByteBuf in, List<Object> out) throws Exception {
            while (in.isReadable()) {
                decode(ctx, in, out);
            }
        }
    }

    @Setup
    public void make() {
        payload = new byte[length];
        for (int i = 0; i < length; i++) {
            payload[i] = (byte) i;
        }
        masking.encode(WebSocketFrame.binary(weft(payload)), output);
        masked = new byte[(int) output.size()];
        int at = 0;
        for (Buffer piece; (piece = output.next()) != null; ) {
            int bytes = piece.readableBytes();
            piece.readBytes(masked, at, bytes);
            piece.release();
            at += bytes;
        }
    }

    @TearDown
    public void release() {
        decoder.close();
        output.close();
        channel.finishAndReleaseAll();
    }

    private static Buffer weft(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    private static ByteBuf netty(byte[] bytes) {
        return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }

    private int encode(FrameEncoder encoder) {
        size = 0;
        encoder.encode(WebSocketFrame.binary(weft(payload)), output);
        output.drain(this::count);
        return size;
    }

    private void count(Buffer piece) {
        size += piece.readableBytes();
        piece.release();
    }

    private int encode(NettyEncoder encoder) throws Exception {
        encoder.encodeTo(context, netty(payload), taken);
        int bytes = 0;
        for (Object part : taken) {
            bytes += ((ByteBuf) part).readableBytes();
            ReferenceCountUtil.release(part);
        }
        taken.clear();
        return bytes;
    }

    @Benchmark
    public int weftEncode() {
        return encode(plain);
    }

    @Benchmark
    public int nettyEncode() throws Exception {
        return encode(nettyPlain);
    }

    @Benchmark
    public int weftEncodeMasked() {
        return encode(masking);
    }

    @Benchmark
    public int nettyEncodeMasked() throws Exception {
        return encode(nettyMasking);
    }

    @Benchmark
    public int weftDecodeMasked() {
        size = 0;
        try (Buffer in = weft(masked)) {
            decoder.decode(in, this::count);
        }
        return size;
    }

    private void count(WebSocketFrame frame) {
        if (frame instanceof WebSocketFrame.Data data) {
            size += data.payload().readableBytes();
        }
        frame.close();
    }

    @Benchmark
    public int nettyDecodeMasked() throws Exception {
        ByteBuf in = netty(masked);
        nettyDecoder.decodeFrom(context, in, taken);
        int bytes = 0;
        for (Object frame : taken) {
            bytes += ((BinaryWebSocketFrame) frame).content().readableBytes();
            ReferenceCountUtil.release(frame);
        }
        taken.clear();
        in.release();
        return bytes;
    }
}
