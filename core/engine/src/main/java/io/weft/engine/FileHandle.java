package io.weft.engine;

import io.weft.buffer.Buffer;
import io.weft.loop.Promise;

/// An open file whose reads and writes keep no loop waiting. Called on the loop; the promises,
/// which belong to it and cannot be cancelled, may be completed on any thread. Several operations
/// may be under way; a close comes after all others.
public interface FileHandle {
    /// Reads up to `length` bytes from `position` of the file to the writable part of `into`, whose
    /// offsets stay. Until the promise is done the buffer is this operation's.
    ///
    /// @param count gets how many there were; 0 at the end of the file
    void read(Buffer into, int length, long position, Promise<Integer> count);

    /// Writes some of the readable bytes of `from`, whose offsets stay. Until the promise is done
    /// the buffer is this operation's.
    ///
    /// @param count gets how many were written, which is positive
    void write(Buffer from, long position, Promise<Integer> count);

    void size(Promise<Long> size);

    /// Writes to the disk what was written to the file, with what is needed to find it.
    void force(Promise<Void> done);

    void close(Promise<Void> done);
}
