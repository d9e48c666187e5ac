package io.weft.codec;

import io.weft.buffer.Buffer;
import io.weft.buffer.MemoryLimitException;
import java.util.function.Consumer;

/// A decoder made of steps: a subclass says how one step goes, and gets pausing, the end after an
/// error, the end of input and the guard against steps that lead nowhere.
///
/// ```java
/// final class PointDecoder extends StepDecoder<Point> {
///     @Override
///     protected boolean step(Buffer in, Consumer<? super Point> out) {
///         if (in.readableBytes() < 8) {
///             return false;
///         }
///         out.accept(new Point(in.readInt(), in.readInt()));
///         return true;
///     }
/// }
/// ```
///
/// @param <M> the messages
public abstract class StepDecoder<M> implements Decoder<M> {
    /// States that a decoder may pass through without taking a byte, at most.
    private static final int MAX_IDLE_STEPS = 8;

    private boolean paused;
    private boolean dead;
    private int unread;
    private int idle;

    /// For subclasses.
    protected StepDecoder() {}

    /// Input is about to be decoded: copies of earlier input that a subclass keeps do not hold.
    protected void inputBegins() {}

    /// Takes one message, or one part of one, from the readable bytes of `in`. The state of the
    /// decoder must be complete before `out` is called, which may throw or pause.
    ///
    /// @return false when it needs more bytes; those that it looked at may stay unread
    /// @throws DecoderException when the bytes break the protocol or a limit
    protected abstract boolean step(Buffer in, Consumer<? super M> out);

    /// The peer will send nothing more, and `unread` bytes were left. By default that is a
    /// [PrematureEndException] unless there are none.
    protected void finish(int unread, Consumer<? super M> out) {
        if (unread > 0) {
            throw new PrematureEndException("a message, after " + unread + " bytes");
        }
    }

    /// To be called by a step that takes no byte but gets on by handing out a message.
    protected final void emitted() {
        idle = 0;
    }

    @Override
    public final void decode(Buffer in, Consumer<? super M> out) {
        if (dead) {
            in.skipReadable(in.readableBytes());
            return;
        }
        idle = 0;
        inputBegins();
        try {
            while (!paused) {
                int before = in.readOffset();
                if (!step(in, out)) {
                    break;
                }
                idle = in.readOffset() == before ? idle + 1 : 0;
                if (idle > MAX_IDLE_STEPS) {
                    throw new IllegalStateException(
                            getClass().getName()
                                    + ": "
                                    + idle
                                    + " steps without taking a byte (expected: progress)");
                }
            }
        } catch (DecoderException | MemoryLimitException e) {
            dead = true;
            throw e;
        } finally {
            unread = in.readableBytes();
        }
    }

    @Override
    public final void end(Consumer<? super M> out) {
        if (!dead) {
            dead = true;
            finish(unread, out);
        }
    }

    @Override
    public final void pause() {
        paused = true;
    }

    @Override
    public final void resume() {
        paused = false;
    }
}
