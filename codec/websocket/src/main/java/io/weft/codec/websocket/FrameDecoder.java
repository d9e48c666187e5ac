package io.weft.codec.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.codec.DecoderException;
import io.weft.codec.PrematureEndException;
import io.weft.codec.StepDecoder;
import io.weft.codec.Utf8Check;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Close;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Pong;
import io.weft.codec.websocket.WebSocketFrame.Text;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Decodes the frames of one direction (RFC 6455, 5), unmasked.
///
/// Frames come whole, or with `pieces` as their bytes arrive: then a frame may come as several, as
/// if the peer had fragmented its message further, and only the message has a limit. Payloads are
/// taken as they arrive in either case. Text that is not compressed is checked byte by byte, so
/// that a message fails as soon as no text can begin as it does.
///
/// A message whose empty frames exceed its other ones by more than 128 fails with 1009.
///
/// Behind a close frame input is taken and ignored (RFC 6455, 5.5.1).
///
/// Errors are [WebSocketException]s with the status to answer; and a [PrematureEndException] when
/// the input ends within a message.
public final class FrameDecoder extends StepDecoder<WebSocketFrame> {
    /// A payload that arrives in parts begins with as much room as arrived, and no less than this.
    private static final int ROOM = 256;

    /// Empty frames by which a message may exceed its other ones, before its last frame.
    private static final int MAX_EMPTY = 128;

    private final WebSocketLimits limits;
    private final boolean pieces;
    private final FrameHeader header;
    private final Utf8Check utf8 = new Utf8Check();

    private boolean inFrame;

    /// A message has begun and is not over.
    private boolean inMessage;

    /// A part of the current frame was handed out.
    private boolean cut;

    /// The message is text that is to be checked here.
    private boolean checked;

    private boolean compressed;
    private long messageBytes;

    /// Empty frames of the message, less the other ones.
    private int empty;

    private boolean closed;
    private @Nullable Buffer payload;

    /// To be thrown once the piece before it is handed out.
    private @Nullable WebSocketException doomed;

    /// Without extensions, and with whole frames.
    ///
    /// @param role of this end: a server's input is masked, a client's is not
    public FrameDecoder(Role role, WebSocketLimits limits) {
        this(role, limits, 0, false);
    }

    /// @param role of this end: a server's input is masked, a client's is not
    /// @param extensions the reserved bits that the first frame of a message may have, by
    ///     extensions that were agreed on: [WebSocketFrame#RSV1] for compression. Text of messages
    ///     with such bits is not checked here.
    /// @param pieces whether frames are handed out as their bytes arrive
    public FrameDecoder(Role role, WebSocketLimits limits, int extensions, boolean pieces) {
        this.limits = limits;
        this.pieces = pieces;
        this.header = new FrameHeader(role, extensions);
    }

    @Override
    protected boolean step(Buffer in, Consumer<? super WebSocketFrame> out) {
        if (closed) {
            in.skipReadable(in.readableBytes());
            return false;
        }
        WebSocketFrame next;
        try {
            if (!inFrame) {
                if (!header.read(in, inMessage)) {
                    return false;
                }
                begin();
            }
            next = header.isControl() ? control(in) : data(in);
        } catch (DecoderException | MemoryLimitException e) {
            close();
            throw e;
        }
        if (next == null) {
            return false;
        }
        emitted();
        out.accept(next);
        return true;
    }

    /// Tells if a frame, or a message, has begun that is not whole. The bytes of a frame may be
    /// held here though none are left in the input.
    public boolean isWithinMessage() {
        return inFrame || inMessage;
    }

    private void begin() {
        if (!header.isControl()) {
            if (!inMessage) {
                messageBytes = 0;
                empty = 0;
                compressed = (header.reserved & WebSocketFrame.RSV1) != 0;
                checked = header.opcode == FrameHeader.TEXT && header.reserved == 0;
            }
            checkLength();
            checkNotEmpty();
            inMessage = true;
            cut = false;
        }
        inFrame = true;
    }

    private void checkLength() {
        if (!pieces && header.length > limits.frameBytes()) {
            throw WebSocketException.tooBig("frame", header.length, limits.frameBytes());
        }
        long most = limits.messageBytes();
        // What cannot be compressed becomes longer, by five bytes in some thousands.
        most = compressed ? most + (most >> 8) + 64 : most;
        if (header.length > (most < 0 ? Long.MAX_VALUE : most) - messageBytes) {
            throw WebSocketException.tooBig("message", messageBytes + header.length, most);
        }
        messageBytes += header.length;
    }

    /// Frames that carry nothing never exceed a limit in bytes.
    private void checkNotEmpty() {
        if (header.length > 0) {
            empty = Math.max(0, empty - 1);
            return;
        }
        if (header.fin) {
            return;
        }
        empty++;
        if (empty > MAX_EMPTY) {
            throw WebSocketException.tooBig("empty frames of a message", empty, MAX_EMPTY);
        }
    }

    // ---- control frames ----

    private @Nullable WebSocketFrame control(Buffer in) {
        int length = (int) header.length;
        if (in.readableBytes() < length) {
            return null; // at most 125 bytes, which stay unread
        }
        Buffer body = BufferAllocator.pooled().allocate(length);
        boolean done = false;
        try {
            Masking.copy(in, length, header.key, body);
            inFrame = false;
            WebSocketFrame frame = control(header.opcode, body);
            done = frame instanceof Ping || frame instanceof Pong;
            return frame;
        } finally {
            if (!done) {
                body.release();
            }
        }
    }

    private WebSocketFrame control(int opcode, Buffer body) {
        return switch (opcode) {
            case FrameHeader.PING -> new Ping(body);
            case FrameHeader.PONG -> new Pong(body);
            default -> {
                Close close = new Close(CloseStatus.read(body));
                closed = true;
                release();
                yield close;
            }
        };
    }

    // ---- frames of messages ----

    private @Nullable Data data(Buffer in) {
        if (doomed != null) {
            throw doomed;
        }
        int available = (int) Math.min(in.readableBytes(), header.length);
        if (available == 0 && header.length > 0) {
            return null;
        }
        boolean last = available == header.length;
        boolean gathering = payload != null || header.key != 0 || !(last || pieces);
        Buffer to = gathering ? gather(in, available) : in.split(available);
        payload = to;
        header.took(available);
        if (checked) {
            check(to, to.writeOffset() - available, last && header.fin);
        }
        if (!last && !pieces) {
            return null;
        }
        payload = null;
        return frame(to, last && doomed == null);
    }

    private Buffer gather(Buffer in, int available) {
        Buffer to = payload;
        if (to == null) {
            int room = (int) Math.min(header.length, ROOM);
            to = BufferAllocator.pooled().allocate(Math.max(available, room));
            payload = to;
        }
        Masking.copy(in, available, header.key, to);
        return to;
    }

    /// Checks the text from index `from` on.
    private void check(Buffer text, int from, boolean end) {
        int to = text.writeOffset();
        int bad = utf8.check(text, from, to);
        if (bad >= 0) {
            fail(text, bad, WebSocketException.notUtf8(text, bad));
        } else if (end && !utf8.isWhole()) {
            fail(text, Math.max(from, to - 1), WebSocketException.endsEarly(utf8));
        }
    }

    /// Of pieces, those before the error are handed out first: what is must not depend on how the
    /// bytes arrived.
    private void fail(Buffer text, int at, WebSocketException error) {
        if (!pieces || at == text.readOffset()) {
            throw error;
        }
        text.writeOffset(at);
        doomed = error;
    }

    private Data frame(Buffer whole, boolean last) {
        boolean first = !cut && header.opcode != FrameHeader.CONTINUATION;
        boolean fin = last && header.fin;
        cut = true;
        inFrame = !last;
        inMessage = !fin;
        if (!first) {
            return new Continuation(whole, fin, 0);
        }
        return header.opcode == FrameHeader.TEXT
                ? new Text(whole, fin, header.reserved)
                : new Binary(whole, fin, header.reserved);
    }

    // ---- the end ----

    @Override
    protected void finish(int unread, Consumer<? super WebSocketFrame> out) {
        release();
        if (!closed && (inFrame || inMessage || unread > 0)) {
            throw new PrematureEndException("a WebSocket message");
        }
    }

    private void release() {
        if (payload != null) {
            payload.release();
            payload = null;
        }
    }

    @Override
    public void close() {
        release();
    }
}
