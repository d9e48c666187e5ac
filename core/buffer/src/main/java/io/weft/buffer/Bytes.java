package io.weft.buffer;

import io.weft.ffi.Memory;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.Charset;

/// Copies between memory and what the JDK keeps bytes in. Addresses are checked by the caller.
final class Bytes {
    private Bytes() {}

    static void copy(long from, ByteBuffer to) {
        if (to.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        Memory.copy(from, to);
        to.position(to.limit());
    }

    static void copy(ByteBuffer from, long to) {
        Memory.copy(from, to);
        from.position(from.limit());
    }

    static String string(long address, int length, Charset charset) {
        byte[] bytes = new byte[length];
        Memory.copy(address, bytes, 0, length);
        return new String(bytes, charset);
    }
}
