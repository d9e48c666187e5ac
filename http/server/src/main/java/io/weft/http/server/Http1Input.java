package io.weft.http.server;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.channel.ChannelHandlerContext;
import io.weft.codec.Cumulation;
import io.weft.codec.DecoderException;
import io.weft.http.http1.Http1Limits;
import io.weft.http.http1.HttpDecodeException;
import io.weft.http.http1.RequestDecoder;
import io.weft.http.http1.RequestPart;
import io.weft.http.model.Status;
import io.weft.http.server.exchange.Turn;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// The receiving side of an [Http1Active]: bytes that are not decoded yet, bounded, and the
/// decoder. Thread: the channel's loop.
final class Http1Input {
    private final RequestDecoder decoder;
    private final Cumulation bytes = new Cumulation();

    private boolean decoding;

    /// The client has finished sending.
    private boolean ended;

    Http1Input(Http1Limits limits) {
        decoder = new RequestDecoder(limits);
    }

    /// Takes bytes, which are this object's from now on.
    void add(Buffer in) {
        bytes.add(in);
    }

    /// Tells if [#decode] is on the stack.
    boolean isDecoding() {
        return decoding;
    }

    boolean isEmpty() {
        return bytes.size() == 0;
    }

    /// Bytes that are not decoded.
    int size() {
        return bytes.size();
    }

    /// Tells if a request has begun to come in and is not complete.
    boolean isWithinRequest() {
        return decoder.isWithinRequest();
    }

    /// Decodes until the decoder is paused or wants more.
    ///
    /// @return the status with which to refuse what came in; null when there is nothing to refuse
    @Nullable Status decode(Consumer<? super RequestPart> out) {
        Buffer in = bytes.bytes();
        if (in == null) {
            // A decoder that was paused behind the last byte of a request still owes its end.
            try (Buffer none = BufferAllocator.pooled().allocate(0)) {
                return decode(none, out);
            }
        }
        return decode(in, out);
    }

    private @Nullable Status decode(Buffer in, Consumer<? super RequestPart> out) {
        decoding = true;
        try {
            decoder.decode(in, out);
            return null;
        } catch (HttpDecodeException e) {
            return e.status();
        } catch (DecoderException e) {
            return Status.BAD_REQUEST;
        } finally {
            decoding = false;
        }
    }

    /// Takes what was not decoded, which becomes the caller's; null when there is nothing.
    @Nullable Buffer take() {
        return bytes.take();
    }

    /// Gives up what was decoded.
    void trim() {
        bytes.trim();
    }

    /// Reads on unless some input waits for the next turn, or enough of it for an answer or for the
    /// client. Not within the decoder: an engine may deliver input while reading is being resumed.
    ///
    /// @param enough undecoded bytes at which reading is suspended, at least 1
    void demand(ChannelHandlerContext ctx, Turn turn, int enough) {
        if (bytes.size() >= (turn.isOver() ? 1 : enough)) {
            ctx.suspendReading();
        } else {
            ctx.resumeReading();
        }
    }

    void pause() {
        decoder.pause();
    }

    void resume() {
        decoder.resume();
    }

    void ended() {
        ended = true;
    }

    boolean isEnded() {
        return ended;
    }

    void forget() {
        decoder.forget();
        ended = false;
    }

    void release() {
        bytes.release();
    }
}
