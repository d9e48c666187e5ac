package io.weft.buffer.memory;

import io.weft.ffi.Memory;
import java.nio.ByteBuffer;
import java.nio.ReadOnlyBufferException;
import java.nio.charset.Charset;

/// Copies between memory and what the JDK keeps bytes in. Addresses are checked by the caller.
public final class Bytes {
    private Bytes() {}

    public static void copy(long from, ByteBuffer to) {
        if (to.isReadOnly()) {
            throw new ReadOnlyBufferException();
        }
        Memory.copy(from, to);
        to.position(to.limit());
    }

    public static void copy(ByteBuffer from, long to) {
        Memory.copy(from, to);
        from.position(from.limit());
    }

    public static String string(long address, int length, Charset charset) {
        byte[] bytes = new byte[length];
        Memory.copy(address, bytes, 0, length);
        return new String(bytes, charset);
    }
}
