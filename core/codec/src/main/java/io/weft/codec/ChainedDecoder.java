package io.weft.codec;

import io.weft.buffer.Buffer;
import java.util.function.Consumer;

/// A decoder whose messages another one turns into the messages that come out; see [Decoder#then].
final class ChainedDecoder<F, M> implements Decoder<M> {
    private final Decoder<F> frames;
    private final MessageDecoder<? super F, M> messages;
    private boolean dead;

    ChainedDecoder(Decoder<F> frames, MessageDecoder<? super F, M> messages) {
        this.frames = frames;
        this.messages = messages;
    }

    @Override
    public void decode(Buffer in, Consumer<? super M> out) {
        if (dead) {
            in.skipReadable(in.readableBytes());
            return;
        }
        try {
            frames.decode(in, frame -> messages.decode(frame, out));
        } catch (DecoderException e) {
            dead = true;
            throw e;
        }
    }

    @Override
    public void end(Consumer<? super M> out) {
        if (!dead) {
            dead = true;
            frames.end(frame -> messages.decode(frame, out));
            messages.end(out);
        }
    }

    @Override
    public void pause() {
        frames.pause();
    }

    @Override
    public void resume() {
        frames.resume();
    }

    @Override
    public void close() {
        frames.close();
        messages.close();
    }
}
