package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import java.util.zip.CRC32;

/// The parts of the container that have a length of their own (.xz File Format 1.2.1, 2.1 and 3.1).
final class Headers {
    /// Of the header and of the footer of a stream.
    static final int STREAM = 12;

    private static final long MAGIC = 0xFD377A585A00L;
    private static final int FOOTER_MAGIC = 'Y' << 8 | 'Z';
    private static final int LZMA2 = 0x21;
    private static final int LARGEST_DICTIONARY = 40;
    private static final int VLI_BYTES = 9;

    private Headers() {}

    /// The contents of a block's header.
    ///
    /// @param compressed bytes of the block, -1 when it does not say
    /// @param content bytes of its content, -1 when it does not say
    record Block(int length, long compressed, long content, long dictionary) {}

    /// Takes a stream's header; the kind of its checks comes back.
    static int stream(Buffer in) {
        long magic = (long) in.readInt() << 16 | in.readUnsignedShort();
        expect("xz magic", magic & 0xFFFF_FFFF_FFFFL, MAGIC);
        int flags = in.readUnsignedShort();
        expect("xz header CRC-32", in.readUnsignedIntLE(), crc(in, in.readOffset() - 6, 2));
        expect("xz reserved flags", flags & 0xFFF0, 0);
        return flags;
    }

    /// Takes a stream's footer.
    static void footer(Buffer in, int flags, long indexLength) {
        int start = in.readOffset();
        long sum = in.readUnsignedIntLE();
        expect("xz footer CRC-32", sum, crc(in, start + 4, 6));
        expect("xz backward size", (in.readUnsignedIntLE() + 1) * 4, indexLength);
        expect("xz footer flags", in.readUnsignedShort(), flags);
        expect("xz footer magic", in.readUnsignedShort(), FOOTER_MAGIC);
    }

    /// Takes a block's header, which has to be whole.
    static Block block(Buffer in, int length) {
        int start = in.readOffset();
        int end = start + length - Integer.BYTES;
        expect("xz block CRC-32", in.getUnsignedIntLE(end), crc(in, start, end - start));
        int flags = in.getUnsignedByte(start + 1);
        expect("xz block flags", flags & 0x3C, 0);
        expect("xz filters", (flags & 3) + 1, 1);
        in.skipReadable(2);
        long compressed = (flags & 0x40) == 0 ? -1 : vli(in, end);
        long content = (flags & 0x80) == 0 ? -1 : vli(in, end);
        expect("xz filter", vli(in, end), LZMA2);
        expect("xz filter properties", vli(in, end), 1);
        long dictionary = dictionary(in.readOffset() < end ? in.readUnsignedByte() : -1);
        while (in.readOffset() < end) {
            expect("xz block padding", in.readByte(), 0);
        }
        in.skipReadable(Integer.BYTES);
        return new Block(length, compressed, content, dictionary);
    }

    private static long dictionary(int bits) {
        if (bits < 0 || bits > LARGEST_DICTIONARY) {
            throw new CorruptedFrameException(
                    "xz dictionary: " + bits + " (expected: 0 to " + LARGEST_DICTIONARY + ")");
        }
        return bits == LARGEST_DICTIONARY ? (1L << 32) - 1 : (2L | (bits & 1)) << (bits / 2 + 11);
    }

    /// Takes a number of seven bits a byte, the lowest first, that ends before `end`.
    static long vli(Buffer in, int end) {
        long value = 0;
        for (int i = 0; i < VLI_BYTES && in.readOffset() < end; i++) {
            int b = in.readUnsignedByte();
            value |= (b & 0x7FL) << (7 * i);
            if (b < 0x80) {
                if (b == 0 && i > 0) {
                    break; // in more bytes than it needs
                }
                return value;
            }
        }
        throw new CorruptedFrameException("xz number: cut off (expected: at most 9 bytes)");
    }

    /// Returns the number of bytes of the number at the read offset; 0 if its end has not arrived
    /// yet.
    static int vliLength(Buffer in) {
        int most = Math.min(VLI_BYTES, in.readableBytes());
        for (int i = 0; i < most; i++) {
            if (in.getByte(in.readOffset() + i) >= 0) {
                return i + 1;
            }
        }
        return most == VLI_BYTES ? VLI_BYTES : 0;
    }

    private static long crc(Buffer in, int from, int length) {
        CRC32 crc = new CRC32();
        crc.update(in.byteBuffer(from, length));
        return crc.getValue();
    }

    static void expect(String what, long is, long expected) {
        if (is != expected) {
            throw new CorruptedFrameException(what + ": " + is + " (expected: " + expected + ")");
        }
    }
}
