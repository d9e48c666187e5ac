package io.weft.buffer;

import io.weft.ffi.Memory;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;

/// Copies between memory and what the JDK keeps bytes in. Addresses are checked by the caller.
final class Bytes {
    private Bytes() {}

    static void copy(long from, ByteBuffer to) {
        if (to.hasArray()) {
            int length = to.remaining();
            Memory.copy(from, to.array(), to.arrayOffset() + to.position(), length);
            to.position(to.limit());
        } else {
            to.put(Memory.byteBuffer(from, to.remaining()));
        }
    }

    static void copy(ByteBuffer from, long to) {
        if (from.hasArray()) {
            int length = from.remaining();
            Memory.copy(from.array(), from.arrayOffset() + from.position(), to, length);
            from.position(from.limit());
        } else {
            // Read-only heap buffers too: the JDK copies from their array.
            Memory.byteBuffer(to, from.remaining()).put(from);
        }
    }

    static String string(long address, int length, Charset charset) {
        byte[] bytes = new byte[length];
        Memory.copy(address, bytes, 0, length);
        return new String(bytes, charset);
    }
}
