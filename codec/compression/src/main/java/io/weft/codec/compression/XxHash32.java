package io.weft.codec.compression;

/// The 32 bits of xxHash, with seed 0, over data that comes in pieces.
final class XxHash32 {
    private static final int P1 = 0x9E3779B1;
    private static final int P2 = 0x85EBCA77;
    private static final int P3 = 0xC2B2AE3D;
    private static final int P4 = 0x27D4EB2F;
    private static final int P5 = 0x165667B1;
    private static final int STRIPE = 16;

    private final byte[] rest = new byte[STRIPE];
    private int restLength;
    private long total;

    @SuppressWarnings("ConstantOverflow") // the sum is meant to wrap
    private int a = P1 + P2;

    private int b = P2;
    private int c;
    private int d = -P1;

    static int of(byte[] bytes, int from, int length) {
        XxHash32 hash = new XxHash32();
        hash.update(bytes, from, length);
        return hash.value();
    }

    void update(byte[] bytes, int from, int length) {
        total += length;
        int at = from;
        int end = from + length;
        if (restLength > 0) {
            int n = Math.min(STRIPE - restLength, length);
            System.arraycopy(bytes, at, rest, restLength, n);
            restLength += n;
            at += n;
            if (restLength < STRIPE) {
                return;
            }
            int _ = stripes(rest, 0, STRIPE);
            restLength = 0;
        }
        at = stripes(bytes, at, end);
        restLength = end - at;
        System.arraycopy(bytes, at, rest, 0, restLength);
    }

    /// Returns where the last whole stripe ends. In variables of its own: fields would be written
    /// after each.
    private int stripes(byte[] in, int from, int end) {
        int a = this.a;
        int b = this.b;
        int c = this.c;
        int d = this.d;
        int at = from;
        for (; at <= end - STRIPE; at += STRIPE) {
            a = round(a, Bytes.getInt(in, at));
            b = round(b, Bytes.getInt(in, at + 4));
            c = round(c, Bytes.getInt(in, at + 8));
            d = round(d, Bytes.getInt(in, at + 12));
        }
        this.a = a;
        this.b = b;
        this.c = c;
        this.d = d;
        return at;
    }

    private static int round(int acc, int lane) {
        return Integer.rotateLeft(acc + lane * P2, 13) * P1;
    }

    int value() {
        int h = P5;
        if (total >= STRIPE) {
            h = Integer.rotateLeft(a, 1) + Integer.rotateLeft(b, 7);
            h += Integer.rotateLeft(c, 12) + Integer.rotateLeft(d, 18);
        }
        h += (int) total;
        int i = 0;
        for (; i <= restLength - 4; i += 4) {
            h = Integer.rotateLeft(h + Bytes.getInt(rest, i) * P3, 17) * P4;
        }
        for (; i < restLength; i++) {
            h = Integer.rotateLeft(h + (rest[i] & 0xFF) * P5, 11) * P1;
        }
        h = (h ^ h >>> 15) * P2;
        h = (h ^ h >>> 13) * P3;
        return h ^ h >>> 16;
    }
}
