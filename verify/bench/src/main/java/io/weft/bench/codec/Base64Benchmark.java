package io.weft.bench.codec;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.text.Base64;
import java.util.SplittableRandom;
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

/// Noise to base 64 and back, each time into a buffer that is allocated and released.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class Base64Benchmark {
    @State(Scope.Thread)
    public static class Content {
        @Param({"48", "1000", "16384"})
        int length;

        private byte[] plain = {};
        private byte[] encoded = {};

        @Setup
        public void make() {
            plain = new byte[length];
            new SplittableRandom(42).nextBytes(plain);
            encoded = java.util.Base64.getEncoder().encode(plain);
        }

        int expect(int made, int expected) {
            if (made != expected) {
                throw new IllegalStateException("bytes: " + made + " (expected: " + expected + ")");
            }
            return made;
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        private Buffer plain = BufferAllocator.pooled().allocate(0);
        private Buffer encoded = BufferAllocator.pooled().allocate(0);

        @Setup
        public void make(Content content) {
            plain.ensureWritable(content.plain.length).writeBytes(content.plain);
            encoded.ensureWritable(content.encoded.length).writeBytes(content.encoded);
        }

        @TearDown
        public void release() {
            plain.release();
            encoded.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private ByteBuf plain = Unpooled.EMPTY_BUFFER;
        private ByteBuf encoded = Unpooled.EMPTY_BUFFER;

        @Setup
        public void make(Content content) {
            plain = Unpooled.directBuffer(content.plain.length).writeBytes(content.plain);
            encoded = Unpooled.directBuffer(content.encoded.length).writeBytes(content.encoded);
        }

        @TearDown
        public void release() {
            plain.release();
            encoded.release();
        }
    }

    @Benchmark
    public int weftEncode(Weft weft, Content content) {
        Buffer from = weft.plain.readOffset(0);
        int length = Base64.STANDARD.encodedLength(from.readableBytes());
        try (Buffer to = BufferAllocator.pooled().allocate(length)) {
            Base64.STANDARD.encode(from, to);
            return content.expect(to.readableBytes(), content.encoded.length);
        }
    }

    @Benchmark
    public int nettyEncode(Netty netty, Content content) {
        ByteBuf to = io.netty.handler.codec.base64.Base64.encode(netty.plain.readerIndex(0), false);
        int made = to.readableBytes();
        to.release();
        return content.expect(made, content.encoded.length);
    }

    @Benchmark
    public int weftDecode(Weft weft, Content content) {
        Buffer from = weft.encoded.readOffset(0);
        try (Buffer to = BufferAllocator.pooled().allocate(from.readableBytes())) {
            Base64.STANDARD.decode(from, to);
            return content.expect(to.readableBytes(), content.plain.length);
        }
    }

    @Benchmark
    public int nettyDecode(Netty netty, Content content) {
        ByteBuf to = io.netty.handler.codec.base64.Base64.decode(netty.encoded.readerIndex(0));
        int made = to.readableBytes();
        to.release();
        return content.expect(made, content.plain.length);
    }
}
