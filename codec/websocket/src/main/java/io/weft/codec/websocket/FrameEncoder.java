package io.weft.codec.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Encoder;
import io.weft.codec.Output;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Close;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Ping;
import io.weft.codec.websocket.WebSocketFrame.Pong;
import io.weft.codec.websocket.WebSocketFrame.Text;
import java.util.function.IntSupplier;
import org.jspecify.annotations.Nullable;

/// Encodes frames (RFC 6455, 5). A client's are masked, each with a fresh key from a secure source.
///
/// Payloads longer than a frame may be are cut into several frames: other ends have a limit too.
/// Text is not checked: see [WebSocketFrame#text].
public final class FrameEncoder implements Encoder<WebSocketFrame> {
    /// The longest payload of a frame, unless said otherwise: what this library takes by default.
    public static final int DEFAULT_MAX_FRAME = 64 << 10;

    /// The longest header.
    private static final int MAX_HEADER = 14;

    private static final int FIN = 0x80;
    private static final int MASK = 0x80;

    private final int maxFrame;
    private final @Nullable IntSupplier keys;

    /// A message has begun and is not over.
    private boolean inMessage;

    private boolean closed;

    /// @param role of this end
    public FrameEncoder(Role role) {
        this(role, DEFAULT_MAX_FRAME);
    }

    /// @param role of this end
    /// @param maxFrame bytes of payload
    /// @throws IllegalArgumentException when `maxFrame` is below 125
    public FrameEncoder(Role role, int maxFrame) {
        this(role == Role.CLIENT ? new MaskKeys() : null, maxFrame);
    }

    /// @param keys of masks; null for a server
    FrameEncoder(@Nullable IntSupplier keys, int maxFrame) {
        if (maxFrame < WebSocketFrame.MAX_CONTROL) {
            throw new IllegalArgumentException("maxFrame: " + maxFrame + " (expected: >= 125)");
        }
        this.maxFrame = maxFrame;
        this.keys = keys;
    }

    /// @throws IllegalArgumentException when a control frame is longer than 125 bytes, or a status
    ///     may not be sent
    /// @throws IllegalStateException for a frame that has no place there: a continuation without a
    ///     message, another message within one, or anything behind a close frame
    @Override
    public void encode(WebSocketFrame message, Output out) {
        switch (message) {
            case Data data -> data(data, out);
            case Ping(Buffer payload) -> control(FrameHeader.PING, payload, out);
            case Pong(Buffer payload) -> control(FrameHeader.PONG, payload, out);
            case Close(CloseStatus status) -> close(status, out);
        }
    }

    private void close(CloseStatus status, Output out) {
        if (!status.isSendable() && status.code() != CloseStatus.NO_STATUS.code()) {
            throw new IllegalArgumentException(
                    "close code: " + status.code() + " (expected: one that may be sent, or 1005)");
        }
        checkOpen();
        Buffer payload = BufferAllocator.pooled().allocate(16);
        boolean done = false;
        try {
            status.writeTo(payload);
            done = true;
        } finally {
            if (!done) {
                payload.release();
            }
        }
        control(FrameHeader.CLOSE, payload, out);
        closed = true;
    }

    private void control(int opcode, Buffer payload, Output out) {
        boolean done = false;
        try {
            checkOpen();
            if (payload.readableBytes() > WebSocketFrame.MAX_CONTROL) {
                throw new IllegalArgumentException(
                        "control frame: "
                                + payload.readableBytes()
                                + " bytes (expected: at most 125)");
            }
            done = true;
        } finally {
            if (!done) {
                payload.release();
            }
        }
        frame(FIN | opcode, payload, out);
    }

    private void data(Data data, Output out) {
        int opcode =
                switch (data) {
                    case Text _ -> FrameHeader.TEXT;
                    case Binary _ -> FrameHeader.BINARY;
                    case Continuation _ -> FrameHeader.CONTINUATION;
                };
        boolean done = false;
        try {
            checkOpen();
            if (inMessage != (opcode == FrameHeader.CONTINUATION)) {
                throw new IllegalStateException(
                        data.getClass().getSimpleName()
                                + (inMessage ? " within" : " without")
                                + " a message (expected: "
                                + (inMessage ? "a continuation)" : "the first frame of one)"));
            }
            int first = data.reserved() << 4 | opcode;
            Buffer payload = data.payload();
            while (payload.readableBytes() > maxFrame) {
                frame(first, payload.split(maxFrame), out);
                first = FrameHeader.CONTINUATION;
            }
            done = true;
            frame(data.fin() ? first | FIN : first, payload, out);
        } finally {
            if (!done) {
                data.close();
            }
        }
        inMessage = !data.fin();
    }

    private void checkOpen() {
        if (closed) {
            throw new IllegalStateException("frame behind a close frame (expected: none)");
        }
    }

    /// @param payload released or passed on
    private void frame(int first, Buffer payload, Output out) {
        int length = payload.readableBytes();
        IntSupplier masks = keys;
        boolean passed = false;
        try {
            int mask = masks == null ? 0 : MASK;
            Buffer to = out.buffer(MAX_HEADER + (masks == null ? 0 : length));
            to.writeByte(first);
            if (length < 126) {
                to.writeByte(mask | length);
            } else if (length < 1 << 16) {
                to.writeByte(mask | 126).writeShort(length);
            } else {
                to.writeByte(mask | 127).writeLong(length);
            }
            if (masks == null) {
                passed = true;
                out.add(payload);
            } else {
                int key = masks.getAsInt();
                to.writeInt(key);
                Masking.copy(payload, length, key, to);
            }
        } finally {
            if (!passed) {
                payload.release();
            }
        }
    }
}
