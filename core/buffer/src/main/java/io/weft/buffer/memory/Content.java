package io.weft.buffer.memory;

import io.weft.ffi.Memory;

/// Compares and hashes runs of bytes. Addresses are checked by the caller.
public final class Content {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private Content() {}

    /// Unsigned lexicographic order; of two runs of which one begins the other, the shorter one
    /// comes first.
    public static int compare(long a, int aLength, long b, int bLength) {
        long differ = Memory.mismatch(a, b, Math.min(aLength, bLength));
        return differ < 0
                ? Integer.compare(aLength, bLength)
                : Byte.compareUnsigned(Memory.getByte(a + differ), Memory.getByte(b + differ));
    }

    /// Depends on the bytes and their number alone. Peers can find collisions: it is no defence
    /// against flooding.
    public static int hash(long address, int length) {
        long hash = length;
        int i = 0;
        for (; i <= length - 8; i += 8) {
            hash = mix(hash, Memory.getLongLE(address + i));
        }
        for (; i < length; i++) {
            hash = mix(hash, Memory.getByte(address + i));
        }
        return (int) (hash >>> 32);
    }

    private static long mix(long hash, long word) {
        long mixed = (hash ^ word) * MULTIPLIER;
        return mixed ^ (mixed >>> 29);
    }
}
