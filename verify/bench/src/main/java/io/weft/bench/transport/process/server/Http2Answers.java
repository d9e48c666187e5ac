package io.weft.bench.transport.process.server;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The answers of a server of [Server.Service#HTTP2], the same of both libraries, by path.
public final class Http2Answers {
    /// 13 bytes of text.
    public static final String SMALL = "/small";

    /// 64 KiB.
    public static final String LARGE = "/large";

    /// To a message, one of [#MESSAGE] bytes and trailers, as of gRPC's unary calls.
    public static final String UNARY = "/unary";

    /// To a message, [#MESSAGES] of [#STREAMED_MESSAGE] bytes, one frame each, and trailers, as of
    /// gRPC's server-side streams.
    public static final String STREAM = "/stream";

    public static final int MESSAGE = 128;
    public static final int STREAMED_MESSAGE = 1024;
    public static final int MESSAGES = 16;

    private Http2Answers() {}

    public static byte[] text() {
        return "Hello, World!".getBytes(StandardCharsets.US_ASCII);
    }

    public static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 'x');
        return bytes;
    }
}
