package io.weft.codec.compression;

import io.weft.buffer.Buffer;

/// Expands LZF in the chunks of liblzf's command line tool and of compress-lzf: "ZV", a type, and
/// one or two lengths. There is no sum.
public final class LzfDecompressor extends BlockDecompressor {
    static final int MAGIC = 'Z' << 8 | 'V';
    static final int UNCOMPRESSED = 0;
    static final int COMPRESSED = 1;

    /// Magic, type and length.
    private static final int HEADER = 5;

    private boolean partial;

    public LzfDecompressor() {
        this(DecompressionLimits.DEFAULT);
    }

    public LzfDecompressor(DecompressionLimits limits) {
        super(limits);
    }

    @Override
    Status next(Buffer in) {
        int at = in.readOffset();
        partial = in.isReadable();
        if (in.readableBytes() < HEADER) {
            return Status.NEEDS_INPUT;
        }
        int magic = in.getUnsignedShort(at);
        int type = in.getUnsignedByte(at + 2);
        if (magic != MAGIC || type > COMPRESSED) {
            throw corrupted("LZF magic, type", magic + ", " + type, "ZV, 0 or 1");
        }
        int length = in.getUnsignedShort(at + 3);
        int header = type == COMPRESSED ? HEADER + 2 : HEADER;
        if (in.readableBytes() < header + length) {
            return Status.NEEDS_INPUT;
        }
        int declared = type == COMPRESSED ? in.getUnsignedShort(at + HEADER) : length;
        in.skipReadable(header);
        byte[] source = source(in, length);
        if (type == COMPRESSED) {
            expand(source, length, declared);
        } else {
            ensure(length);
            System.arraycopy(source, 0, block, 0, length);
        }
        ready(0, declared);
        partial = false;
        return Status.NEEDS_OUTPUT;
    }

    private void expand(byte[] in, int end, int declared) {
        int at = 0;
        int to = 0;
        while (at < end) {
            int control = in[at++] & 0xFF;
            int length = control < 32 ? control + 1 : (control >> 5) + 2;
            if (control >= 224) {
                length += at < end ? in[at++] & 0xFF : 0;
            }
            if (length > declared - to) {
                throw corrupted("LZF chunk", "longer", declared);
            }
            if (at >= end || (control < 32 && length > end - at)) {
                throw corrupted("LZF chunk", "cut off", "whole");
            }
            ensure(to + length);
            if (control < 32) {
                System.arraycopy(in, at, block, to, length);
                at += length;
            } else {
                int distance = ((control & 31) << 8 | (in[at++] & 0xFF)) + 1;
                if (distance > to) {
                    throw corrupted("LZF distance", distance, "1 to " + to);
                }
                Bytes.copyMatch(block, to, distance, length);
            }
            to += length;
        }
        if (to != declared) {
            throw corrupted("LZF chunk bytes", to, declared);
        }
    }

    @Override
    protected boolean isComplete() {
        return !partial;
    }
}
