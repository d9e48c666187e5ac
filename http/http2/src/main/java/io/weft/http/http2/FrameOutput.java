package io.weft.http.http2;

import io.weft.buffer.Buffer;

/// Takes the frames that an [Http2Connection] writes, one behind the other: at the end of a buffer,
/// or as buffers of their own.
///
/// A lambda that returns one buffer has all frames in that; [OutgoingFrames] is the output of a
/// channel. The methods must not call the connection.
@FunctionalInterface
public interface FrameOutput {
    /// Returns the buffer to whose end frames are written; it stays the output's.
    Buffer buffer();

    /// Returns the buffer to whose end a frame of `length` bytes is written, preferably one that
    /// has as much room.
    default Buffer buffer(int length) {
        return buffer();
    }

    /// Returns how many bytes of a payload that is written by parts have a good place in the next
    /// frame.
    default int room() {
        return Integer.MAX_VALUE;
    }

    /// Takes over `bytes`, the readable ones of which follow what has been written so far. What is
    /// written later follows them.
    default void append(Buffer bytes) {
        try (bytes) {
            buffer().writeBytes(bytes);
        }
    }
}
