package io.weft.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.ByteBuf;
import io.netty.buffer.ByteBufAllocator;
import io.netty.channel.embedded.EmbeddedChannel;
import io.netty.handler.codec.http.HttpRequestDecoder;
import io.netty.util.ReferenceCountUtil;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.http1.RequestDecoder;
import io.weft.http.http1.RequestPart;
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

/// Sixteen requests decoded, whose targets and cookies differ, so that no head is the same as the
/// one before. Netty's decoder works in a pipeline.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class RequestDecoderBenchmark {
    /// Requests of one kind.
    public enum Kind {
        /// A request line and Host.
        SIMPLE,
        /// As a browser sends them.
        BROWSER,
        /// As many browsers send them, by way of a proxy: they share Host alone.
        BROWSERS,
        /// With a body of two chunks.
        CHUNKED,
        /// With a body of 1 KiB.
        UPLOAD;

        private String request(int index) {
            String line = " /a/" + index + " HTTP/1.1\r\n";
            String host = "Host: server.example\r\n";
            String accept = "Accept: text/html,application/xhtml+xml,*/*;q=0.8\r\n";
            String coding = "Accept-Encoding: gzip, deflate, br, zstd\r\n";
            String language = "Accept-Language: en-GB,en;q=0.5\r\n";
            String agent =
                    "User-Agent: Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Firefox/140.0\r\n";
            String cookie = "Cookie: session=0123456789abcde" + index + "\r\n";
            String other = agent.replace("rv:1", "rv:" + index);
            return switch (this) {
                case SIMPLE -> "GET" + line + host + "\r\n";
                case BROWSER ->
                        "GET" + line + host + agent + accept + coding + language + cookie + "\r\n";
                case BROWSERS ->
                        "GET" + line + host + other + accept + coding + language + cookie + "\r\n";
                case CHUNKED ->
                        "POST" + line + host + "Transfer-Encoding: chunked\r\n\r\n" + CHUNKS;
                case UPLOAD ->
                        "POST" + line + host + "Content-Length: 1024\r\n\r\n" + "x".repeat(1024);
            };
        }
    }

    /// Order in which the bytes come.
    public enum Cut {
        /// Sixteen requests at once.
        PIPELINED,
        /// Each by itself.
        WHOLE,
        /// Each in three parts.
        FRAGMENTED
    }

    private static final String CHUNKS = "5\r\nhello\r\n6\r\n world\r\n0\r\n\r\n";
    private static final int REQUESTS = 16;

    @Param Kind kind = Kind.BROWSER;
    @Param Cut cut = Cut.WHOLE;

    private byte[][] pieces = {};
    private final RequestDecoder decoder = new RequestDecoder();
    private Buffer left = BufferAllocator.pooled().allocate(1 << 16);
    private final EmbeddedChannel netty = new EmbeddedChannel(new HttpRequestDecoder());
    private int parts;

    @Setup
    public void make() {
        int each =
                switch (cut) {
                    case PIPELINED, WHOLE -> 1;
                    case FRAGMENTED -> 3;
                };
        StringBuilder all = new StringBuilder();
        byte[][] made = new byte[cut == Cut.PIPELINED ? 1 : REQUESTS * each][];
        for (int i = 0; i < REQUESTS; i++) {
            String request = kind.request(i);
            all.append(request);
            for (int j = 0; cut != Cut.PIPELINED && j < each; j++) {
                int from = request.length() * j / each;
                int to = request.length() * (j + 1) / each;
                made[i * each + j] = request.substring(from, to).getBytes(US_ASCII);
            }
        }
        if (cut == Cut.PIPELINED) {
            made[0] = all.toString().getBytes(US_ASCII);
        }
        pieces = made;
    }

    @TearDown
    public void release() {
        left.release();
        netty.finishAndReleaseAll();
    }

    private void take(RequestPart part) {
        parts++;
        if (part instanceof RequestPart.BodyPart body) {
            body.data().release();
        }
    }

    @Benchmark
    public int weftDecode() {
        for (byte[] piece : pieces) {
            left.ensureWritable(piece.length);
            left.writeBytes(piece);
            decoder.decode(left, this::take);
            if (!left.isReadable()) {
                left.release();
                left = BufferAllocator.pooled().allocate(1 << 11);
            }
        }
        return parts;
    }

    @Benchmark
    public int nettyDecode() {
        for (byte[] piece : pieces) {
            ByteBuf in = ByteBufAllocator.DEFAULT.directBuffer(Math.max(piece.length, 1 << 11));
            netty.writeInbound(in.writeBytes(piece));
            for (Object part; (part = netty.readInbound()) != null; ) {
                ReferenceCountUtil.release(part);
                parts++;
            }
        }
        return parts;
    }
}
