package io.weft.client.redis;

import io.weft.codec.redis.Command;

/// The slot of a key in a cluster: CRC-16 of its bytes, or of what stands in its first braces.
final class KeySlot {
    static final int SLOTS = 16_384;
    private static final int POLYNOMIAL = 0x1021;
    private static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < TABLE.length; i++) {
            int crc = i << 8;
            for (int bit = 0; bit < 8; bit++) {
                crc = (crc & 0x8000) != 0 ? crc << 1 ^ POLYNOMIAL : crc << 1;
            }
            TABLE[i] = crc & 0xFFFF;
        }
    }

    private KeySlot() {}

    /// The slot of the first key of `command`; -1 when it has none.
    static int of(Command command) {
        int key = 1;
        if (command.is(0, "EVAL")
                || command.is(0, "EVALSHA")
                || command.is(0, "FCALL")
                || command.is(0, "EVAL_RO")
                || command.is(0, "EVALSHA_RO")
                || command.is(0, "FCALL_RO")) {
            key = command.size() > 2 && !command.is(2, "0") ? 3 : -1;
        } else if (command.is(0, "OBJECT") || command.is(0, "MEMORY") || command.is(0, "XGROUP")) {
            key = 2;
        } else if (command.is(0, "XREAD") || command.is(0, "XREADGROUP")) {
            key = behindStreams(command);
        }
        return key > 0 && key < command.size() ? of(command.bytes(key)) : -1;
    }

    private static int behindStreams(Command command) {
        for (int i = 1; i < command.size(); i++) {
            if (command.is(i, "STREAMS")) {
                return i + 1;
            }
        }
        return -1;
    }

    static int of(byte[] key) {
        int from = 0;
        int to = key.length;
        int open = indexOf(key, '{', 0);
        if (open >= 0) {
            int close = indexOf(key, '}', open + 1);
            if (close > open + 1) { // an empty tag is none
                from = open + 1;
                to = close;
            }
        }
        int crc = 0;
        for (int i = from; i < to; i++) {
            crc = (crc << 8 ^ TABLE[(crc >> 8 ^ key[i]) & 0xFF]) & 0xFFFF;
        }
        return crc & SLOTS - 1;
    }

    private static int indexOf(byte[] key, char c, int from) {
        for (int i = from; i < key.length; i++) {
            if (key[i] == c) {
                return i;
            }
        }
        return -1;
    }
}
