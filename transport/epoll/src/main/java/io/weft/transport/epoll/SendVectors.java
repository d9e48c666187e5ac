package io.weft.transport.epoll;

import io.weft.buffer.Buffer;
import io.weft.channel.spi.Gather;
import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;

/// The message header and vectors of gathered sends. One is enough for a loop: the kernel reads them during the call.
final class SendVectors {
    private static final int MAX = 64;
    private static final int VECTORS = Sockets.MSGHDR_SIZE + 8;
    private static final int SIZE = VECTORS + MAX * Sockets.IOVEC_SIZE;

    private final long header = Memory.allocate(SIZE, 64);

    /// Sends the first buffers of `gather` in one call.
    int send(int fd, Gather gather) {
        int count = Math.min(gather.count(), MAX);
        long at = header + VECTORS;
        for (int i = 0; i < count; i++) {
            Buffer buffer = gather.buffer(i);
            Sockets.putIovec(at, buffer.address() + buffer.readOffset(), buffer.readableBytes());
            at += Sockets.IOVEC_SIZE;
        }
        Sockets.putMsghdr(header, header + VECTORS, count);
        return Sockets.sendmsg(fd, header, Sockets.MSG_NOSIGNAL);
    }

    /// How many bytes [#send] tried to send of `gather`.
    static long length(Gather gather) {
        long length = 0;
        for (int i = Math.min(gather.count(), MAX) - 1; i >= 0; i--) {
            length += gather.buffer(i).readableBytes();
        }
        return length;
    }

    void close() {
        Memory.free(header, SIZE);
    }
}
