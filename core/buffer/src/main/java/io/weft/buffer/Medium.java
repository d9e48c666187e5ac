package io.weft.buffer;

import io.weft.ffi.Memory;

/// 24-bit integers in memory.
final class Medium {
    private Medium() {}

    static int getBE(long address) {
        return (Memory.getByte(address) << 16) | (Memory.getShortBE(address + 1) & 0xFFFF);
    }

    static int getLE(long address) {
        return (Memory.getShortLE(address) & 0xFFFF) | (Memory.getByte(address + 2) << 16);
    }

    static void putBE(long address, int value) {
        Memory.putByte(address, (byte) (value >> 16));
        Memory.putShortBE(address + 1, (short) value);
    }

    static void putLE(long address, int value) {
        Memory.putShortLE(address, (short) value);
        Memory.putByte(address + 2, (byte) (value >> 16));
    }
}
