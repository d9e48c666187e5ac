package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import java.util.Arrays;

/// Compresses to one LZ4 frame of independent blocks of 64 KiB, with a sum of the content.
public final class Lz4Compressor extends BlockCompressor {
    private static final int BLOCK = 64 << 10;
    private static final int HASH_BITS = 13;

    /// After two to the power of so many places without a match, each next step is one longer.
    private static final int PATIENCE_BITS = 6;

    /// Version 1, independent blocks, content checksum; blocks of at most 64 KiB.
    private static final byte[] DESCRIPTOR = {0x64, 0x40};

    /// The last bytes of a block are literals, and no match begins in the last twelve
    /// (lz4_Block_format.md, "End of block").
    private static final int LAST_LITERALS = 5;

    private static final int LAST_MATCH = 12;

    /// At most, of a sequence: a token, a distance, and the last bytes of two lengths; with
    /// something to spare.
    private static final int OVERHEAD = 8;

    private static final int UNCOMPRESSED = 1 << 31;

    /// Places of a block, which fit.
    private final char[] table = new char[1 << HASH_BITS];

    /// The compressed block, as long as it is shorter, and [Bytes#SLACK].
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

    /// Greedy: the last place with the same five bytes, found by their hash, is a match if four are
    /// the same, or is not. With the hash of four, many matches would be so short that they save a
    /// byte and cost a turn on both sides.
    ///
    /// @return how long they are, in `small`; -1 when they would not be shorter than the block
    private int sequences(int length) {
        Arrays.fill(table, (char) 0);
        // In variables of their own, for the JIT.
        char[] places = table;
        byte[] in = block;
        byte[] out = small;
        int last = length - LAST_MATCH;
        int end = length - LAST_LITERALS;
        int to = 0;
        int literal = 0;
        // A slot that is empty says 0, where nothing is before, so that the search begins at 1.
        int i = 1;
        search:
        while (i <= last) {
            int misses = 1 << PATIENCE_BITS;
            int before;
            while (true) {
                long eight = Bytes.getLong(in, i);
                int hash = hash(eight);
                before = places[hash];
                places[hash] = (char) i;
                if (Bytes.getInt(in, before) == (int) eight) {
                    break;
                }
                i += misses++ >>> PATIENCE_BITS; // faster where nothing matches
                if (i > last) {
                    break search;
                }
            }
            while (i > literal && before > 0 && in[i - 1] == in[before - 1]) {
                i--;
                before--;
            }
            int literals = i - literal;
            if (to + literals + literals / 255 + OVERHEAD > length) {
                return -1;
            }
            int token = to;
            if (literals < 15) {
                // Twelve bytes follow them at least: what is copied beyond them is there.
                Bytes.copy8(in, literal, out, to + 1);
                if (literals > 8) {
                    Bytes.copy8(in, literal + 8, out, to + 9);
                }
                to += 1 + literals;
            } else {
                to = more(out, literals, to + 1);
                System.arraycopy(in, literal, out, to, literals);
                to += literals;
            }
            int high = Math.min(15, literals) << 4;
            int match = Bytes.common(in, before + 4, i + 4, end);
            Bytes.putShort(out, to, i - before);
            to += 2;
            i += match + 4;
            if (match < 15) {
                out[token] = (byte) (high | match);
            } else {
                if (to + match / 255 + OVERHEAD > length) {
                    return -1;
                }
                out[token] = (byte) (high | 15);
                to = more(out, match, to);
            }
            literal = i;
            if (i <= last) {
                places[hash(Bytes.getLong(in, i - 2))] = (char) (i - 2);
            }
        }
        return last(in, literal, length, out, to);
    }

    private static int last(byte[] in, int literal, int length, byte[] out, int to) {
        int literals = length - literal;
        if (to + literals + literals / 255 + OVERHEAD > length) {
            return -1;
        }
        out[to] = (byte) (Math.min(15, literals) << 4);
        int at = more(out, literals, to + 1);
        System.arraycopy(in, literal, out, at, literals);
        return at + literals;
    }

    /// Of the first five bytes.
    private static int hash(long eight) {
        return (int) (((eight << 24) * 0xCF1BBCDCBBL) >>> (64 - HASH_BITS));
    }

    private static int more(byte[] out, int length, int at) {
        int to = at;
        if (length >= 15) {
            int rest = length - 15;
            for (; rest >= 255; rest -= 255) {
                out[to++] = (byte) 255;
            }
            out[to++] = (byte) rest;
        }
        return to;
    }

    @Override
    void end(Buffer out) {
        out.writeIntLE(0);
        out.writeIntLE(content.value());
    }
}
