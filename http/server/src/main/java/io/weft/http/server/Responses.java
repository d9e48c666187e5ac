package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import org.jspecify.annotations.Nullable;

/// Gathers the responses to all requests of one read, so that a batch of pipelined requests is
/// answered by one write.
final class Responses {
    private static final int FIRST = 512;
    private static final int MAX_KEPT = 16 << 10;

    /// Bytes from which gathered responses are written at once; fewer wait for the end of the read.
    private static final int FULL = 32 << 10;

    private final ChannelHandlerContext ctx;
    private @Nullable Buffer out;

    /// As large as the last batch was, so that the same batch again never grows.
    private int expected = FIRST;

    Responses(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    /// Returns the buffer for the next response; it stays this object's.
    Buffer out() {
        Buffer buffer = out;
        if (buffer == null) {
            buffer = ctx.channel().allocator().allocate(expected);
            out = buffer;
        }
        return buffer;
    }

    boolean isFull() {
        return out != null && out.readableBytes() >= FULL;
    }

    /// Writes what was gathered, without a flush.
    ///
    /// @return whether there was anything
    boolean write() {
        Buffer buffer = out;
        if (buffer == null) {
            return false;
        }
        out = null;
        expected = Math.clamp(buffer.readableBytes(), FIRST, MAX_KEPT);
        ctx.write(buffer);
        return true;
    }

    void release() {
        if (out != null) {
            out.release();
            out = null;
        }
    }
}
