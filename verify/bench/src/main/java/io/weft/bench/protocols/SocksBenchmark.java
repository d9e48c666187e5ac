package io.weft.bench.protocols;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.socksx.v5.DefaultSocks5CommandResponse;
import io.netty.handler.codec.socksx.v5.DefaultSocks5InitialResponse;
import io.netty.handler.codec.socksx.v5.Socks5AddressType;
import io.netty.handler.codec.socksx.v5.Socks5AuthMethod;
import io.netty.handler.codec.socksx.v5.Socks5CommandRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5CommandStatus;
import io.netty.handler.codec.socksx.v5.Socks5InitialRequestDecoder;
import io.netty.handler.codec.socksx.v5.Socks5ServerEncoder;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Output;
import io.weft.codec.socks.Socks5Greeting;
import io.weft.codec.socks.Socks5Method;
import io.weft.codec.socks.Socks5MethodChoice;
import io.weft.codec.socks.Socks5Reply;
import io.weft.codec.socks.Socks5Status;
import io.weft.codec.socks.SocksAddress;
import io.weft.codec.socks.SocksClientMessage;
import io.weft.codec.socks.SocksEncoder;
import io.weft.codec.socks.SocksServerDecoder;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// The server's side of a handshake of SOCKS 5: a greeting and a request decoded by decoders of
/// their own, as each connection has them; or their answers encoded. Netty's codecs work in a
/// channel in memory, to which its two decoders are added each time.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class SocksBenchmark {
    /// Addresses to connect to.
    @SuppressWarnings("ImmutableEnumChecker") // nobody writes to them
    public enum Destination {
        IPV4("\1\1\2\3\4\0\120", "192.0.2.1", Socks5AddressType.IPv4),
        NAME("\3\13example.org\1\273", "example.org", Socks5AddressType.DOMAIN);

        private final byte[] request;
        private final String host;
        private final Socks5AddressType type;

        Destination(String address, String host, Socks5AddressType type) {
            request = ("\5\1\0" + address).getBytes(ISO_8859_1);
            this.host = host;
            this.type = type;
        }
    }

    private static final byte[] GREETING = {5, 1, 0};

    @Param Destination destination = Destination.IPV4;

    private final SocksEncoder encoder = new SocksEncoder();
    private final EmbeddedChannel nettyIn = new EmbeddedChannel();
    private final EmbeddedChannel nettyOut = new EmbeddedChannel(Socks5ServerEncoder.DEFAULT);
    private int messages;

    @TearDown
    public void release() {
        nettyIn.finishAndReleaseAll();
        nettyOut.finishAndReleaseAll();
    }

    private static Buffer weftInput(byte[] bytes) {
        return BufferAllocator.pooled().allocate(bytes.length).writeBytes(bytes);
    }

    @Benchmark
    public int weftDecode() {
        try (Buffer greeting = weftInput(GREETING);
                Buffer request = weftInput(destination.request);
                SocksServerDecoder decoder = new SocksServerDecoder()) {
            decoder.decode(greeting, message -> decoded(decoder, message));
            decoder.decode(request, message -> decoded(decoder, message));
        }
        return messages;
    }

    private void decoded(SocksServerDecoder decoder, SocksClientMessage message) {
        messages++;
        if (message instanceof Socks5Greeting) {
            decoder.method(Socks5Method.NO_AUTHENTICATION);
        }
    }

    @Benchmark
    public int nettyDecode() {
        var first = new Socks5InitialRequestDecoder();
        nettyIn.pipeline().addLast(first);
        nettyIn.writeInbound(nettyInput(GREETING));
        count();
        nettyIn.pipeline().remove(first);
        var second = new Socks5CommandRequestDecoder();
        nettyIn.pipeline().addLast(second);
        nettyIn.writeInbound(nettyInput(destination.request));
        count();
        nettyIn.pipeline().remove(second);
        return messages;
    }

    private static ByteBuf nettyInput(byte[] bytes) {
        return ByteBufAllocator.DEFAULT.directBuffer(bytes.length).writeBytes(bytes);
    }

    private void count() {
        if (nettyIn.readInbound() == null) {
            throw new IllegalStateException("messages: 0 (expected: 1)");
        }
        messages++;
    }

    @Benchmark
    public long weftEncode() {
        try (Output out = new Output()) {
            encoder.encode(new Socks5MethodChoice(Socks5Method.NO_AUTHENTICATION), out);
            encoder.encode(
                    new Socks5Reply(
                            Socks5Status.SUCCEEDED, SocksAddress.of(destination.host, 1080)),
                    out);
            return out.size();
        }
    }

    @Benchmark
    public long nettyEncode() {
        nettyOut.writeOutbound(
                new DefaultSocks5InitialResponse(Socks5AuthMethod.NO_AUTH),
                new DefaultSocks5CommandResponse(
                        Socks5CommandStatus.SUCCESS, destination.type, destination.host, 1080));
        long size = 0;
        for (ByteBuf part; (part = nettyOut.readOutbound()) != null; ) {
            size += part.readableBytes();
            part.release();
        }
        return size;
    }
}
