package io.weft.codec.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.MessageDecoder;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Control;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Text;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Joins the frames of each message to one, up to [WebSocketLimits#messageBytes]. A message of one
/// frame is not copied. Control frames pass.
public final class FrameJoiner implements MessageDecoder<WebSocketFrame, WebSocketFrame> {
    private final long maxBytes;
    private @Nullable Buffer joined;
    private boolean text;

    /// True if `joined` was copied together here, so that more may be appended.
    private boolean own;

    public FrameJoiner(WebSocketLimits limits) {
        maxBytes = Math.min(limits.messageBytes(), BufferAllocator.MAX_CAPACITY);
    }

    @Override
    public void decode(WebSocketFrame in, Consumer<? super WebSocketFrame> out) {
        switch (in) {
            case Control control -> out.accept(control);
            case Data data -> join(data, out);
        }
    }

    /// Tells if a message has begun that is not whole.
    public boolean isWithinMessage() {
        return joined != null;
    }

    private void join(Data data, Consumer<? super WebSocketFrame> out) {
        if (!(data instanceof Continuation)) {
            text = data instanceof Text;
        }
        append(data);
        if (data.fin()) {
            Buffer all = joined;
            joined = null;
            if (all != null) {
                out.accept(text ? new Text(all, true, 0) : new Binary(all, true, 0));
            }
        }
    }

    private void append(Data data) {
        Buffer more = data.payload();
        Buffer before = joined;
        if (before == null) {
            checked(data, more.readableBytes());
            joined = more;
            own = false;
            return;
        }
        boolean done = false;
        try (more) {
            int length = checked(data, (long) before.readableBytes() + more.readableBytes());
            if (!own) {
                Buffer copy = BufferAllocator.pooled().allocate(length);
                copy.writeBytes(before);
                before.release();
                joined = copy;
                own = true;
                before = copy;
            }
            // Growing doubles, so that many small frames are copied a constant number of times.
            before.writeBytes(more);
            done = true;
        } finally {
            if (!done) {
                close();
            }
        }
    }

    private int checked(Data data, long length) {
        if (length > maxBytes) {
            if (joined == null) {
                data.close();
            }
            throw WebSocketException.tooBig("message", length, maxBytes);
        }
        return (int) length;
    }

    @Override
    public void close() {
        if (joined != null) {
            joined.release();
            joined = null;
        }
    }
}
