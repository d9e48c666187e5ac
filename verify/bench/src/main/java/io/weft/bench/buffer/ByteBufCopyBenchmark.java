package io.weft.bench.buffer;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.nio.ByteBuffer;
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

/// Bytes copied by index between direct buffers, and from and to what the JDK keeps bytes in.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class ByteBufCopyBenchmark {
    @State(Scope.Thread)
    public static class Bytes {
        @Param({"7", "36", "512", "8192"})
        int size;

        byte[] array = {};
        ByteBuffer heap = ByteBuffer.allocate(0);
        ByteBuffer direct = ByteBuffer.allocate(0);

        @Setup
        public void allocate() {
            array = new byte[size];
            heap = ByteBuffer.allocate(size);
            direct = ByteBuffer.allocateDirect(size);
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        Buffer from = BufferAllocator.pooled().allocate(0);
        Buffer to = BufferAllocator.pooled().allocate(0);

        @Setup
        public void allocate(Bytes bytes) {
            from.ensureWritable(bytes.size).writeBytes(bytes.array);
            to.ensureWritable(bytes.size).writeBytes(bytes.array);
        }

        @TearDown
        public void release() {
            from.release();
            to.release();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        ByteBuf from = Unpooled.EMPTY_BUFFER;
        ByteBuf to = Unpooled.EMPTY_BUFFER;

        @Setup
        public void allocate(Bytes bytes) {
            from = Unpooled.directBuffer(bytes.size).writeBytes(bytes.array);
            to = Unpooled.directBuffer(bytes.size).writeBytes(bytes.array);
        }

        @TearDown
        public void release() {
            from.release();
            to.release();
        }
    }

    @Benchmark
    public Buffer weftBuffer(Weft weft, Bytes bytes) {
        return weft.to.setBytes(0, weft.from, 0, bytes.size);
    }

    @Benchmark
    public ByteBuf nettyBuffer(Netty netty, Bytes bytes) {
        return netty.to.setBytes(0, netty.from, 0, bytes.size);
    }

    @Benchmark
    public Buffer weftFromArray(Weft weft, Bytes bytes) {
        return weft.to.setBytes(0, bytes.array, 0, bytes.size);
    }

    @Benchmark
    public ByteBuf nettyFromArray(Netty netty, Bytes bytes) {
        return netty.to.setBytes(0, bytes.array, 0, bytes.size);
    }

    @Benchmark
    public byte[] weftToArray(Weft weft, Bytes bytes) {
        weft.from.getBytes(0, bytes.array, 0, bytes.size);
        return bytes.array;
    }

    @Benchmark
    public byte[] nettyToArray(Netty netty, Bytes bytes) {
        netty.from.getBytes(0, bytes.array, 0, bytes.size);
        return bytes.array;
    }

    @Benchmark
    public Buffer weftFromHeapByteBuffer(Weft weft, Bytes bytes) {
        return weft.to.setBytes(0, bytes.heap.clear());
    }

    @Benchmark
    public ByteBuf nettyFromHeapByteBuffer(Netty netty, Bytes bytes) {
        return netty.to.setBytes(0, bytes.heap.clear());
    }

    @Benchmark
    public Buffer weftFromDirectByteBuffer(Weft weft, Bytes bytes) {
        return weft.to.setBytes(0, bytes.direct.clear());
    }

    @Benchmark
    public ByteBuf nettyFromDirectByteBuffer(Netty netty, Bytes bytes) {
        return netty.to.setBytes(0, bytes.direct.clear());
    }

    @Benchmark
    public ByteBuffer weftToDirectByteBuffer(Weft weft, Bytes bytes) {
        weft.from.getBytes(0, bytes.direct.clear());
        return bytes.direct;
    }

    @Benchmark
    public ByteBuffer nettyToDirectByteBuffer(Netty netty, Bytes bytes) {
        netty.from.getBytes(0, bytes.direct.clear());
        return bytes.direct;
    }
}
