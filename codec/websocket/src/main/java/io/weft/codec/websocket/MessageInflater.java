package io.weft.codec.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.MessageDecoder;
import io.weft.codec.Utf8Check;
import io.weft.codec.websocket.WebSocketFrame.Binary;
import io.weft.codec.websocket.WebSocketFrame.Continuation;
import io.weft.codec.websocket.WebSocketFrame.Control;
import io.weft.codec.websocket.WebSocketFrame.Data;
import io.weft.codec.websocket.WebSocketFrame.Text;
import java.nio.ByteBuffer;
import java.util.function.Consumer;
import java.util.zip.DataFormatException;
import java.util.zip.Inflater;
import org.jspecify.annotations.Nullable;

/// Expands the messages that a peer compressed (RFC 7692, 7.2.2); others pass. Stands between a
/// [FrameDecoder] and a [FrameJoiner].
///
/// What comes out comes in frames of at most 16 KiB, as if the peer had fragmented its message so.
/// Text is checked.
public final class MessageInflater implements MessageDecoder<WebSocketFrame, WebSocketFrame> {
    /// RFC 7692, 7.2.2: the end of a message's compressed data, which is not sent.
    private static final byte[] TAIL = {0, 0, (byte) 0xFF, (byte) 0xFF};

    private static final byte[] NOTHING = {};
    private static final int MIN_PIECE = 512;
    private static final int MAX_PIECE = 16 << 10;

    private final WebSocketLimits limits;
    private final boolean noContextTakeover;
    private final Utf8Check utf8 = new Utf8Check();

    /// Made when there is something to expand: it holds 40 KiB of native memory.
    private @Nullable Inflater engine;

    private boolean compressed;
    private boolean text;
    private boolean first;
    private long totalIn;
    private long totalOut;
    private @Nullable Buffer piece;

    /// @param role of this end: what comes is the other's
    public MessageInflater(Role role, DeflateParameters agreed, WebSocketLimits limits) {
        this.limits = limits;
        noContextTakeover =
                agreed.noContextTakeover(role == Role.SERVER ? Role.CLIENT : Role.SERVER);
    }

    @Override
    public void decode(WebSocketFrame in, Consumer<? super WebSocketFrame> out) {
        if (in instanceof Control || !begins((Data) in)) {
            out.accept(in);
            return;
        }
        Data data = (Data) in;
        boolean done = false;
        try (Buffer from = data.payload()) {
            int length = from.readableBytes();
            totalIn += length;
            inflate(from.byteBuffer(from.readOffset(), length), length, out);
            if (data.fin()) {
                inflate(ByteBuffer.wrap(TAIL), 0, out);
            }
            done = true;
        } catch (DataFormatException e) {
            throw WebSocketException.invalidData(
                    "compressed message: " + e.getMessage() + " (expected: RFC 1951)");
        } finally {
            if (!done) {
                close();
            }
        }
        finish(data.fin(), out);
    }

    /// Tells if the message of `data` is compressed.
    private boolean begins(Data data) {
        if (!(data instanceof Continuation)) {
            compressed = (data.reserved() & WebSocketFrame.RSV1) != 0;
            text = data instanceof Text;
            first = true;
            totalIn = 0;
            totalOut = 0;
        }
        return compressed;
    }

    private void inflate(ByteBuffer from, int length, Consumer<? super WebSocketFrame> out)
            throws DataFormatException {
        Inflater inflater = engine();
        try {
            inflater.setInput(from);
            while (true) {
                Buffer to = roomFor(length, out);
                int made = inflater.inflate(to.byteBuffer(to.writeOffset(), to.writableBytes()));
                to.writeOffset(to.writeOffset() + made);
                count(made);
                if (inflater.finished()) {
                    // RFC 7692, 7.2.3.4: the last block may be marked so, and another may follow.
                    inflater.reset();
                    inflater.setInput(from);
                } else if (inflater.needsDictionary() || made == 0) {
                    return;
                }
            }
        } finally {
            inflater.setInput(NOTHING); // the memory is not ours any longer
        }
    }

    private Inflater engine() {
        Inflater made = engine;
        if (made == null) {
            made = new Inflater(true);
            engine = made;
        }
        return made;
    }

    private Buffer roomFor(int length, Consumer<? super WebSocketFrame> out) {
        Buffer to = piece;
        if (to != null && to.writableBytes() == 0) {
            hand(false, out);
            to = null;
        }
        if (to == null) {
            int room = Math.clamp(2L * length, MIN_PIECE, MAX_PIECE);
            to = BufferAllocator.pooled().allocate(room);
            piece = to;
        }
        return to;
    }

    private void count(int made) {
        totalOut += made;
        if (totalOut > limits.messageBytes()) {
            throw WebSocketException.tooBig("message", totalOut, limits.messageBytes());
        }
        if (totalOut > limits.ratioFrom() && totalOut / limits.ratio() > totalIn) {
            throw WebSocketException.tooBig(
                    "bytes for each compressed one", limits.ratio() + 1L, limits.ratio());
        }
    }

    private void finish(boolean fin, Consumer<? super WebSocketFrame> out) {
        Buffer rest = piece;
        if (fin || (rest != null && rest.isReadable())) {
            hand(fin, out);
        }
        if (fin && noContextTakeover) {
            end();
        }
    }

    private void hand(boolean fin, Consumer<? super WebSocketFrame> out) {
        Buffer payload = piece;
        if (payload == null) {
            return;
        }
        if (text) {
            int bad = utf8.check(payload, payload.readOffset(), payload.writeOffset());
            if (bad >= 0 || (fin && !utf8.isWhole())) {
                WebSocketException error =
                        bad >= 0
                                ? WebSocketException.notUtf8(payload, bad)
                                : WebSocketException.endsEarly(utf8);
                close();
                throw error;
            }
        }
        boolean begins = first;
        first = false;
        piece = null;
        out.accept(
                !begins
                        ? new Continuation(payload, fin, 0)
                        : text ? new Text(payload, fin, 0) : new Binary(payload, fin, 0));
    }

    private void end() {
        if (engine != null) {
            engine.end();
            engine = null;
        }
    }

    @Override
    public void close() {
        end();
        if (piece != null) {
            piece.release();
            piece = null;
        }
    }
}
