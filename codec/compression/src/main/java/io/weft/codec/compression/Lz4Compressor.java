package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import java.util.Arrays;

/// Compresses to one LZ4 frame of independent blocks of 64 KiB, with a sum of the content.
public final class Lz4Compressor extends BlockCompressor {
    private static final int BLOCK = 64 << 10;
    private static final int HASH_BITS = 13;

    /// After so many places without a match, each next step is one longer.
    private static final int PATIENCE = 64;

    /// Version 1, independent blocks, content checksum; blocks of at most 64 KiB.
    private static final byte[] DESCRIPTOR = {0x64, 0x40};

    /// The last bytes of a block are literals, and no match begins in the last twelve (lz4_Block_format.md, "End of block").
    private static final int LAST_LITERALS = 5;

    private static final int LAST_MATCH = 12;

    /// At most, of a sequence: a token, a distance, and the last bytes of two lengths; with something to spare.
    private static final int OVERHEAD = 8;

    private static final int UNCOMPRESSED = 1 << 31;

    /// Places of a block, which fit.
    private final char[] table = new char[1 << HASH_BITS];

    /// What becomes of a block, as long as it is shorter, and [Bytes#SLACK].
    private byte[] small = {};

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
        if (small.length < length + Bytes.SLACK) {
            small = new byte[length + Bytes.SLACK];
        }
        int made = sequences(length);
        if (made < 0) {
            out.writeIntLE(length | UNCOMPRESSED).writeBytes(block, 0, length);
        } else {
            out.writeIntLE(made).writeBytes(small, 0, made);
        }
    }

    /// Greedy: the last place with the same five bytes, found by their hash, is a match if four are the same, or is not.
    /// With the hash of four, many matches would be so short that they save a byte and cost a turn on both sides.
    ///
    /// @return how long they are, in `small`; -1 when they would not be shorter than the block
    private int sequences(int length) {
        Arrays.fill(table, (char) 0);
        byte[] in = block;
        int last = length - LAST_MATCH;
        int to = 0;
        int literal = 0;
        // A slot that is empty says 0, where nothing is before, so that the search begins at 1.
        int i = 1;
        int misses = PATIENCE;
        while (i <= last) {
            int word = Bytes.getInt(in, i);
            int hash = hash(in, i);
            int before = table[hash];
            table[hash] = (char) i;
            if (Bytes.getInt(in, before) != word) {
                i += misses++ / PATIENCE; // faster where nothing matches
                continue;
            }
            misses = PATIENCE;
            int match = 4 + Bytes.common(in, before + 4, i + 4, length - LAST_LITERALS);
            while (i > literal && before > 0 && in[i - 1] == in[before - 1]) {
                i--;
                before--;
                match++;
            }
            int literals = i - literal;
            if (to + literals + (literals + match) / 255 + OVERHEAD > length) {
                return -1;
            }
            to = literals(literal, literals, match - 4, to);
            Bytes.putShort(small, to, i - before);
            to = more(match - 4, to + 2);
            i += match;
            literal = i;
            if (i <= last) {
                table[hash(in, i - 2)] = (char) (i - 2);
            }
        }
        int literals = length - literal;
        if (to + literals + literals / 255 + OVERHEAD > length) {
            return -1;
        }
        return literals(literal, literals, 0, to);
    }

    private static int hash(byte[] in, int at) {
        long five = Bytes.getLong(in, at) << 24;
        return (int) ((five * 0xCF1BBCDCBBL) >>> (64 - HASH_BITS));
    }

    private int literals(int from, int count, int match, int at) {
        byte[] out = small;
        out[at] = (byte) (Math.min(15, count) << 4 | Math.min(15, match));
        int to = more(count, at + 1);
        if (count <= 16 && from + 16 <= block.length) {
            Bytes.copy16(block, from, out, to);
        } else {
            System.arraycopy(block, from, out, to, count);
        }
        return to + count;
    }

    private int more(int length, int at) {
        int to = at;
        if (length >= 15) {
            int rest = length - 15;
            for (; rest >= 255; rest -= 255) {
                small[to++] = (byte) 255;
            }
            small[to++] = (byte) rest;
        }
        return to;
    }

    @Override
    void end(Buffer out) {
        out.writeIntLE(0);
        out.writeIntLE(content.value());
    }
}
