package io.weft.http.websocket;

import io.weft.buffer.Buffer;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Output;
import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.FrameEncoder;
import io.weft.codec.websocket.MessageDeflater;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.loop.Promise;
import org.jspecify.annotations.Nullable;

/// The sending side of a connection: frames that are encoded, and wait for a flush.
final class FrameOutput {
    /// As much is gathered at most, which counts in the channel's writability.
    private static final int ENOUGH = 8 << 10;

    private final FrameEncoder encoder;
    private final @Nullable MessageDeflater deflater;
    private final Output output = new Output();

    FrameOutput(Role role, WebSocketSettings settings, @Nullable DeflateParameters deflate) {
        encoder = new FrameEncoder(role, settings.maxFrame());
        deflater =
                deflate == null
                        ? null
                        : new MessageDeflater(role, deflate, -1, settings.minCompressed());
    }

    /// Encodes a frame, which becomes this one's. If that fails, nothing of it is sent.
    void write(ChannelHandlerContext ctx, WebSocketFrame frame, @Nullable Promise<Void> promise) {
        Output.Mark mark = output.mark();
        boolean done = false;
        try {
            if (deflater == null) {
                encoder.encode(frame, output);
            } else {
                deflater.encode(frame, f -> encoder.encode(f, output));
            }
            done = true;
        } finally {
            if (!done) {
                output.rollback(mark);
            }
        }
        if (promise != null || output.size() > ENOUGH) {
            drain(ctx, promise);
        } else {
            ctx.holds(output.size());
        }
    }

    /// Writes what was gathered to the handlers before.
    void drain(ChannelHandlerContext ctx, @Nullable Promise<Void> promise) {
        ctx.holds(0);
        Buffer next = output.next();
        while (next != null) {
            Buffer following = output.next();
            ctx.write(next, following == null ? promise : null);
            next = following;
        }
    }

    void release() {
        output.close();
        if (deflater != null) {
            deflater.close();
        }
    }
}
