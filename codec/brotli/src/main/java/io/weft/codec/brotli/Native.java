package io.weft.codec.brotli;

import com.aayushatharva.brotli4j.decoder.DecoderJNI;
import com.aayushatharva.brotli4j.decoder.DecoderJNI.Status;
import io.weft.buffer.Buffer;
import java.io.IOException;
import java.nio.ByteBuffer;

/// One decoder of the library's, which is pushed and pulled.
final class Native implements AutoCloseable {
    /// Bytes that are pushed at a time, at most.
    static final int BLOCK = 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);

    private final DecoderJNI.Wrapper decoder;

    /// True if the library may have stopped for want of room. It then says that it wants input,
    /// although it can continue without: it has taken a few bytes more than it has used.
    private boolean stopped;

    private long pushes;

    Native() {
        try {
            decoder = new DecoderJNI.Wrapper(BLOCK);
        } catch (IOException e) {
            throw new OutOfMemoryError("brotli4j: no memory for a decoder: " + e);
        }
    }

    /// Bytes [from, from + length) of `in`, of which nothing is taken. Only when it [#wantsInput].
    void push(Buffer in, int from, int length) {
        ByteBuffer input = decoder.getInputBuffer().clear();
        input.put(in.byteBuffer(from, length));
        decoder.push(length);
        pushes++;
    }

    long pushes() {
        return pushes;
    }

    /// Returns the output so far. It is the library's memory, to be used before the next call.
    /// Empty if more input is needed, or at the end.
    ByteBuffer pull() {
        while (true) {
            if (decoder.hasOutput() || decoder.getStatus() == Status.NEEDS_MORE_OUTPUT) {
                stopped = true;
                ByteBuffer output = decoder.pull();
                if (output.hasRemaining()) {
                    return output;
                }
            } else if (decoder.getStatus() == Status.OK || (stopped && wantsInput())) {
                stopped = false;
                decoder.push(0); // goes on with what it has
            } else {
                return NOTHING;
            }
        }
    }

    boolean wantsInput() {
        return decoder.getStatus() == Status.NEEDS_MORE_INPUT;
    }

    boolean isDone() {
        return decoder.getStatus() == Status.DONE;
    }

    @Override
    public void close() {
        decoder.destroy();
    }
}
