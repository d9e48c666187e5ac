package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import java.util.Arrays;

/// A format of blocks that are expanded one at a time, whole, and then handed out piece by piece.
abstract sealed class BlockDecompressor extends Decompressor
        permits Lz4Decompressor, LzfDecompressor, SnappyDecompressor {
    private static final int INITIAL = 1024;

    /// The block that is handed out; it is as large as the largest one so far.
    byte[] block = new byte[0];

    private int at;
    private int end;
    private byte[] source = new byte[0];

    BlockDecompressor(DecompressionLimits limits) {
        super(limits);
    }

    /// Takes the next thing from `in`: a header, a block, or a part of something that is skipped.
    /// NEEDS_OUTPUT says that it did, and perhaps called [#ready].
    abstract Status next(Buffer in);

    @Override
    protected final Status step(Buffer in, Buffer out) {
        while (true) {
            int n = Math.min(end - at, out.writableBytes());
            out.writeBytes(block, at, n);
            at += n;
            if (at < end) {
                return Status.NEEDS_OUTPUT;
            }
            Status status = next(in);
            if (status != Status.NEEDS_OUTPUT) {
                return status;
            }
        }
    }

    /// [from, to) of `block` is to be handed out.
    final void ready(int from, int to) {
        at = from;
        end = to;
    }

    /// Makes `block` at least `length` and [Bytes#SLACK] long, keeping what is in it.
    final void ensure(int length) {
        int least = length + Bytes.SLACK;
        if (block.length < least) {
            block = Arrays.copyOf(block, Math.max(least, Math.max(INITIAL, block.length * 2)));
        }
    }

    /// Takes `length` bytes of `in` into an array that the next call uses again; [Bytes#SLACK] of
    /// any content follow.
    final byte[] source(Buffer in, int length) {
        int least = length + Bytes.SLACK;
        if (source.length < least) {
            source = new byte[Math.max(least, Math.max(INITIAL, source.length * 2))];
        }
        in.readBytes(source, 0, length);
        return source;
    }
}
