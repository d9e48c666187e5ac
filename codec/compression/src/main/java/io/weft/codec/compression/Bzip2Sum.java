package io.weft.codec.compression;

/// The CRC-32 of bzip2: the polynomial of everybody, its bits in the other order.
final class Bzip2Sum {
    private static final int[] TABLE = new int[256];

    static {
        for (int i = 0; i < 256; i++) {
            int c = i << 24;
            for (int bit = 0; bit < 8; bit++) {
                c = c < 0 ? c << 1 ^ 0x04C11DB7 : c << 1;
            }
            TABLE[i] = c;
        }
    }

    private int sum = -1;

    void reset() {
        sum = -1;
    }

    void update(int b) {
        sum = (sum << 8) ^ TABLE[(sum >>> 24) ^ (b & 0xFF)];
    }

    int value() {
        return ~sum;
    }
}
