package io.weft.transport.posix;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.ffi.Sockets;

/// Operations that engines have in common on the descriptor of a stream.
public final class StreamDescriptor {
    private static final int DISCARD = 4 << 10;

    private StreamDescriptor() {}

    public static boolean passesDescriptors(int fd) {
        return SocketKind.of(fd) == SocketKind.UNIX;
    }

    /// Receives a few bytes and throws them away, without waiting.
    ///
    /// @return whether there were some
    public static boolean discardInput(int fd) {
        try (Buffer bytes = BufferAllocator.pooled().allocate(DISCARD)) {
            return Sockets.recv(fd, bytes.address(), DISCARD, Sockets.MSG_DONTWAIT) > 0;
        } catch (MemoryLimitException | OutOfMemoryError e) {
            return true; // nobody knows
        }
    }
}
