package io.weft.http.websocket;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.codec.Cumulation;
import io.weft.codec.Decoder;
import io.weft.codec.DecoderException;
import io.weft.codec.websocket.CloseStatus;
import io.weft.codec.websocket.DeflateParameters;
import io.weft.codec.websocket.FrameDecoder;
import io.weft.codec.websocket.FrameJoiner;
import io.weft.codec.websocket.MessageInflater;
import io.weft.codec.websocket.Role;
import io.weft.codec.websocket.WebSocketException;
import io.weft.codec.websocket.WebSocketFrame;
import io.weft.codec.websocket.WebSocketLimits;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The receiving side of a connection: bytes that are not decoded yet, and the decoders.
final class FrameInput {
    private final Cumulation bytes = new Cumulation();
    private final Decoder<WebSocketFrame> decoder;

    /// The first decoder: whatever others hold for a message, it knows that one has begun.
    private final FrameDecoder frames;

    /// Messages are taken in pieces, of which nothing is held.
    private final boolean pieces;

    private boolean decoding;
    private boolean paused;
    private boolean released;

    FrameInput(Role role, WebSocketSettings settings, @Nullable DeflateParameters deflate) {
        WebSocketLimits limits = settings.limits();
        int extensions = deflate == null ? 0 : WebSocketFrame.RSV1;
        pieces = settings.pieces();
        frames = new FrameDecoder(role, limits, extensions, pieces);
        Decoder<WebSocketFrame> all = frames;
        if (deflate != null) {
            all = all.then(new MessageInflater(role, deflate, limits));
        }
        decoder = pieces ? all : all.then(new FrameJoiner(limits));
    }

    /// Takes `in` over.
    void add(Buffer in) {
        if (released) {
            in.release();
        } else {
            var _ = bytes.add(in);
        }
    }

    /// Decodes until nothing is left, or until a pause.
    ///
    /// @throws DecoderException as decoders do
    void decode(Consumer<WebSocketFrame> out) {
        if (decoding || paused || released) {
            return;
        }
        Buffer in = bytes.bytes();
        if (in == null) {
            in = bytes.add(BufferAllocator.pooled().allocate(0));
        }
        decoding = true;
        try {
            decoder.decode(in, out);
        } finally {
            decoding = false;
            if (released) {
                free();
            } else {
                bytes.trim();
            }
        }
    }

    /// Returns the status with which a connection fails for what [#decode] throws.
    static CloseStatus status(DecoderException e) {
        String text = String.valueOf(e.getMessage());
        boolean fits =
                text.length() <= CloseStatus.MAX_REASON && text.chars().allMatch(c -> c < 0x80);
        CloseStatus status =
                e instanceof WebSocketException own ? own.status() : CloseStatus.PROTOCOL_ERROR;
        return status.because(fits ? text : "");
    }

    /// Stops [#decode] behind the frame that is being handed over.
    void pause() {
        paused = true;
        decoder.pause();
    }

    void resume() {
        paused = false;
        decoder.resume();
    }

    boolean isPaused() {
        return paused;
    }

    /// Tells if [#decode] is on the stack.
    boolean isDecoding() {
        return decoding;
    }

    /// Tells if memory is held for a message, or a frame, that is not whole.
    boolean holdsUnfinished() {
        return !pieces && !paused && (bytes.size() > 0 || frames.isWithinMessage());
    }

    /// Gives everything up; idempotent.
    void release() {
        if (!released) {
            released = true;
            decoder.pause();
            if (!decoding) {
                free();
            }
        }
    }

    private void free() {
        bytes.release();
        decoder.close();
    }
}
