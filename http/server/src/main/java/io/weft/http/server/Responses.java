package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Gathers the responses to all requests of one read, so that a batch of pipelined requests is
/// answered by one write.
final class Responses {
    private static final int FIRST = 512;
    private static final int MAX_KEPT = 16 << 10;

    /// Bytes from which gathered responses are written at once; fewer wait for the end of the read.
    private static final int FULL = 32 << 10;

    private @Nullable ChannelHandlerContext ctx;
    private @Nullable Buffer out;

    /// As large as the last batch was, so that the same batch again never grows.
    private int expected = FIRST;

    /// Of a connection that has these to itself.
    Responses(ChannelHandlerContext ctx) {
        this.ctx = ctx;
    }

    /// Of one connection after the other, each of which [#attach]es itself.
    Responses() {}

    /// Writes by way of `context` from now on; null when it is no connection's. Not while responses
    /// are gathered.
    void attach(@Nullable ChannelHandlerContext context) {
        ctx = context;
    }

    private ChannelHandlerContext context() {
        return Objects.requireNonNull(ctx, "of no connection");
    }

    /// Returns the buffer for the next response; it stays this object's.
    Buffer out() {
        Buffer buffer = out;
        if (buffer == null) {
            buffer = context().channel().allocator().allocate(expected);
            out = buffer;
        }
        return buffer;
    }

    boolean isEmpty() {
        return out == null;
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
        if (!buffer.isReadable()) {
            buffer.release();
            return false;
        }
        expected = Math.clamp(buffer.readableBytes(), FIRST, MAX_KEPT);
        context().write(buffer);
        return true;
    }

    void release() {
        if (out != null) {
            out.release();
            out = null;
        }
    }
}
