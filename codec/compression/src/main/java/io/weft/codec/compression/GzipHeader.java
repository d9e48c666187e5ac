package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import java.util.zip.CRC32;

/// Takes the header of a gzip member (RFC 1952, 2.3) as its bytes arrive, and keeps nothing of it.
final class GzipHeader {
    static final int MAGIC = 0x1F8B;

    private static final int FIXED = 10;
    private static final int DEFLATED = 8;
    private static final int HEADER_CRC = 1 << 1;
    private static final int EXTRA = 1 << 2;
    private static final int NAME = 1 << 3;
    private static final int COMMENT = 1 << 4;
    private static final int RESERVED = 0xE0;

    /// Of names and comments, which are for people; no peer needs more. Extra fields have 16 bits
    /// for their length.
    private static final int MAX_LENGTH = 64 << 10;

    private final CRC32 crc = new CRC32();
    private boolean fixedTaken;
    private int flags;
    private int skip;
    private int length;

    /// Takes bytes of the header, and tells if it is complete; then this object is ready for the
    /// next member.
    boolean take(Buffer in) {
        if (!fixedTaken) {
            if (in.readableBytes() < FIXED) {
                return false;
            }
            fixed(in);
        }
        while (skip > 0 || flags != 0) {
            if (skip > 0) {
                int n = Math.min(skip, in.readableBytes());
                sum(in, n);
                skip -= n;
                if (skip > 0) {
                    return false;
                }
            } else if (!field(in)) {
                return false;
            }
        }
        fixedTaken = false;
        return true;
    }

    private void fixed(Buffer in) {
        int at = in.readOffset();
        int magic = in.getUnsignedShort(at);
        int method = in.getUnsignedByte(at + 2);
        flags = in.getUnsignedByte(at + 3);
        if (magic != MAGIC || method != DEFLATED || (flags & RESERVED) != 0) {
            throw Decompressor.corrupted(
                    "gzip magic, method, flags", magic + ", " + method + ", " + flags, "RFC 1952");
        }
        flags &= HEADER_CRC | EXTRA | NAME | COMMENT;
        crc.reset();
        length = 0;
        sum(in, FIXED);
        fixedTaken = true;
    }

    /// One optional field, in the order that the RFC gives; false when it is not whole.
    private boolean field(Buffer in) {
        if ((flags & EXTRA) != 0) {
            if (in.readableBytes() < 2) {
                return false;
            }
            skip = in.getUnsignedShortLE(in.readOffset());
            sum(in, 2);
            flags &= ~EXTRA;
        } else if ((flags & (NAME | COMMENT)) != 0) {
            int end = in.indexOf((byte) 0);
            text(in, end < 0 ? in.readableBytes() : end + 1 - in.readOffset());
            if (end < 0) {
                return false;
            }
            flags &= (flags & NAME) != 0 ? ~NAME : ~COMMENT;
        } else {
            if (in.readableBytes() < 2) {
                return false;
            }
            int expected = (int) crc.getValue() & 0xFFFF;
            int sum = in.readUnsignedShortLE();
            if (sum != expected) {
                throw Decompressor.corrupted("gzip header CRC-16", sum, expected);
            }
            flags = 0;
        }
        return true;
    }

    private void text(Buffer in, int bytes) {
        length += bytes;
        if (length > MAX_LENGTH) {
            throw new LimitExceededException("gzip header bytes", MAX_LENGTH + 1L, MAX_LENGTH);
        }
        sum(in, bytes);
    }

    private void sum(Buffer in, int bytes) {
        crc.update(in.byteBuffer(in.readOffset(), bytes));
        in.skipReadable(bytes);
    }
}
