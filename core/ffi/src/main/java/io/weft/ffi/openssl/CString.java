package io.weft.ffi.openssl;

import io.weft.ffi.Memory;
import java.nio.charset.StandardCharsets;

/// Texts that end with a zero byte.
final class CString {
    private CString() {}

    /// The text at `address`, empty when that is 0. SAFETY: callers pass only what C returned as a
    /// string.
    static String read(long address) {
        return address == 0 ? "" : read(address, length(address));
    }

    static String read(long address, int length) {
        byte[] bytes = new byte[length];
        Memory.copy(address, bytes, 0, length);
        return new String(bytes, StandardCharsets.UTF_8);
    }

    private static int length(long address) {
        int length = 0;
        while (Memory.getByte(address + length) != 0) {
            length++;
        }
        return length;
    }
}
