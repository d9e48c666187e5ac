package io.weft.transport.uring;

import io.weft.channel.spi.Gather;
import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;

/// Memory for the message headers and vectors of gathered sends. The kernel copies them when it takes the submission
/// (IORING_FEAT_SUBMIT_STABLE), yet a send that is queued again keeps them, so each belongs to its send until completion.
final class SendVectors {
    static final int MAX = 64;
    private static final int SIZE = Sockets.MSGHDR_SIZE + 8 + MAX * Sockets.IOVEC_SIZE;

    private long[] free = new long[8];
    private int freeCount;

    /// A message header over the buffers of `gather`.
    long take(Gather gather) {
        long header = freeCount > 0 ? free[--freeCount] : Memory.allocate(SIZE, 64);
        long vectors = header + Sockets.MSGHDR_SIZE + 8;
        int count = Math.min(gather.count(), MAX);
        for (int i = 0; i < count; i++) {
            var buffer = gather.buffer(i);
            Sockets.putIovec(
                    vectors + (long) i * Sockets.IOVEC_SIZE,
                    buffer.address() + buffer.readOffset(),
                    buffer.readableBytes());
        }
        Sockets.putMsghdr(header, vectors, count);
        return header;
    }

    void give(long header) {
        if (freeCount == free.length) {
            free = java.util.Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = header;
    }

    void close() {
        while (freeCount > 0) {
            Memory.free(free[--freeCount], SIZE);
        }
    }
}
