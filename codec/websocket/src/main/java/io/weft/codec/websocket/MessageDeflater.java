package io.weft.codec.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.MessageEncoder;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Control;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Text;
import java.util.function.Consumer;

/// Compresses messages (RFC 7692, 7.2.1). Stands before a [FrameEncoder].
///
/// Short messages stay as they are, and so do messages that have reserved bits already. A message
/// in several frames is compressed frame by frame, each of which the other end can expand at once.
///
/// When memory cannot be had, nothing is handed on. Then, and when the consumer of a frame throws,
/// that frame counts as not sent: compression goes on without context.
public final class MessageDeflater implements MessageEncoder<WebSocketFrame, WebSocketFrame> {
    /// Messages below this many bytes gain nothing, unless said otherwise.
    public static final int DEFAULT_MIN_BYTES = 64;

    /// An empty block without the end that is not sent (RFC 7692, 7.2.3.6).
    private static final int EMPTY = 0;

    private static final int TAIL = 0x0000FFFF;

    private final DeflateWindow window;
    private final boolean noContextTakeover;
    private final int minBytes;

    /// The message that is being written is compressed.
    private boolean compressed;

    /// @param role of this end
    /// @param level 0 (none) to 9 (best), or -1
    /// @param minBytes messages in one frame that have fewer are not compressed
    public MessageDeflater(Role role, DeflateParameters agreed, int level, int minBytes) {
        window = new DeflateWindow(agreed.windowBits(role), level);
        noContextTakeover = agreed.noContextTakeover(role);
        this.minBytes = minBytes;
    }

    @Override
    public void encode(WebSocketFrame message, Consumer<? super WebSocketFrame> out) {
        switch (message) {
            case Control control -> out.accept(control);
            case Data data -> encode(data, out);
        }
    }

    private void encode(Data data, Consumer<? super WebSocketFrame> out) {
        boolean before = compressed;
        boolean done = false;
        try {
            boolean first = !(data instanceof Continuation);
            if (first) {
                boolean small = data.fin() && data.payload().readableBytes() < minBytes;
                compressed = data.reserved() == 0 && !small;
            }
            out.accept(compressed ? deflate(data, first) : data);
            done = true;
        } finally {
            if (!done) {
                if (compressed) {
                    // The other end never sees what was compressed last: nothing may refer to it.
                    window.forget();
                }
                compressed = before;
            }
        }
    }

    private Data deflate(Data data, boolean first) {
        Buffer payload = deflate(data);
        if (data.fin() && noContextTakeover) {
            window.forget();
        }
        int bits = first ? WebSocketFrame.RSV1 : 0;
        return switch (data) {
            case Text _ -> new Text(payload, data.fin(), bits);
            case Binary _ -> new Binary(payload, data.fin(), bits);
            case Continuation _ -> new Continuation(payload, data.fin(), bits);
        };
    }

    private Buffer deflate(Data data) {
        Buffer to = null;
        boolean done = false;
        try (Buffer from = data.payload()) {
            int room = Math.max(64, from.readableBytes() / 2);
            to = BufferAllocator.pooled().allocate(room);
            window.deflate(from, to);
            if (data.fin()) {
                cutTail(to);
            }
            done = true;
            return to;
        } finally {
            if (!done && to != null) {
                to.release();
            }
        }
    }

    private static void cutTail(Buffer compressed) {
        int length = compressed.readableBytes();
        int end = compressed.writeOffset();
        if (length >= 4 && compressed.getInt(end - 4) == TAIL) {
            compressed.writeOffset(end - 4);
        } else if (length == 0) {
            // Nothing was added since the last flush.
            compressed.writeByte(EMPTY);
        }
    }

    @Override
    public void close() {
        window.close();
    }
}
