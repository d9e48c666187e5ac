package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import java.io.IOException;
import java.util.Arrays;
import java.util.zip.CRC32;
import org.jspecify.annotations.Nullable;
import org.tukaani.xz.BasicArrayCache;

/// Expands xz streams (.xz File Format 1.2.1), one behind the other, checking all their sums. Of
/// the filters it knows LZMA2, which is what everybody uses.
///
/// A chunk of LZMA2 has up to 64 KiB and is taken when it is whole. A block declares the dictionary
/// that it needs, which is heap, and `maxDictionary` bounds it; blocks use the same one.
public final class XzDecompressor extends Decompressor {
    /// The dictionary size that `xz` uses at most up to preset 6, its default.
    public static final int DEFAULT_MAX_DICTIONARY = 8 << 20;

    /// The dictionary size that `xz -9` uses.
    public static final int LARGEST_DICTIONARY = 64 << 20;

    private enum State {
        STREAM_HEADER,
        BLOCK_OR_INDEX,
        CHUNK,
        SLICES,
        BLOCK_CHECK,
        INDEX_COUNT,
        INDEX,
        INDEX_END,
        FOOTER,

        /// Between streams, where the input may end.
        PADDING
    }

    private final int maxDictionary;
    private final Lzma2 lzma2 = new Lzma2(new BasicArrayCache());
    private State state = State.STREAM_HEADER;

    /// True if input that is too short to be used is left unread.
    private boolean partial;

    private int flags;
    private Headers.Block block = new Headers.Block(0, -1, -1, 0);
    private @Nullable Check check;
    private long content;
    private final Records blocks = new Records();
    private final Records index = new Records();
    private long announced;
    private long indexLength;
    private final CRC32 indexSum = new CRC32();

    /// The slice of content that is handed out.
    private int at;

    private int end;

    public XzDecompressor() {
        this(DecompressionLimits.DEFAULT);
    }

    public XzDecompressor(DecompressionLimits limits) {
        this(limits, DEFAULT_MAX_DICTIONARY);
    }

    /// @param maxDictionary bytes of the dictionary, at most
    public XzDecompressor(DecompressionLimits limits, int maxDictionary) {
        super(limits);
        if (maxDictionary <= 0 || maxDictionary > LARGEST_DICTIONARY) {
            throw new IllegalArgumentException(
                    "maxDictionary: "
                            + maxDictionary
                            + " (expected: 1 to "
                            + LARGEST_DICTIONARY
                            + ")");
        }
        this.maxDictionary = maxDictionary;
    }

    @Override
    protected Status step(Buffer in, Buffer out) {
        while (true) {
            int n = Math.min(end - at, out.writableBytes());
            out.writeBytes(lzma2.slice(), at, n);
            at += n;
            if (at < end) {
                return Status.NEEDS_OUTPUT;
            }
            partial = in.isReadable();
            try {
                if (!next(in)) {
                    return Status.NEEDS_INPUT;
                }
            } catch (IOException e) {
                throw corrupted("LZMA2", e.getClass().getSimpleName(), "chunks that are whole");
            }
            partial = false;
        }
    }

    /// Takes what comes next; false when it is not whole yet.
    private boolean next(Buffer in) throws IOException {
        return switch (state) {
            case STREAM_HEADER -> streamHeader(in);
            case BLOCK_OR_INDEX -> blockOrIndex(in);
            case CHUNK -> chunk(in);
            case SLICES -> slice(in);
            case BLOCK_CHECK -> blockCheck(in);
            case INDEX_COUNT -> indexCount(in);
            case INDEX -> record(in);
            case INDEX_END -> indexEnd(in);
            case FOOTER -> footer(in);
            case PADDING -> padding(in);
        };
    }

    private boolean streamHeader(Buffer in) {
        if (in.readableBytes() < Headers.STREAM) {
            return false;
        }
        flags = Headers.stream(in);
        if (Check.of(flags) == null) {
            throw corrupted("xz check", flags, "none, CRC-32, CRC-64 or SHA-256");
        }
        blocks.clear();
        index.clear();
        state = State.BLOCK_OR_INDEX;
        return true;
    }

    private boolean blockOrIndex(Buffer in) throws IOException {
        if (!in.isReadable()) {
            return false;
        }
        int size = in.getUnsignedByte(in.readOffset());
        if (size == 0) {
            indexLength = 0;
            indexSum.reset();
            indexed(in, 1);
            in.skipReadable(1);
            state = State.INDEX_COUNT;
            return true;
        }
        int length = (size + 1) * 4;
        if (in.readableBytes() < length) {
            return false;
        }
        block = Headers.block(in, length);
        if (block.dictionary() > maxDictionary) {
            throw new LimitExceededException(
                    "xz dictionary bytes", block.dictionary(), maxDictionary);
        }
        lzma2.begin((int) block.dictionary());
        check = Check.of(flags);
        content = 0;
        state = State.CHUNK;
        return true;
    }

    private boolean chunk(Buffer in) throws IOException {
        int length = Lzma2.chunkLength(in);
        if (in.readableBytes() < length) {
            return false;
        }
        if (length == 1) {
            lzma2.end(in);
            state = State.BLOCK_CHECK;
        } else if (in.readableBytes() < Lzma2.chunkLength(in)) {
            return false;
        } else {
            lzma2.chunk(in);
            state = State.SLICES;
        }
        return true;
    }

    private boolean slice(Buffer in) throws IOException {
        int length = lzma2.next(in);
        at = 0;
        end = length;
        content += length;
        check().update(lzma2.slice(), length);
        if (lzma2.left() == 0) {
            state = State.CHUNK;
        }
        return true;
    }

    private Check check() {
        if (check == null) {
            throw new IllegalStateException("no block (expected: begun)");
        }
        return check;
    }

    private boolean blockCheck(Buffer in) {
        int padding = (int) (-lzma2.taken() & 3);
        if (in.readableBytes() < padding + check().length()) {
            return false;
        }
        byte[] sum = check().value();
        for (int i = 0; i < padding; i++) {
            Headers.expect("xz block padding", in.readByte(), 0);
        }
        byte[] there = new byte[sum.length];
        in.readBytes(there);
        if (!Arrays.equals(there, sum)) {
            throw corrupted("xz check", hex(there), hex(sum));
        }
        if (block.compressed() >= 0) {
            Headers.expect("xz block bytes", lzma2.taken(), block.compressed());
        }
        if (block.content() >= 0) {
            Headers.expect("xz content bytes", content, block.content());
        }
        blocks.add(block.length() + lzma2.taken() + sum.length, content);
        state = State.BLOCK_OR_INDEX;
        return true;
    }

    private static String hex(byte[] bytes) {
        return java.util.HexFormat.of().formatHex(bytes);
    }

    private boolean indexCount(Buffer in) {
        int length = Headers.vliLength(in);
        if (length == 0) {
            return false;
        }
        announced = number(in, length);
        Headers.expect("xz index records", announced, blocks.count());
        state = State.INDEX;
        return true;
    }

    private long number(Buffer in, int length) {
        indexed(in, length);
        return Headers.vli(in, in.readOffset() + length);
    }

    private void indexed(Buffer in, int length) {
        indexLength += length;
        indexSum.update(in.byteBuffer(in.readOffset(), length));
    }

    private boolean record(Buffer in) {
        if (index.count() == announced) {
            state = State.INDEX_END;
            return true;
        }
        int first = Headers.vliLength(in);
        if (first == 0) {
            return false;
        }
        int second;
        try (Buffer behind = in.slice(in.readOffset() + first, in.readableBytes() - first)) {
            second = Headers.vliLength(behind);
        }
        if (second == 0) {
            return false;
        }
        index.add(number(in, first), number(in, second));
        return true;
    }

    private boolean indexEnd(Buffer in) {
        int padding = (int) (-indexLength & 3);
        if (in.readableBytes() < padding + Integer.BYTES) {
            return false;
        }
        if (!index.sameAs(blocks)) {
            throw corrupted("xz index", index, blocks);
        }
        indexed(in, padding);
        for (int i = 0; i < padding; i++) {
            Headers.expect("xz index padding", in.readByte(), 0);
        }
        Headers.expect("xz index CRC-32", in.readUnsignedIntLE(), indexSum.getValue());
        indexLength += Integer.BYTES;
        state = State.FOOTER;
        return true;
    }

    private boolean footer(Buffer in) {
        if (in.readableBytes() < Headers.STREAM) {
            return false;
        }
        Headers.footer(in, flags, indexLength);
        state = State.PADDING;
        return true;
    }

    /// Zeros in fours may stand between streams, and at the end.
    private boolean padding(Buffer in) {
        if (in.readableBytes() < Integer.BYTES) {
            return false;
        }
        if (in.getInt(in.readOffset()) == 0) {
            in.skipReadable(Integer.BYTES);
        } else {
            state = State.STREAM_HEADER;
        }
        return true;
    }

    @Override
    protected boolean isComplete() {
        return state == State.PADDING && !partial;
    }

    @Override
    public void close() {
        try {
            lzma2.close();
        } catch (IOException e) {
            throw new IllegalStateException("closing memory: " + e, e);
        }
    }
}
