package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.Arrays;

/// Compresses to LZF chunks; see [LzfDecompressor].
public final class LzfCompressor extends BlockCompressor {
    private static final int HASH_BITS = 13;
    private static final int MAX_DISTANCE = 1 << 13;
    private static final int MAX_MATCH = 264;
    private static final int MAX_LITERALS = 32;

    private final int[] table = new int[1 << HASH_BITS];

    public LzfCompressor() {
        super((1 << 16) - 1);
    }

    @Override
    void begin(Buffer out) {}

    @Override
    void block(int length, Buffer out) {
        try (Buffer small = BufferAllocator.pooled().allocate(length)) {
            expandable(length, small);
            boolean smaller = small.readableBytes() < length - 2;
            out.writeShort(LzfDecompressor.MAGIC);
            if (smaller) {
                out.writeByte(LzfDecompressor.COMPRESSED).writeShort(small.readableBytes());
                out.writeShort(length).writeBytes(small);
            } else {
                out.writeByte(LzfDecompressor.UNCOMPRESSED).writeShort(length);
                out.writeBytes(block, 0, length);
            }
        }
    }

    private void expandable(int length, Buffer out) {
        Arrays.fill(table, -1);
        byte[] in = block;
        int literal = 0;
        int i = 0;
        while (i < length - 3) {
            int three = (in[i] & 0xFF) << 16 | (in[i + 1] & 0xFF) << 8 | (in[i + 2] & 0xFF);
            int hash = (three * 0x9E3779B1) >>> (32 - HASH_BITS);
            int before = table[hash];
            table[hash] = i;
            if (before < 0
                    || i - before > MAX_DISTANCE
                    || in[before] != in[i]
                    || in[before + 1] != in[i + 1]
                    || in[before + 2] != in[i + 2]) {
                i++;
                continue;
            }
            literals(in, literal, i, out);
            int match = 3;
            while (i + match < length && match < MAX_MATCH && in[before + match] == in[i + match]) {
                match++;
            }
            int distance = i - before - 1;
            int n = match - 2;
            if (n < 7) {
                out.writeByte(n << 5 | distance >> 8);
            } else {
                out.writeByte(7 << 5 | distance >> 8).writeByte(n - 7);
            }
            out.writeByte(distance);
            i += match;
            literal = i;
        }
        literals(in, literal, length, out);
    }

    private static void literals(byte[] in, int from, int to, Buffer out) {
        for (int at = from; at < to; ) {
            int n = Math.min(MAX_LITERALS, to - at);
            out.writeByte(n - 1).writeBytes(in, at, n);
            at += n;
        }
    }

    @Override
    void end(Buffer out) {}
}
