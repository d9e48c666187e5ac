package io.weft.bench.dns;

import io.netty.buffer.ByteBufAllocator;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.dns.DnsDecoder;
import io.weft.codec.dns.DnsEncoder;
import io.weft.codec.dns.DnsMessage;
import java.io.IOException;
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
import org.xbill.DNS.Message;

/// One message, from a fresh buffer and into one; dnsjava's from an array and into one. Weft's and
/// dnsjava's records are typed, Netty's are octets for the most part. What Netty encodes is longer:
/// it compresses no names but the root.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MICROSECONDS)
public class DnsMessageBenchmark {
    @State(Scope.Thread)
    public static class Wire {
        @Param Kind kind = Kind.QUERY;

        private byte[] bytes = {};

        @Setup
        public void make() {
            try (Output out = new Output()) {
                DnsEncoder.datagrams(1232).encode(kind.message(), out);
                bytes = new byte[(int) out.size()];
                Buffer buffer = Objects.requireNonNull(out.next());
                buffer.readBytes(bytes).release();
            }
        }

        boolean isQuery() {
            return kind == Kind.QUERY;
        }
    }

    @State(Scope.Thread)
    public static class Weft {
        private final DnsDecoder decoder = DnsDecoder.datagrams();
        private final DnsEncoder encoder = DnsEncoder.datagrams(1232);
        private @Nullable DnsMessage message;

        @Setup
        public void make(Wire wire) {
            message = wire.kind.message();
        }

        DnsMessage decode(byte[] bytes) {
            try (Buffer in = BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes)) {
                return decoder.message(in);
            }
        }

        int encode() {
            try (Output out = new Output()) {
                encoder.encode(Objects.requireNonNull(message), out);
                return (int) out.size();
            }
        }
    }

    @State(Scope.Thread)
    public static class Netty {
        private final NettyDns codec = new NettyDns();
        private @Nullable Object message;

        @Setup
        public void make(Wire wire) throws Exception {
            message = decode(wire);
        }

        Object decode(Wire wire) throws Exception {
            return codec.decode(
                    ByteBufAllocator.DEFAULT.directBuffer(wire.bytes.length).writeBytes(wire.bytes),
                    wire.isQuery());
        }
    }

    @Benchmark
    public DnsMessage weftDecode(Weft weft, Wire wire) {
        return weft.decode(wire.bytes);
    }

    @Benchmark
    public boolean nettyDecode(Netty netty, Wire wire) throws Exception {
        return ReferenceCountUtil.release(netty.decode(wire));
    }

    @Benchmark
    public int weftEncode(Weft weft) {
        return weft.encode();
    }

    @Benchmark
    public int nettyEncode(Netty netty, Wire wire) throws Exception {
        return netty.codec.encode(Objects.requireNonNull(netty.message), wire.isQuery());
    }

    @State(Scope.Thread)
    public static class Dnsjava {
        private @Nullable Message message;

        @Setup
        public void make(Wire wire) throws IOException {
            message = new Message(wire.bytes);
        }
    }

    @Benchmark
    public Message dnsjavaDecode(Wire wire) throws IOException {
        return new Message(wire.bytes);
    }

    @Benchmark
    public byte[] dnsjavaEncode(Dnsjava dnsjava) {
        return Objects.requireNonNull(dnsjava.message).toWire();
    }
}
