package io.weft.bench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.buffer.Unpooled;
import io.netty.channel.ChannelHandler;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.compression.Lz4FrameDecoder;
import io.netty.handler.codec.compression.Lz4FrameEncoder;
import io.netty.handler.codec.compression.SnappyFrameDecoder;
import io.netty.handler.codec.compression.SnappyFrameEncoder;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.compression.Compressor;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import io.weft.codec.compression.Lz4Compressor;
import io.weft.codec.compression.Lz4Decompressor;
import io.weft.codec.compression.SnappyCompressor;
import io.weft.codec.compression.SnappyDecompressor;
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

/// One message of 64 KiB in a stream that goes on, compressed and flushed, and expanded with its
/// sums checked. Netty's LZ4 is that of lz4-java, on its fastest library; its frames are lz4-java's
/// own, Weft's those of the format's document.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
public class CompressionBenchmark {
    /// The formats of compression.
    public enum Format {
        SNAPPY,
        LZ4
    }

    @State(Scope.Thread)
    public static class Message {
        @Param Format format = Format.SNAPPY;

        @Param Content content = Content.TEXT;

        byte[] plain = {};

        @Setup
        public void make() {
            plain = content.bytes();
        }

        int expect(int made) {
            if (made != plain.length) {
                throw new IllegalStateException(
                        "bytes: " + made + " (expected: " + plain.length + ")");
            }
            return made;
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        private static final DecompressionLimits ENDLESS =
                new DecompressionLimits(Long.MAX_VALUE / 2, Integer.MAX_VALUE, 1L << 20);

        private @Nullable Compressor compressor;
        private @Nullable Decompressor decompressor;
        private final Buffer plain = BufferAllocator.pooled().allocate(Content.LENGTH);
        private final Buffer wire = BufferAllocator.pooled().allocate(2 * Content.LENGTH);

        @Setup
        public void make(Message message) {
            compressor = compressor(message.format);
            decompressor =
                    switch (message.format) {
                        case SNAPPY -> new SnappyDecompressor(ENDLESS);
                        case LZ4 -> new Lz4Decompressor(ENDLESS, Content.LENGTH);
                    };
            plain.writeBytes(message.plain);
            try (Compressor first = compressor(message.format)) {
                // With the beginning of the stream, which is not measured, and without.
                write(first);
                message.expect(expand());
                write(first);
            }
        }

        private static Compressor compressor(Format format) {
            return switch (format) {
                case SNAPPY -> new SnappyCompressor();
                case LZ4 -> new Lz4Compressor();
            };
        }

        private void write(Compressor to) {
            to.compress(plain.readOffset(0), wire.clear());
            to.flush(wire);
        }

        int compress() {
            try (Buffer out = BufferAllocator.pooled().allocate(Content.LENGTH)) {
                Compressor to = java.util.Objects.requireNonNull(compressor);
                to.compress(plain.readOffset(0), out);
                to.flush(out);
                return out.readableBytes();
            }
        }

        int expand() {
            try (Buffer out = BufferAllocator.pooled().allocate(Content.LENGTH, Content.LENGTH)) {
                Decompressor from = java.util.Objects.requireNonNull(decompressor);
                Decompressor.Status _ = from.decompress(wire.readOffset(0), out);
                return out.readableBytes();
            }
        }

        @TearDown
        public void close() {
            java.util.Objects.requireNonNull(compressor).close();
            java.util.Objects.requireNonNull(decompressor).close();
            plain.release();
            wire.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private @Nullable EmbeddedChannel compressor;
        private @Nullable EmbeddedChannel decompressor;
        private ByteBuf plain = Unpooled.EMPTY_BUFFER;
        private ByteBuf wire = Unpooled.EMPTY_BUFFER;

        @Setup
        public void make(Message message) {
            compressor = new EmbeddedChannel(compressor(message.format));
            decompressor =
                    new EmbeddedChannel(
                            switch (message.format) {
                                case SNAPPY -> new SnappyFrameDecoder(true);
                                case LZ4 -> new Lz4FrameDecoder(true);
                            });
            plain = Unpooled.directBuffer().writeBytes(message.plain);
            wire = Unpooled.directBuffer();
            EmbeddedChannel first = new EmbeddedChannel(compressor(message.format));
            write(first);
            message.expect(expand());
            write(first);
            first.finishAndReleaseAll();
        }

        private static ChannelHandler compressor(Format format) {
            return switch (format) {
                case SNAPPY -> new SnappyFrameEncoder();
                case LZ4 -> new Lz4FrameEncoder();
            };
        }

        private void write(EmbeddedChannel to) {
            wire.clear();
            to.writeOutbound(plain.retainedDuplicate());
            for (ByteBuf next; (next = to.readOutbound()) != null; ) {
                wire.writeBytes(next);
                next.release();
            }
        }

        int compress() {
            EmbeddedChannel to = java.util.Objects.requireNonNull(compressor);
            to.writeOutbound(plain.retainedDuplicate());
            return taken(to, true);
        }

        int expand() {
            EmbeddedChannel from = java.util.Objects.requireNonNull(decompressor);
            ByteBuf in = ByteBufAllocator.DEFAULT.directBuffer(wire.readableBytes());
            from.writeInbound(in.writeBytes(wire, wire.readerIndex(), wire.readableBytes()));
            return taken(from, false);
        }

        private static int taken(EmbeddedChannel channel, boolean outbound) {
            int bytes = 0;
            for (ByteBuf next;
                    (next = outbound ? channel.readOutbound() : channel.readInbound()) != null; ) {
                bytes += next.readableBytes();
                next.release();
            }
            return bytes;
        }

        @TearDown
        public void close() {
            java.util.Objects.requireNonNull(compressor).finishAndReleaseAll();
            java.util.Objects.requireNonNull(decompressor).finishAndReleaseAll();
            plain.release();
            wire.release();
        }
    }

    @Benchmark
    public int weftCompress(Weft weft, Message message) {
        return weft.compress();
    }

    @Benchmark
    public int nettyCompress(Netty netty, Message message) {
        return netty.compress();
    }

    @Benchmark
    public int weftDecompress(Weft weft, Message message) {
        return message.expect(weft.expand());
    }

    @Benchmark
    public int nettyDecompress(Netty netty, Message message) {
        return message.expect(netty.expand());
    }
}
