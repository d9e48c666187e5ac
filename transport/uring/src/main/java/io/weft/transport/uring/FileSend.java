package io.weft.transport.uring;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.engine.FileRegion;
import io.weft.ffi.Sockets;
import io.weft.ffi.uring.IoUring;
import org.jspecify.annotations.Nullable;

/// Sends regions of files, piece by piece: the ring reads a piece into a buffer, so that a disk
/// keeps no loop waiting, and then sends from it. At most one of the two is under way.
final class FileSend {
    private static final int PIECE = 64 << 10;

    private final Ring ring;
    private final int socket;

    /// Read and not sent yet, or being read into.
    private @Nullable Buffer piece;

    FileSend(Ring ring, int socket) {
        this.ring = ring;
        this.socket = socket;
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
