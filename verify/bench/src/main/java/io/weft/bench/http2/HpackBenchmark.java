package io.weft.bench.http2;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.handler.codec.http2.DefaultHttp2HeadersDecoder;
import io.netty.handler.codec.http2.DefaultHttp2HeadersEncoder;
import io.netty.handler.codec.http2.Http2Headers;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.hpack.HpackDecoder;
import io.weft.http.hpack.HpackEncoder;
import io.weft.http.hpack.HpackField;
import io.weft.http.hpack.HpackLimits;
import io.weft.http.model.Headers;
import io.weft.http.model.HeadersBuilder;
import java.util.Objects;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
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
import org.openjdk.jmh.infra.Blackhole;

/// Header blocks from a buffer to headers, validated, and back. Without a table each block that is
/// decoded is one of literals in Huffman's code; with one it is the block of a connection that has
/// seen the fields. Encoders decide on Huffman's code by themselves: neither uses it for fields as
/// short as these that go into no table.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class HpackBenchmark {
    @State(Scope.Thread)
    public static class Input {
        @Param HeaderSet set = HeaderSet.THREE;

        @Param({"0", "4096"})
        int table;

        byte[] first = {};
        byte[] block = {};

        @Setup
        public void make() {
            WeftHeaders headers = new WeftHeaders(set);
            HpackEncoder encoder = new HpackEncoder(HpackLimits.DEFAULT);
            encoder.huffmanFrom(0);
            if (table == 0) {
                encoder.tableSize(0);
            }
            first = encode(headers, encoder);
            block = encode(headers, encoder);
        }

        private static byte[] encode(WeftHeaders headers, HpackEncoder encoder) {
            try (Buffer out = BufferAllocator.pooled().allocate(8192)) {
                headers.encode(encoder, out);
                byte[] bytes = new byte[out.readableBytes()];
                out.readBytes(bytes);
                return bytes;
            }
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        private final HpackDecoder decoder =
                new HpackDecoder(HpackLimits.DEFAULT.fieldSection(65_536));
        private final HpackEncoder encoder = new HpackEncoder(HpackLimits.DEFAULT);
        private @Nullable WeftHeaders headers;
        private @Nullable Buffer in;
        private @Nullable Buffer out;
        private @Nullable HeadersBuilder builder;
        private int pseudos;
        private final Consumer<HpackField> consumer = this::take;

        @Setup
        public void make(Input input) {
            headers = new WeftHeaders(input.set);
            if (input.table == 0) {
                encoder.tableSize(0);
            }
            in = BufferAllocator.pooled().allocate(8192).writeBytes(input.first);
            out = BufferAllocator.pooled().allocate(8192);
            builder = Headers.builder();
            decoder.decode(in, true, consumer);
            in.clear().writeBytes(input.block);
        }

        @TearDown
        public void release() {
            Objects.requireNonNull(in).release();
            Objects.requireNonNull(out).release();
        }

        private void take(HpackField field) {
            boolean pseudo = field.pseudo() != null;
            if (pseudo ? !field.isWellFormed() : !field.addTo(Objects.requireNonNull(builder))) {
                throw new IllegalStateException(field.toString());
            }
            if (pseudo) {
                pseudos += field.value().length();
            }
        }

        Headers decode() {
            Buffer from = Objects.requireNonNull(in).readOffset(0);
            HeadersBuilder to = Objects.requireNonNull(builder).clear();
            decoder.decode(from, true, consumer);
            return to.build();
        }

        int encode() {
            Buffer to = Objects.requireNonNull(out).clear();
            Objects.requireNonNull(headers).encode(encoder, to);
            return to.readableBytes();
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private final DefaultHttp2HeadersDecoder decoder =
                new DefaultHttp2HeadersDecoder(true, 65_536);
        private final DefaultHttp2HeadersEncoder encoder = new DefaultHttp2HeadersEncoder();
        private @Nullable Http2Headers headers;
        private @Nullable ByteBuf in;
        private @Nullable ByteBuf out;

        @Setup
        public void make(Input input) throws Exception {
            headers = NettyHeaders.of(input.set);
            if (input.table == 0) {
                encoder.configuration().maxHeaderTableSize(0);
            }
            in = ByteBufAllocator.DEFAULT.directBuffer(8192).writeBytes(input.first);
            out = ByteBufAllocator.DEFAULT.directBuffer(8192);
            decoder.decodeHeaders(3, in);
            in.clear().writeBytes(input.block);
        }

        @TearDown
        public void release() {
            Objects.requireNonNull(in).release();
            Objects.requireNonNull(out).release();
        }

        Http2Headers decode() throws Exception {
            return decoder.decodeHeaders(3, Objects.requireNonNull(in).readerIndex(0));
        }

        int encode() throws Exception {
            ByteBuf to = Objects.requireNonNull(out).clear();
            encoder.encodeHeaders(3, Objects.requireNonNull(headers), to);
            return to.readableBytes();
        }
    }

    @Benchmark
    public Headers weftDecode(Weft weft, Blackhole hole) {
        Headers headers = weft.decode();
        hole.consume(weft.pseudos);
        return headers;
    }

    @Benchmark
    public Http2Headers nettyDecode(Netty netty) throws Exception {
        return netty.decode();
    }

    @Benchmark
    public int weftEncode(Weft weft) {
        return weft.encode();
    }

    @Benchmark
    public int nettyEncode(Netty netty) throws Exception {
        return netty.encode();
    }
}
