package io.weft.bench.transport.process;

import java.nio.charset.StandardCharsets;
import java.util.Arrays;

/// The answers of a server of [Server.Service#HTTP2], the same of both libraries, by path.
final class Http2Answers {
    /// 13 bytes of text.
    static final String SMALL = "/small";

    /// 64 KiB.
    static final String LARGE = "/large";

    /// To a message, one of [#MESSAGE] bytes and trailers, as of gRPC's unary calls.
    static final String UNARY = "/unary";

    /// To a message, [#MESSAGES] of [#STREAMED_MESSAGE] bytes, one frame each, and trailers, as of
    /// gRPC's server-side streams.
    static final String STREAM = "/stream";

    static final int MESSAGE = 128;
    static final int STREAMED_MESSAGE = 1024;
    static final int MESSAGES = 16;

    private Http2Answers() {}

    static byte[] text() {
        return "Hello, World!".getBytes(StandardCharsets.US_ASCII);
    }

    static byte[] bytes(int count) {
        byte[] bytes = new byte[count];
        Arrays.fill(bytes, (byte) 'x');
        return bytes;
    }
}
