package io.weft.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.Unpooled;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.DefaultFullHttpResponse;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpResponseEncoder;
import io.netty.handler.codec.http.HttpResponseStatus;
import io.netty.handler.codec.http.HttpVersion;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http1.ResponseEncoder;
import io.weft.http.model.Method;
import io.weft.http.model.Response;
import io.weft.http.model.Version;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.TearDown;

/// A response of five bytes encoded, the same each time or made anew. Netty's encoder works in a
/// pipeline and needs a new response each time.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class ResponseEncoderBenchmark {
    private static final byte[] HELLO = "hello".getBytes(US_ASCII);

    private final EmbeddedChannel netty = new EmbeddedChannel(new HttpResponseEncoder());
    private final ResponseEncoder encoder = new ResponseEncoder();
    private final Response response = Response.text("hello");

    @TearDown
    public void release() {
        netty.finishAndReleaseAll();
    }

    private int encode(Response hello) {
        try (Buffer out = BufferAllocator.pooled().allocate(256)) {
            var _ = encoder.head(hello, Method.GET, Version.HTTP_1_1, false, out);
            return out.readableBytes();
        }
    }

    @Benchmark
    public int weftEncodeTheSame() {
        return encode(response);
    }

    @Benchmark
    public int weftEncode() {
        return encode(Response.text("hello"));
    }

    @Benchmark
    public int nettyEncode() {
        DefaultFullHttpResponse hello =
                new DefaultFullHttpResponse(
                        HttpVersion.HTTP_1_1, HttpResponseStatus.OK, Unpooled.wrappedBuffer(HELLO));
        hello.headers()
                .add(HttpHeaderNames.CONTENT_TYPE, "text/plain; charset=utf-8")
                .add(HttpHeaderNames.CONTENT_LENGTH, "5");
        netty.writeOutbound(hello);
        int size = 0;
        for (ByteBuf part; (part = netty.readOutbound()) != null; ) {
            size += part.readableBytes();
            part.release();
        }
        return size;
    }
}
