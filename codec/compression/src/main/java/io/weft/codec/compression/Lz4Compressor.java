package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.buffer.BufferAllocator;
import java.util.Arrays;

/// Compresses to one LZ4 frame of independent blocks of 64 KiB, with a sum of the content.
public final class Lz4Compressor extends BlockCompressor {
    private static final int BLOCK = 64 << 10;
    private static final int HASH_BITS = 14;

    /// Version 1, independent blocks, content checksum; blocks of at most 64 KiB.
    private static final byte[] DESCRIPTOR = {0x64, 0x40};

    /// The last bytes of a block are literals, and no match begins in the last twelve (lz4_Block_format.md, "End of block").
    private static final int LAST_LITERALS = 5;

    private static final int LAST_MATCH = 12;
    private static final int UNCOMPRESSED = 1 << 31;

    private final int[] table = new int[1 << HASH_BITS];
    private final XxHash32 content = new XxHash32();

    public Lz4Compressor() {
        super(BLOCK);
    }

    @Override
    void begin(Buffer out) {
        out.writeIntLE(Lz4Decompressor.MAGIC);
        out.writeBytes(DESCRIPTOR);
        out.writeByte(XxHash32.of(DESCRIPTOR, 0, DESCRIPTOR.length) >>> 8);
    }

    @Override
    void block(int length, Buffer out) {
        content.update(block, 0, length);
        try (Buffer small = BufferAllocator.pooled().allocate(length)) {
            sequences(length, small);
            if (small.readableBytes() < length) {
                out.writeIntLE(small.readableBytes()).writeBytes(small);
            } else {
                out.writeIntLE(length | UNCOMPRESSED).writeBytes(block, 0, length);
            }
        }
    }

    private void sequences(int length, Buffer out) {
        Arrays.fill(table, -1);
        byte[] in = block;
        int literal = 0;
        int i = 0;
        while (i < length - LAST_MATCH) {
            int word = Bytes.getInt(in, i);
            int hash = (word * 0x9E3779B1) >>> (32 - HASH_BITS);
            int before = table[hash];
            table[hash] = i;
            if (before < 0 || Bytes.getInt(in, before) != word) {
                i += 1 + ((i - literal) >> 6); // faster where nothing matches
                continue;
            }
            int match = 4;
            while (i + match < length - LAST_LITERALS && in[before + match] == in[i + match]) {
                match++;
            }
            sequence(in, literal, i - literal, match - 4, out);
            out.writeShortLE(i - before);
            more(match - 4, out);
            i += match;
            literal = i;
        }
        sequence(in, literal, length - literal, 0, out);
    }

    private static void sequence(byte[] in, int from, int literals, int match, Buffer out) {
        out.writeByte(Math.min(15, literals) << 4 | Math.min(15, match));
        more(literals, out);
        out.writeBytes(in, from, literals);
    }

    private static void more(int length, Buffer out) {
        if (length >= 15) {
            int rest = length - 15;
            for (; rest >= 255; rest -= 255) {
                out.writeByte(255);
            }
            out.writeByte(rest);
        }
    }

    @Override
    void end(Buffer out) {
        out.writeIntLE(0);
        out.writeIntLE(content.value());
    }
}
