package io.weft.bench.protocols;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.haproxy.HAProxyCommand;
import io.netty.handler.codec.haproxy.HAProxyMessage;
import io.netty.handler.codec.haproxy.HAProxyMessageDecoder;
import io.netty.handler.codec.haproxy.HAProxyMessageEncoder;
import io.netty.handler.codec.haproxy.HAProxyProtocolVersion;
import io.netty.handler.codec.haproxy.HAProxyProxiedProtocol;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.haproxy.HaproxyDecoder;
import io.weft.codec.haproxy.HaproxyEncoder;
import io.weft.codec.haproxy.ProxyAddress;
import io.weft.codec.haproxy.ProxyHeader;
import io.weft.codec.haproxy.ProxyTlv;
import java.net.InetSocketAddress;
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

/// A header of the PROXY protocol, decoded by a decoder of its own, as each connection has one, or
/// encoded. Netty's codec works in a channel in memory, to which its decoder is added each time.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class HaproxyBenchmark {
    /// Kinds of headers.
    public enum Header {
        /// A line of version 1.
        LINE,
        /// Version 2 with addresses alone.
        BINARY,
        /// Version 2 with IPv6, ALPN, the name of a host and an identifier.
        TLVS;

        private ProxyHeader header() {
            return switch (this) {
                case LINE -> ProxyHeader.v1(of("192.0.2.1", 56_324), of("198.51.100.2", 443));
                case BINARY -> ProxyHeader.v2(of("192.0.2.1", 56_324), of("198.51.100.2", 443));
                case TLVS ->
                        ProxyHeader.v2(
                                of("2001:db8::1", 56_324),
                                of("2001:db8::2", 443),
                                new ProxyTlv.Alpn("h2"),
                                new ProxyTlv.Authority("www.example.org"),
                                new ProxyTlv.UniqueId(new byte[16]));
            };
        }

        private static ProxyAddress of(String address, int port) {
            return ProxyAddress.of(new InetSocketAddress(address, port));
        }
    }

    @Param Header header = Header.LINE;

    private byte[] bytes = {};
    private ProxyHeader weft = ProxyHeader.unknown();
    private final HaproxyEncoder encoder = new HaproxyEncoder();
    private final EmbeddedChannel nettyIn = new EmbeddedChannel();
    private final EmbeddedChannel nettyOut = new EmbeddedChannel(HAProxyMessageEncoder.INSTANCE);
    private HAProxyMessage netty = nettyHeader();
    private int headers;

    @Setup
    public void make() {
        weft = header.header();
        try (Output out = new Output()) {
            encoder.encode(weft, out);
            bytes = new byte[(int) out.size()];
            Buffer only = out.next();
            if (only != null) {
                only.readBytes(bytes).release();
            }
        }
        netty.release();
        netty = decoded();
    }

    private static HAProxyMessage nettyHeader() {
        return new HAProxyMessage(
                HAProxyProtocolVersion.V1,
                HAProxyCommand.PROXY,
                HAProxyProxiedProtocol.UNKNOWN,
                null,
                null,
                0,
                0);
    }

    private HAProxyMessage decoded() {
        nettyIn.pipeline().addLast(new HAProxyMessageDecoder());
        nettyIn.writeInbound(ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes));
        HAProxyMessage message = nettyIn.readInbound();
        if (message == null) {
            throw new IllegalStateException("message: none (expected: one of " + header + ")");
        }
        return message;
    }

    @TearDown
    public void release() {
        netty.release();
        nettyIn.finishAndReleaseAll();
        nettyOut.finishAndReleaseAll();
    }

    @Benchmark
    public int weftDecode() {
        try (Buffer in = BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
                HaproxyDecoder decoder = new HaproxyDecoder()) {
            decoder.decode(in, _ -> headers++);
        }
        return headers;
    }

    @Benchmark
    public int nettyDecode() {
        ReferenceCountUtil.release(decoded());
        return ++headers;
    }

    @Benchmark
    public long weftEncode() {
        try (Output out = new Output()) {
            encoder.encode(weft, out);
            return out.size();
        }
    }

    @Benchmark
    public long nettyEncode() {
        nettyOut.writeOutbound(netty.retain());
        long size = 0;
        for (ByteBuf part; (part = nettyOut.readOutbound()) != null; ) {
            size += part.readableBytes();
            part.release();
        }
        return size;
    }
}
