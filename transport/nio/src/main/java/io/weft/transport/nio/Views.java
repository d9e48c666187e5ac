package io.weft.transport.nio;

import io.weft.buffer.Buffer;
import io.weft.ffi.Memory;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/// The JDK's views of buffers, for one call each: a view of its own is 104 bytes of garbage for
/// each message.
///
/// Views are kept of stretches of memory, whatever is in them, and moved to the buffer that is
/// asked for. Nothing is read or written by a view but between its position and its limit, which
/// are those of an open buffer. On the engine's loop.
final class Views {
    /// Buffers begin in one of these stretches, of 4 MiB, and end there or in the next one.
    private static final int SHIFT = 22;

    private static final int ENTRIES = 64;

    private final long[] stretches = new long[ENTRIES];
    private final @Nullable ByteBuffer[] views = new ByteBuffer[ENTRIES];

    /// Returns a view of `length` bytes from `index`, until the next call.
    ByteBuffer of(Buffer buffer, int index, int length) {
        long address = buffer.address() + index;
        ByteBuffer view = stretch(address >>> SHIFT);
        int start = (int) (address & (1 << SHIFT) - 1);
        if (length > view.capacity() - start) {
            return buffer.byteBuffer(index, length);
        }
        return view.limit(start + length).position(start);
    }

    private ByteBuffer stretch(long number) {
        int at = (int) number & (ENTRIES - 1);
        ByteBuffer view = views[at];
        if (view == null || stretches[at] != number) {
            long base = number << SHIFT;
            view = Memory.byteBuffer(base, (int) Math.min(2L << SHIFT, Memory.spaceSize() - base));
            views[at] = view;
            stretches[at] = number;
        }
        return view;
    }
}
