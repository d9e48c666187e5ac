package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.FileRegion;
import io.weft.ffi.Epoll;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.PageCache;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;
import io.weft.transport.posix.OpenFile;
import java.io.IOException;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/// Sends regions of files. What the kernel has in memory goes with `sendfile`, without a copy. What
/// it has not, the ring reads piece by piece into a buffer, so that a disk keeps no loop waiting,
/// and then sends from it; at most one of the two is under way.
final class FileSend {
    private static final int PIECE = 64 << 10;

    private final UringEngine engine;
    private final int socket;

    /// Read and not sent yet, or being read into.
    private @Nullable Buffer piece;

    /// The one that is read, or was last.
    private @Nullable FileRegion region;

    /// The last `sendfile` did not take all: the next one would wait.
    private boolean full;

    /// Of the last `sendfile`, told once the connection is polled; 0 for none.
    private int error;

    private boolean polling;

    FileSend(UringEngine engine, int socket) {
        this.engine = engine;
        this.socket = socket;
    }

    /// Sends what is in memory of the region, without waiting for the peer.
    ///
    /// @return bytes sent; 0 if the ring has to read what comes next; -1 if the connection has to
    ///     be [polled][#poll] first
    int sendCached(FileRegion region, int file) {
        if (full) {
            full = false;
            return -1;
        }
        int length = OpenFile.offered(region);
        if (piece != null || !PageCache.holds(file, region.position(), length, engine.fileMemory)) {
            return 0;
        }
        int result = sendfile(region, file, length);
        if (result > 0) {
            full = result < length;
            return result;
        }
        // The end of the file, which reading tells, or a file or a socket that cannot do it.
        if (result == 0 || result == -Errno.EINVAL || result == -Errno.ENOSYS) {
            return 0;
        }
        error = result == -Errno.EAGAIN ? 0 : -result;
        return -1;
    }

    /// @return bytes sent, or -errno
    private int sendfile(FileRegion region, int file, int length) {
        // No flag of sendfile says not to wait, as MSG_DONTWAIT does: the descriptor does, for the
        // time of the call. The ring's requests took their own from it when they were submitted.
        int failed = Libc.blocking(socket, false);
        if (failed < 0) {
            return failed;
        }
        try {
            return OpenFile.send(socket, file, region, length, engine.fileMemory);
        } finally {
            int _ = Libc.blocking(socket, true);
        }
    }

    /// Polls for space, or for the error that there is: a failure is told by a completion, as that
    /// of any send is.
    void poll(long pollData) {
        engine.ring.submit(IoUring.IORING_OP_POLL_ADD, socket, 0, 0, 0, Epoll.EPOLLOUT, pollData);
        polling = true;
    }

    boolean isPolling() {
        return polling;
    }

    /// The poll is over.
    ///
    /// @return 0, or the -errno of what failed
    int polled(int result) {
        polling = false;
        int failed = error;
        error = 0;
        return failed == 0 ? Math.min(result, 0) : -failed;
    }

    /// Asks for the next piece, or sends what is left of the last one.
    ///
    /// @param file the region's descriptor
    void submit(FileRegion region, int file, long readData, long sendData) {
        if (piece != null) {
            send(sendData);
            return;
        }
        int length = (int) Math.min(PIECE, region.remaining());
        Buffer bytes = BufferAllocator.pooled().allocate(length);
        engine.ring.submit(
                IoUring.IORING_OP_READ,
                file,
                region.position(),
                bytes.address(),
                length,
                0,
                readData);
        piece = bytes;
        this.region = region;
    }

    /// Returns the failure of a region whose file has ended within it.
    IOException ended() {
        return Objects.requireNonNull(region).ended();
    }

    /// `count` bytes were read, which is positive.
    void read(int count, long sendData) {
        required().writeOffset(count);
        send(sendData);
    }

    private void send(long sendData) {
        Buffer bytes = required();
        engine.ring.submit(
                IoUring.IORING_OP_SEND,
                socket,
                0,
                bytes.address() + bytes.readOffset(),
                bytes.readableBytes(),
                Sockets.MSG_NOSIGNAL,
                sendData);
    }

    void sent(int count) {
        if (!required().skipReadable(count).isReadable()) {
            drop();
        }
    }

    private Buffer required() {
        if (piece == null) {
            throw new IllegalStateException("piece: none (expected: one under way)");
        }
        return piece;
    }

    /// Gives up what was read; nothing is under way.
    void drop() {
        if (piece != null) {
            piece.release();
            piece = null;
        }
    }
}
