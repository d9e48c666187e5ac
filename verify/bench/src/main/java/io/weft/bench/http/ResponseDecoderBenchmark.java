package io.weft.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpResponseDecoder;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http1.ResponseDecoder;
import io.weft.http.http1.ResponsePart;
import io.weft.http.model.Method;
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

/// Sixteen responses decoded, no two of which are the same. Netty's decoder works in a pipeline.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class ResponseDecoderBenchmark {
    /// Responses of one kind.
    public enum Kind {
        /// A short text.
        SIMPLE,
        /// A page as servers send it.
        PAGE,
        /// A body of two chunks.
        CHUNKED;

        private String response(int index) {
            String line = "HTTP/1.1 200 OK\r\n";
            String date = "Date: Mon, 23 Nov 2026 06:00:" + (10 + index) + " GMT\r\n";
            return switch (this) {
                case SIMPLE -> line + date + "Content-Length: 5\r\n\r\nhello";
                case PAGE ->
                        line
                                + date
                                + "Server: example\r\n"
                                + "Content-Type: text/html; charset=utf-8\r\n"
                                + "Content-Length: 1024\r\n"
                                + "Cache-Control: no-cache\r\n"
                                + "ETag: \"33a64df551425fcc55e4d42a148795d9f25f89d4\"\r\n"
                                + "Vary: Accept-Encoding\r\n"
                                + "Strict-Transport-Security: max-age=31536000\r\n"
                                + "X-Content-Type-Options: nosniff\r\n\r\n"
                                + "x".repeat(1024);
                case CHUNKED -> line + date + "Transfer-Encoding: chunked\r\n\r\n" + CHUNKS;
            };
        }
    }

    private static final String CHUNKS = "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
    private static final int RESPONSES = 16;

    @Param Kind kind = Kind.PAGE;

    private final byte[][] pieces = new byte[RESPONSES][];
    private final ResponseDecoder decoder = new ResponseDecoder();
    private final EmbeddedChannel netty = new EmbeddedChannel(new HttpResponseDecoder());
    private int parts;

    @Setup
    public void make() {
        for (int i = 0; i < RESPONSES; i++) {
            pieces[i] = kind.response(i).getBytes(US_ASCII);
        }
    }

    @TearDown
    public void release() {
        netty.finishAndReleaseAll();
    }

    private void take(ResponsePart part) {
        parts++;
        if (part instanceof ResponsePart.BodyPart body) {
            body.data().release();
        }
    }

    @Benchmark
    public int weftDecode() {
        for (byte[] piece : pieces) {
            decoder.expect(Method.GET, false);
            try (Buffer in = BufferAllocator.pooled().allocate(1 << 11).writeBytes(piece)) {
                decoder.decode(in, this::take);
            }
        }
        return parts;
    }

    @Benchmark
    public int nettyDecode() {
        for (byte[] piece : pieces) {
            ByteBuf in = ByteBufAllocator.DEFAULT.directBuffer(1 << 11);
            netty.writeInbound(in.writeBytes(piece));
            for (Object part; (part = netty.readInbound()) != null; ) {
                ReferenceCountUtil.release(part);
                parts++;
            }
        }
        return parts;
    }
}
