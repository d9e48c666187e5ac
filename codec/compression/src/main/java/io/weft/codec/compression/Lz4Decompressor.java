package io.weft.codec.compression;

import io.weft.buffer.Buffer;
import io.weft.codec.CorruptedFrameException;
import io.weft.codec.LimitExceededException;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Expands LZ4 frames (lz4_Frame_format.md 1.6.4), one behind the other, checking all their sums.
/// Blocks may refer to those before them, and to a dictionary where there is one; frames that name
/// a dictionary are refused where there is none.
public final class Lz4Decompressor extends BlockDecompressor {
    static final int MAGIC = 0x184D2204;

    /// Bytes of a block unless said otherwise. The command line tool makes blocks of 4 MiB.
    public static final int DEFAULT_MAX_BLOCK = 256 << 10;

    /// The largest blocks that the format has.
    public static final int LARGEST_BLOCK = 4 << 20;

    private static final int SKIPPABLE = 0x184D2A50;
    private static final int WINDOW = 64 << 10;
    private static final int UNCOMPRESSED = 1 << 31;

    /// Bytes that a sequence of at most 14 literals and a match of at most 18 bytes reads after its
    /// token, and at least one that is left.
    private static final int SHORT_INPUT = 14 + 2 + 1;

    /// Bytes that are written for such a sequence, in steps: see [Bytes].
    private static final int SHORT_OUTPUT = 14 + 24;

    private enum State {
        MAGIC,
        DESCRIPTOR,
        BLOCK,
        CONTENT_SUM
    }

    private final int maxBlock;
    private final byte[] dictionary;
    private State state = State.MAGIC;
    private boolean begun;

    /// True if a magic number has begun.
    private boolean partial;

    private long skip;
    private boolean independent;
    private boolean blockSums;
    private boolean contentSum;
    private boolean hasLength;
    private long contentLength;
    private long made;
    private int declaredMax;
    private @Nullable XxHash32 content;

    /// The place of the current block in `block`, behind the dictionary and earlier bytes.
    private int history;

    /// The end of the block that was handed out.
    private int last;

    public Lz4Decompressor() {
        this(DecompressionLimits.DEFAULT, DEFAULT_MAX_BLOCK);
    }

    /// @param maxBlock bytes of one block, at most; what frames declare reserves nothing
    public Lz4Decompressor(DecompressionLimits limits, int maxBlock) {
        this(limits, maxBlock, new byte[0]);
    }

    /// @param dictionary that the other side compresses with, of which the last 64 KiB count; a
    ///     frame may name it by a number, which both sides have to know anyway and is not looked at
    public Lz4Decompressor(DecompressionLimits limits, int maxBlock, byte[] dictionary) {
        super(limits);
        if (maxBlock <= 0 || maxBlock > LARGEST_BLOCK) {
            throw new IllegalArgumentException(
                    "maxBlock: " + maxBlock + " (expected: 1 to " + LARGEST_BLOCK + ")");
        }
        this.maxBlock = maxBlock;
        int from = Math.max(0, dictionary.length - WINDOW);
        this.dictionary = Arrays.copyOfRange(dictionary, from, dictionary.length);
    }

    @Override
    Status next(Buffer in) {
        if (skip > 0) {
            int n = (int) Math.min(skip, in.readableBytes());
            in.skipReadable(n);
            skip -= n;
            return skip > 0 ? Status.NEEDS_INPUT : Status.NEEDS_OUTPUT;
        }
        return switch (state) {
            case MAGIC -> magic(in);
            case DESCRIPTOR -> descriptor(in);
            case BLOCK -> block(in);
            case CONTENT_SUM -> contentSum(in);
        };
    }

    private Status magic(Buffer in) {
        begun |= in.isReadable();
        partial = in.isReadable();
        if (in.readableBytes() < 4) {
            return Status.NEEDS_INPUT;
        }
        int magic = in.getIntLE(in.readOffset());
        if ((magic & ~15) == SKIPPABLE) {
            if (in.readableBytes() < 8) {
                return Status.NEEDS_INPUT;
            }
            in.skipReadable(4);
            skip = in.readUnsignedIntLE();
        } else if (magic == MAGIC) {
            in.skipReadable(4);
            state = State.DESCRIPTOR;
        } else {
            throw corrupted("LZ4 magic", Integer.toHexString(magic), Integer.toHexString(MAGIC));
        }
        partial = false;
        return Status.NEEDS_OUTPUT;
    }

    private Status descriptor(Buffer in) {
        int at = in.readOffset();
        if (in.readableBytes() < 3) {
            return Status.NEEDS_INPUT;
        }
        int flags = in.getUnsignedByte(at);
        int size = in.getUnsignedByte(at + 1);
        boolean named = (flags & 1) != 0;
        if (flags >> 6 != 1 || (flags & 2) != 0 || (size & 0x8F) != 0 || size >> 4 < 4) {
            throw corrupted("LZ4 frame descriptor", flags + ", " + size, "version 1");
        }
        if (named && dictionary.length == 0) {
            throw corrupted("LZ4 frame", "needs a dictionary", "none");
        }
        hasLength = (flags & 8) != 0;
        int length = 2 + (hasLength ? 8 : 0) + (named ? 4 : 0);
        if (in.readableBytes() < length + 1) {
            return Status.NEEDS_INPUT;
        }
        contentLength = hasLength ? in.getLongLE(at + 2) : 0;
        byte[] header = source(in, length);
        int sum = XxHash32.of(header, 0, length) >>> 8 & 0xFF;
        int declared = in.readUnsignedByte();
        if (sum != declared) {
            throw corrupted("LZ4 header checksum", declared, sum);
        }
        independent = (flags & 32) != 0;
        blockSums = (flags & 16) != 0;
        contentSum = (flags & 4) != 0;
        declaredMax = 1 << (2 * (size >> 4) + 8);
        content = contentSum ? new XxHash32() : null;
        made = 0;
        placeDictionary();
        last = dictionary.length; // as if it were the block before the first
        state = State.BLOCK;
        return Status.NEEDS_OUTPUT;
    }

    private Status block(Buffer in) {
        if (in.readableBytes() < 4) {
            return Status.NEEDS_INPUT;
        }
        int word = in.getIntLE(in.readOffset());
        int length = word & ~UNCOMPRESSED;
        if (word == 0) {
            in.skipReadable(4);
            if (hasLength && contentLength != made) {
                throw corrupted("LZ4 content bytes", made, Long.toUnsignedString(contentLength));
            }
            state = contentSum ? State.CONTENT_SUM : State.MAGIC;
            return Status.NEEDS_OUTPUT;
        }
        int most = Math.min(declaredMax, maxBlock);
        if (length > most) {
            throw new LimitExceededException("LZ4 block bytes", length, most);
        }
        int sums = blockSums ? 4 : 0;
        if (in.readableBytes() - 4 < length + sums) {
            return Status.NEEDS_INPUT;
        }
        in.skipReadable(4);
        keepHistory();
        int end = word < 0 ? plain(in, length) : expand(in, length, most);
        made += end - history;
        last = end;
        if (content != null) {
            content.update(block, history, end - history);
        }
        ready(history, end);
        return Status.NEEDS_OUTPUT;
    }

    /// Puts the dictionary at the beginning of `block`, where it stays.
    private void placeDictionary() {
        if (block.length < dictionary.length) {
            ensure(dictionary.length);
            System.arraycopy(dictionary, 0, block, 0, dictionary.length);
        }
    }

    /// Finds the place of the next block, behind the bytes that it may refer to. They are moved
    /// only when as many others have come since: a block may be tiny, or empty.
    private void keepHistory() {
        int first = dictionary.length;
        if (independent) {
            history = first;
        } else if (last - first < 2 * WINDOW) {
            history = last;
        } else {
            System.arraycopy(block, last - WINDOW, block, first, WINDOW);
            history = first + WINDOW;
        }
    }

    private int plain(Buffer in, int length) {
        ensure(history + length);
        in.readBytes(block, history, length);
        checkSum(in, block, history, length);
        return history + length;
    }

    private void checkSum(Buffer in, byte[] bytes, int from, int length) {
        if (blockSums && in.readIntLE() != XxHash32.of(bytes, from, length)) {
            throw corrupted("LZ4 block checksum", "another", "that of the block");
        }
    }

    private int expand(Buffer in, int length, int most) {
        byte[] source = source(in, length);
        checkSum(in, source, 0, length);
        return expand(source, length, most);
    }

    private int expand(byte[] in, int end, int most) {
        byte[] out = block;
        int at = 0;
        int to = history;
        int limit = history + most;
        while (true) {
            if (at >= end) {
                throw cutOff();
            }
            int token = in[at++] & 0xFF;
            int literals = token >> 4;
            int match = token & 15;
            int distance;
            if (literals < 15
                    && end - at >= SHORT_INPUT
                    && Math.min(limit, out.length) - to >= SHORT_OUTPUT) {
                // Most sequences are short, and far from the end of everything.
                Bytes.copy16(in, at, out, to);
                at += literals;
                to += literals;
                distance = Bytes.getUnsignedShort(in, at);
                at += 2;
                if (match < 15 && distance >= 8 && distance <= to) {
                    Bytes.copy24(out, to, distance);
                    to += match + 4;
                    continue;
                }
            } else {
                if (literals == 15) {
                    int b;
                    do {
                        if (at >= end) {
                            throw cutOff();
                        }
                        b = in[at++] & 0xFF;
                        literals += b;
                    } while (b == 255);
                }
                if (literals > end - at || literals > limit - to) {
                    throw corrupted("LZ4 literals", literals, "those that there are");
                }
                if (out.length - to < literals + Bytes.SLACK) {
                    out = longer(to + literals);
                }
                System.arraycopy(in, at, out, to, literals);
                at += literals;
                to += literals;
                if (at == end) {
                    return to; // the last sequence has no match
                }
                if (end - at < 2) {
                    throw cutOff();
                }
                distance = Bytes.getUnsignedShort(in, at);
                at += 2;
            }
            if (match == 15) {
                int b;
                do {
                    if (at >= end) {
                        throw cutOff();
                    }
                    b = in[at++] & 0xFF;
                    match += b;
                } while (b == 255);
            }
            match += 4;
            if (distance == 0 || distance > to) {
                throw corrupted("LZ4 distance", distance, "1 to " + to);
            }
            if (match > limit - to) {
                throw new LimitExceededException("LZ4 block expands to", most + 1L, most);
            }
            if (out.length - to < match + Bytes.SLACK) {
                out = longer(to + match);
            }
            Bytes.copyMatch(out, to, distance, match);
            to += match;
        }
    }

    private byte[] longer(int length) {
        ensure(length);
        return block;
    }

    private static CorruptedFrameException cutOff() {
        return corrupted("LZ4 block", "cut off", "whole");
    }

    private Status contentSum(Buffer in) {
        if (in.readableBytes() < 4) {
            return Status.NEEDS_INPUT;
        }
        int sum = in.readIntLE();
        if (content == null || sum != content.value()) {
            throw corrupted("LZ4 content checksum", "another", "that of the content");
        }
        state = State.MAGIC;
        return Status.NEEDS_OUTPUT;
    }

    @Override
    protected boolean isComplete() {
        return begun && state == State.MAGIC && !partial && skip == 0;
    }
}
