package io.weft.codec.zstd;

import io.weft.buffer.Buffer;

/// The header of a frame (RFC 8878, 3.1.1.1).
///
/// @param length of the header, with its magic number
/// @param window bytes that a decoder keeps; [Long#MAX_VALUE] when it is more than that
/// @param checksum whether four bytes follow the last block
record FrameHeader(int length, long window, boolean checksum) {
    static final int MAGIC = 0xFD2FB528;
    static final int MAGIC_LENGTH = 4;

    private static final int SINGLE_SEGMENT = 1 << 5;
    private static final int CHECKSUM = 1 << 2;
    private static final int MIN_WINDOW_LOG = 10;

    /// Returns the length of the header that begins at the read offset. If the bytes so far do not
    /// tell, it is one more than their number, so that more are read.
    static int length(Buffer in) {
        if (in.readableBytes() <= MAGIC_LENGTH) {
            return MAGIC_LENGTH + 1;
        }
        int descriptor = in.getUnsignedByte(in.readOffset() + MAGIC_LENGTH);
        return contentSizeAt(descriptor) + contentSizeLength(descriptor);
    }

    /// The header at the read offset, which has to be whole.
    static FrameHeader get(Buffer in) {
        int start = in.readOffset();
        int descriptor = in.getUnsignedByte(start + MAGIC_LENGTH);
        int at = start + contentSizeAt(descriptor);
        long window;
        if ((descriptor & SINGLE_SEGMENT) == 0) {
            int w = in.getUnsignedByte(start + MAGIC_LENGTH + 1);
            long base = 1L << (MIN_WINDOW_LOG + (w >> 3));
            window = base + (base >> 3) * (w & 7);
        } else {
            long size =
                    switch (contentSizeLength(descriptor)) {
                        case 1 -> in.getUnsignedByte(at);
                        case 2 -> in.getUnsignedShortLE(at) + 256L;
                        case 4 -> in.getUnsignedIntLE(at);
                        default -> in.getLongLE(at);
                    };
            window = size < 0 ? Long.MAX_VALUE : size;
        }
        return new FrameHeader(length(in), window, (descriptor & CHECKSUM) != 0);
    }

    private static int contentSizeAt(int descriptor) {
        int windowLength = (descriptor & SINGLE_SEGMENT) == 0 ? 1 : 0;
        int dictionaryLength = (1 << (descriptor & 3)) >> 1;
        return MAGIC_LENGTH + 1 + windowLength + dictionaryLength;
    }

    private static int contentSizeLength(int descriptor) {
        int flag = descriptor >> 6;
        return flag == 0 && (descriptor & SINGLE_SEGMENT) == 0 ? 0 : 1 << flag;
    }
}
