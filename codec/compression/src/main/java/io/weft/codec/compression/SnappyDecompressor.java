package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import java.nio.charset.StandardCharsets;
import java.util.Arrays;
import java.util.zip.CRC32C;

/// Expands the framed format of Snappy (framing_format.txt of 2013-10-25), checking its sums.
public final class SnappyDecompressor extends BlockDecompressor {
    static final byte[] STREAM_ID = "sNaPpY".getBytes(StandardCharsets.US_ASCII);
    static final int COMPRESSED = 0;
    static final int UNCOMPRESSED = 1;
    static final int IDENTIFIER = 0xFF;

    /// Of a chunk's content, before it is compressed.
    static final int MAX_CHUNK = 1 << 16;

    private static final int HEADER = 4;
    private static final int SUM = 4;

    /// Bytes that 64 KiB may become if they do not compress.
    private static final int MAX_COMPRESSED = 32 + MAX_CHUNK + MAX_CHUNK / 6;

    private boolean begun;
    private int skip;
    private boolean inChunk;

    public SnappyDecompressor() {
        this(DecompressionLimits.DEFAULT);
    }

    public SnappyDecompressor(DecompressionLimits limits) {
        super(limits);
    }

    @Override
    Status next(Buffer in) {
        if (skip > 0) {
            int n = Math.min(skip, in.readableBytes());
            in.skipReadable(n);
            skip -= n;
            return skip > 0 ? Status.NEEDS_INPUT : Status.NEEDS_OUTPUT;
        }
        inChunk = in.isReadable();
        if (in.readableBytes() < HEADER) {
            return Status.NEEDS_INPUT;
        }
        int at = in.readOffset();
        int type = in.getUnsignedByte(at);
        int length = in.getUnsignedMediumLE(at + 1);
        if (!begun && type != IDENTIFIER) {
            throw corrupted("snappy chunk", type, "the stream identifier first");
        }
        if (type >= 0x80 && type != IDENTIFIER) {
            in.skipReadable(HEADER);
            skip = length; // padding, or something that may be skipped
            inChunk = length > 0;
            return Status.NEEDS_OUTPUT;
        }
        check(type, length);
        if (in.readableBytes() < HEADER + length) {
            return Status.NEEDS_INPUT;
        }
        in.skipReadable(HEADER);
        inChunk = false;
        if (type == IDENTIFIER) {
            byte[] id = source(in, length);
            if (!Arrays.equals(id, 0, length, STREAM_ID, 0, STREAM_ID.length)) {
                throw corrupted("snappy stream identifier", "another", "sNaPpY");
            }
            begun = true;
        } else {
            expand(in, type, length - SUM);
        }
        return Status.NEEDS_OUTPUT;
    }

    private static void check(int type, int length) {
        int least = type == IDENTIFIER ? STREAM_ID.length : SUM;
        int most =
                switch (type) {
                    case COMPRESSED -> SUM + MAX_COMPRESSED;
                    case UNCOMPRESSED -> SUM + MAX_CHUNK;
                    case IDENTIFIER -> STREAM_ID.length;
                    default -> throw corrupted("snappy chunk", type, "a known type");
                };
        if (length < least || length > most) {
            throw corrupted("snappy chunk bytes", length, least + " to " + most);
        }
    }

    private void expand(Buffer in, int type, int length) {
        int sum = in.readIntLE();
        int made = length;
        byte[] source = source(in, length);
        if (type == UNCOMPRESSED) {
            ensure(length);
            System.arraycopy(source, 0, block, 0, length);
        } else {
            long declared = Snappy.length(source, length);
            if (declared > MAX_CHUNK) {
                throw corrupted("snappy chunk expands to", declared, "at most " + MAX_CHUNK);
            }
            Snappy.Block to = new Snappy.Block(block);
            made = to.expand(source, length, MAX_CHUNK);
            block = to.bytes;
        }
        if (sum != maskedSum(block, made)) {
            throw corrupted("snappy CRC-32C", "another", "that of the content");
        }
        ready(0, made);
    }

    /// Section 3 of the format: a sum of data that holds sums would be weak.
    static int maskedSum(byte[] bytes, int length) {
        CRC32C crc = new CRC32C();
        crc.update(bytes, 0, length);
        int sum = (int) crc.getValue();
        return (sum >>> 15 | sum << 17) + 0xA282EAD8;
    }

    @Override
    protected boolean isComplete() {
        return begun && !inChunk && skip == 0;
    }
}
