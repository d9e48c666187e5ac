package io.weft.testkit;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import io.weft.buffer.MemoryLimitException;
import java.util.ArrayList;
import java.util.List;

/// All memory that there was for buffers, until it is closed: what is allocated meanwhile meets the
/// limit. For tests whose JVM has a small one (`-Dio.weft.memory.max`).
public final class TakenMemory implements AutoCloseable {
    private static final int LARGEST = 64 << 20;

    private final List<Buffer> buffers = new ArrayList<>();

    private TakenMemory() {}

    /// Takes memory as long as there is some.
    public static TakenMemory all() {
        return downTo(1);
    }

    /// Takes memory as long as there are `smallest` bytes in one piece.
    public static TakenMemory downTo(int smallest) {
        TakenMemory taken = new TakenMemory();
        for (int size = LARGEST; size >= smallest; size /= 2) {
            taken.take(size);
        }
        return taken;
    }

    private void take(int size) {
        try {
            while (true) {
                buffers.add(BufferAllocator.pooled().allocate(size));
            }
        } catch (MemoryLimitException e) {
            // there may be smaller pieces
        }
    }

    /// Gives the piece back that was taken last.
    public void giveBackOne() {
        buffers.removeLast().release();
    }

    @Override
    public void close() {
        buffers.forEach(Buffer::release);
        buffers.clear();
    }
}
