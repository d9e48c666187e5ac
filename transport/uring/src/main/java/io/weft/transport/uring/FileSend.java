package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.FileRegion;
import io.weft.ffi.Errno;
import io.weft.ffi.Libc;
import io.weft.ffi.Memory;
import io.weft.ffi.PageCache;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;
import org.jspecify.annotations.Nullable;

/// Sends regions of files. What the kernel has in memory goes with `sendfile`, without a copy. What
/// it has not, the ring reads piece by piece into a buffer, so that a disk keeps no loop waiting,
/// and then sends from it; at most one of the two is under way.
final class FileSend {
    private static final int PIECE = 64 << 10;

    /// Of a call, as on the other transports.
    private static final int MAX_SENDFILE = 1 << 20;

    private final UringEngine engine;
    private final Ring ring;
    private final int socket;

    /// Read and not sent yet, or being read into.
    private @Nullable Buffer piece;

    FileSend(UringEngine engine, int socket) {
        this.engine = engine;
        this.ring = engine.ring;
        this.socket = socket;
    }

    /// Returns how much of the region one call can send without waiting for a disk; 0 if the ring
    /// has to read it.
    int cached(FileRegion region, int file) {
        int length = (int) Math.min(region.remaining(), MAX_SENDFILE);
        boolean cached =
                piece == null
                        && PageCache.holds(file, region.position(), length, engine.fileMemory);
        return cached ? length : 0;
    }

    /// Sends with a call of its own, which does not wait for the peer either.
    ///
    /// @param length as [#cached] returned
    /// @return bytes sent, 0 at the end of the file, or -errno
    int sendCached(FileRegion region, int file, int length) {
        // No flag of sendfile says not to wait, as MSG_DONTWAIT does: the descriptor does, for the
        // time of the call. The ring's requests took their own from it when they were submitted.
        int failed = Libc.blocking(socket, false);
        if (failed < 0) {
            return failed;
        }
        try {
            long result;
            do {
                Memory.putLong(engine.fileMemory, region.position());
                result = Libc.sendfile(socket, file, engine.fileMemory, length);
            } while (result == -Errno.EINTR);
            return (int) result;
        } finally {
            int _ = Libc.blocking(socket, true);
        }
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
        ring.submit(
                IoUring.IORING_OP_READ,
                file,
                region.position(),
                bytes.address(),
                length,
                0,
                readData);
        piece = bytes;
    }

    /// `count` bytes were read, which is positive.
    void read(int count, long sendData) {
        required().writeOffset(count);
        send(sendData);
    }

    private void send(long sendData) {
        Buffer bytes = required();
        ring.submit(
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
