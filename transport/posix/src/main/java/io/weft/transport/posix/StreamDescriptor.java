package io.weft.transport.posix;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import io.weft.ffi.Errno;
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

    /// Takes the error of a connection, which the kernel tells once: `SO_ERROR`.
    ///
    /// @return the error of errno; 0 if there is none
    public static int takeError(int fd) {
        return (int) Math.abs(Sockets.getOption(fd, Sockets.SOL_SOCKET, Sockets.SO_ERROR));
    }

    /// Takes the error of a connection unless there is input to be read before it: without its
    /// error the kernel would tell the end of input behind that, and a body that was cut off would
    /// pass for whole.
    ///
    /// @return the error of errno; 0 if there is none, or if it is left to the receives
    public static int takeErrorWithoutInput(int fd) {
        int flags = Sockets.MSG_PEEK | Sockets.MSG_DONTWAIT;
        int unread;
        try (Buffer first = BufferAllocator.pooled().allocate(1)) {
            unread = Sockets.recv(fd, first.address(), 1, flags);
        } catch (MemoryLimitException | OutOfMemoryError e) {
            return 0; // for all that is known there is input
        }
        if (unread > 0) {
            return 0;
        }
        return unread == 0 || unread == -Errno.EAGAIN || unread == -Errno.EINTR
                ? takeError(fd)
                : -unread;
    }
}
