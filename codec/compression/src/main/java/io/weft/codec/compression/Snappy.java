package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import java.util.Arrays;

/// The raw format of Snappy: one block that says how long it will be. Streams of any length have
/// the framed format, see [SnappyCompressor].
public final class Snappy {
    private static final int FRAGMENT = 1 << 16;
    private static final int HASH_BITS = 14;

    /// Bytes at the end of a fragment that are not searched for matches.
    private static final int MARGIN = 15;

    private Snappy() {}

    /// Takes all of `in`, which is one whole block, and appends what it expands to.
    ///
    /// @param maxLength bytes that it may expand to
    /// @throws LimitExceededException when it says that it is longer
    /// @throws CorruptedFrameException when it is not such a block
    public static void decompress(Buffer in, Buffer out, int maxLength) {
        byte[] source = new byte[in.readableBytes()];
        in.readBytes(source);
        long length = length(source, source.length);
        if (length > maxLength) {
            throw new LimitExceededException("snappy block bytes", length, maxLength);
        }
        int likely = (int) Math.min(length, Math.max(1024, 2L * source.length));
        Block block = new Block(new byte[likely + Bytes.SLACK]);
        int made = block.expand(source, source.length, maxLength);
        out.writeBytes(block.bytes, 0, made);
    }

    /// Takes all of `in` and appends one block.
    public static void compress(Buffer in, Buffer out) {
        io.weft.buffer.Varint.writeInt(out, in.readableBytes());
        byte[] fragment = new byte[Math.min(FRAGMENT, in.readableBytes())];
        int[] table = new int[1 << HASH_BITS];
        while (in.isReadable()) {
            int n = Math.min(FRAGMENT, in.readableBytes());
            in.readBytes(fragment, 0, n);
            compress(fragment, n, table, out);
        }
    }

    /// The length that a block begins with, which is at most 2^32 - 1.
    static long length(byte[] source, int end) {
        long length = 0;
        for (int i = 0; i < Math.min(5, end); i++) {
            length |= (source[i] & 0x7FL) << (7 * i);
            if (source[i] >= 0) {
                if (length >>> 32 != 0) {
                    break;
                }
                return length;
            }
        }
        throw Decompressor.corrupted("snappy length", "no varint", "at most 32 bits");
    }

    /// A block that is being expanded; it grows with the data, not with the declared length.
    static final class Block {
        byte[] bytes;

        Block(byte[] bytes) {
            this.bytes = bytes;
        }

        /// Expands a block whose length has been checked against `max`, and returns that.
        int expand(byte[] in, int end, int max) {
            int length = (int) length(in, end);
            int at = 1;
            while (in[at - 1] < 0) {
                at++;
            }
            int to = 0;
            while (at < end) {
                int tag = in[at++] & 0xFF;
                int size;
                int distance = 0;
                int extra =
                        switch (tag & 3) {
                            case 0 -> tag >> 2 < 60 ? 0 : (tag >> 2) - 59;
                            case 1 -> 1;
                            case 2 -> 2;
                            default -> 4;
                        };
                if (extra > end - at) {
                    throw Decompressor.corrupted("snappy block", "cut off", "whole");
                }
                long number = 0;
                for (int i = 0; i < extra; i++) {
                    number |= (in[at++] & 0xFFL) << (8 * i);
                }
                switch (tag & 3) {
                    case 0 ->
                            size =
                                    (int)
                                            Math.min(
                                                    Integer.MAX_VALUE,
                                                    (extra == 0 ? tag >> 2 : number) + 1);
                    case 1 -> {
                        size = (tag >> 2 & 7) + 4;
                        distance = (tag >> 5) << 8 | (int) number;
                    }
                    default -> {
                        size = (tag >> 2) + 1;
                        distance = (int) Math.min(Integer.MAX_VALUE, number);
                    }
                }
                if (size > Math.min(length, max) - to) {
                    throw Decompressor.corrupted("snappy block", "longer", length);
                }
                room(to + size);
                if ((tag & 3) == 0) {
                    if (size > end - at) {
                        throw Decompressor.corrupted("snappy literal", "cut off", "whole");
                    }
                    System.arraycopy(in, at, bytes, to, size);
                    at += size;
                } else if (distance == 0 || distance > to) {
                    throw Decompressor.corrupted("snappy distance", distance, "1 to " + to);
                } else {
                    Bytes.copyMatch(bytes, to, distance, size);
                }
                to += size;
            }
            if (to != length) {
                throw Decompressor.corrupted("snappy block bytes", to, length);
            }
            return to;
        }

        private void room(int length) {
            int least = length + Bytes.SLACK;
            if (bytes.length < least) {
                bytes = Arrays.copyOf(bytes, Math.max(least, Math.max(1024, bytes.length * 2)));
            }
        }
    }

    /// Greedy: the last place with the same four bytes, found by their hash, is a match or is not.
    static void compress(byte[] in, int length, int[] table, Buffer out) {
        Arrays.fill(table, -1);
        int literal = 0;
        int i = 0;
        while (i < length - MARGIN) {
            int word = Bytes.getInt(in, i);
            int hash = (word * 0x1E35A7BD) >>> (32 - HASH_BITS);
            int before = table[hash];
            table[hash] = i;
            if (before < 0 || Bytes.getInt(in, before) != word) {
                i += 1 + ((i - literal) >> 5); // faster where nothing matches
                continue;
            }
            literal(in, literal, i - literal, out);
            int match = 4 + Bytes.common(in, before + 4, i + 4, length);
            copies(i - before, match, out);
            i += match;
            literal = i;
        }
        literal(in, literal, length - literal, out);
    }

    private static void literal(byte[] in, int from, int length, Buffer out) {
        if (length == 0) {
            return;
        }
        int n = length - 1;
        if (n < 60) {
            out.writeByte(n << 2);
        } else if (n < 256) {
            out.writeByte(60 << 2).writeByte(n);
        } else {
            out.writeByte(61 << 2).writeShortLE(n);
        }
        out.writeBytes(in, from, length);
    }

    private static void copies(int distance, int length, Buffer out) {
        int rest = length;
        while (rest > 64) {
            out.writeByte(63 << 2 | 2).writeShortLE(distance);
            rest -= 64;
        }
        out.writeByte((rest - 1) << 2 | 2).writeShortLE(distance);
    }
}
