package io.weft.transport.posix;

import io.weft.buffer.Buffer;
import io.weft.engine.DescriptorMessage;
import io.weft.engine.Gather;
import io.weft.engine.PassedDescriptor;
import io.weft.ffi.Memory;
import io.weft.ffi.Sockets;
import java.util.Arrays;
import java.util.List;

/// Memory for the message headers and vectors of gathered sends. An engine whose kernel reads them
/// during the call gives each back at once, so it needs one; where a send may be queued, they
/// belong to it until it completes.
public final class SendVectors {
    private static final int MAX = 64;
    private static final int VECTORS = Sockets.MSGHDR_SIZE + 8;
    private static final int CONTROL = VECTORS + MAX * Sockets.IOVEC_SIZE;
    private static final int SIZE =
            CONTROL + Sockets.controlSpace(DescriptorMessage.MAX_DESCRIPTORS * Integer.BYTES);

    private long[] free = new long[8];
    private int freeCount;

    /// A message header over the first buffers of `gather`, to be given back by [#give].
    public long take(Gather gather) {
        long header = freeCount > 0 ? free[--freeCount] : Memory.allocate(SIZE, 64);
        int count = Math.min(gather.count(), MAX);
        long at = header + VECTORS;
        for (int i = 0; i < count; i++) {
            Buffer buffer = gather.buffer(i);
            Sockets.putIovec(at, buffer.address() + buffer.readOffset(), buffer.readableBytes());
            at += Sockets.IOVEC_SIZE;
        }
        Sockets.putMsghdr(header, header + VECTORS, count);
        List<PassedDescriptor> descriptors = gather.descriptors();
        if (descriptors != null) {
            putDescriptors(header, descriptors);
        }
        return header;
    }

    private static void putDescriptors(long header, List<PassedDescriptor> descriptors) {
        int length = descriptors.size() * Integer.BYTES;
        long control = header + CONTROL;
        Sockets.putControl(control, Sockets.SOL_SOCKET, Sockets.SCM_RIGHTS, length);
        for (int i = 0; i < descriptors.size(); i++) {
            Memory.putInt(
                    Sockets.controlData(control) + (long) i * Integer.BYTES,
                    descriptors.get(i).number());
        }
        Memory.putLong(header + Sockets.MSGHDR_CONTROL, control);
        Memory.putLong(header + Sockets.MSGHDR_CONTROLLEN, Sockets.controlSpace(length));
    }

    /// The kernel reads `header` no more.
    public void give(long header) {
        if (freeCount == free.length) {
            free = Arrays.copyOf(free, freeCount * 2);
        }
        free[freeCount++] = header;
    }

    /// Returns the number of bytes that the header over `gather` covers.
    public static long length(Gather gather) {
        long length = 0;
        for (int i = Math.min(gather.count(), MAX) - 1; i >= 0; i--) {
            length += gather.buffer(i).readableBytes();
        }
        return length;
    }

    /// Frees what was given back.
    public void close() {
        while (freeCount > 0) {
            Memory.free(free[--freeCount], SIZE);
        }
    }
}
