package io.weft.bench.http;

import static java.nio.charset.StandardCharsets.US_ASCII;

import io.netty.buffer.Unpooled;
import io.netty.handler.codec.http.DefaultHttpContent;
import io.netty.handler.codec.http.DefaultHttpRequest;
import io.netty.handler.codec.http.HttpHeaderNames;
import io.netty.handler.codec.http.HttpMethod;
import io.netty.handler.codec.http.HttpRequest;
import io.netty.handler.codec.http.HttpVersion;
import io.netty.handler.codec.http.LastHttpContent;
import io.netty.handler.codec.http.multipart.DefaultHttpDataFactory;
import io.netty.handler.codec.http.multipart.HttpData;
import io.netty.handler.codec.http.multipart.HttpPostMultipartRequestDecoder;
import io.netty.handler.codec.http.multipart.InterfaceHttpData;
import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.http.forms.FormDecoder;
import io.weft.http.forms.FormEvent;
import io.weft.http.forms.FormLimits;
import java.io.IOException;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Param;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.Setup;
import org.openjdk.jmh.annotations.State;

/// A form of three fields and a file decoded in pieces of 8 KiB, as it arrives, its content counted
/// and dropped. Netty's decoder hands out whole parts only, which it keeps in memory here.
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.MILLISECONDS)
@State(Scope.Thread)
public class MultipartBenchmark {
    private static final int PIECE = 8 << 10;
    private static final String BOUNDARY = "----WebKitFormBoundaryQx7T0dBq2JkZp1yN";
    private static final String TYPE = "multipart/form-data; boundary=" + BOUNDARY;
    private static final FormLimits LIMITS = FormLimits.DEFAULT;

    /// Content of the file.
    public enum File {
        /// Bytes without a CR.
        PLAIN,
        /// Nothing but line ends, of which each may be that before a boundary.
        LINES
    }

    /// Bytes of the file.
    @Param({"256", "65536", "1048576"})
    int length = 65_536;

    @Param File file = File.PLAIN;

    private byte[][] pieces = {};
    private int expected;
    private int counted;

    @Setup
    public void make() {
        StringBuilder form = new StringBuilder();
        for (String name : new String[] {"title", "author", "tags"}) {
            form.append("--").append(BOUNDARY).append("\r\n");
            form.append("Content-Disposition: form-data; name=\"").append(name).append('"');
            form.append("\r\n\r\nsome text\r\n");
        }
        form.append("--").append(BOUNDARY).append("\r\n");
        form.append("Content-Disposition: form-data; name=\"file\"; filename=\"a.bin\"\r\n");
        form.append("Content-Type: application/octet-stream\r\n\r\n");
        form.append((file == File.PLAIN ? "ab" : "\r\n").repeat(length / 2));
        form.append("\r\n--").append(BOUNDARY).append("--\r\n");
        byte[] all = form.toString().getBytes(US_ASCII);
        pieces = new byte[(all.length + PIECE - 1) / PIECE][];
        for (int i = 0; i < pieces.length; i++) {
            int from = i * PIECE;
            int size = Math.min(PIECE, all.length - from);
            pieces[i] = new byte[size];
            System.arraycopy(all, from, pieces[i], 0, size);
        }
        expected = length + 3 * "some text".length();
    }

    private int check(int bytes) {
        if (bytes != expected) {
            throw new IllegalStateException("bytes: " + bytes + " (expected: " + expected + ")");
        }
        return bytes;
    }

    private void count(FormEvent event) {
        if (event instanceof FormEvent.PartData data) {
            counted += data.bytes().readableBytes();
            data.bytes().release();
        }
    }

    @Benchmark
    public int weftDecode() {
        counted = 0;
        Buffer left = BufferAllocator.pooled().allocate(PIECE);
        try (FormDecoder decoder = FormDecoder.of(TYPE, LIMITS)) {
            for (byte[] piece : pieces) {
                left.ensureWritable(piece.length);
                left.writeBytes(piece);
                decoder.decode(left, this::count);
                if (!left.isReadable()) {
                    left.release();
                    left = BufferAllocator.pooled().allocate(PIECE);
                }
            }
            decoder.end(this::count);
        } finally {
            left.release();
        }
        return check(counted);
    }

    @Benchmark
    public int nettyDecode() throws IOException {
        HttpRequest head = new DefaultHttpRequest(HttpVersion.HTTP_1_1, HttpMethod.POST, "/");
        head.headers().set(HttpHeaderNames.CONTENT_TYPE, TYPE);
        HttpPostMultipartRequestDecoder decoder =
                new HttpPostMultipartRequestDecoder(new DefaultHttpDataFactory(false), head);
        try {
            for (byte[] piece : pieces) {
                DefaultHttpContent content =
                        new DefaultHttpContent(
                                Unpooled.directBuffer(piece.length).writeBytes(piece));
                decoder.offer(content);
                content.release();
            }
            decoder.offer(LastHttpContent.EMPTY_LAST_CONTENT);
            int bytes = 0;
            for (InterfaceHttpData data : decoder.getBodyHttpDatas()) {
                bytes += (int) ((HttpData) data).length();
            }
            return check(bytes);
        } finally {
            decoder.destroy();
        }
    }
}
