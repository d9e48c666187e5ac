package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import io.weft.codec.LimitExceededException;
import io.weft.codec.compression.DecompressionLimits;
import io.weft.codec.compression.Decompressor;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Expands the older format of LZMA, `.lzma`: properties, a length that may be unknown, and one
/// stream without a sum.
///
/// It has no chunks that could be waited for, and the library's stream cannot be interrupted, so it
/// is decoded here, symbol by symbol. The dictionary is heap and grows with what comes out;
/// `maxDictionary` bounds what a stream may declare.
public final class LzmaDecompressor extends Decompressor {
    private static final int HEADER = 13;
    private static final int MIN_DICTIONARY = 4096;

    /// Of literal bits together, as in LZMA2: each more doubles the memory for probabilities.
    private static final int MAX_LITERAL_BITS = 4;

    private final int maxDictionary;
    private boolean done;

    /// True if there was an end marker.
    private boolean marked;

    private @Nullable LzmaSymbols symbols;

    /// True if the first bytes of the range coder have been read.
    private boolean begun;

    /// Bytes still to come; below zero when only an end marker tells.
    private long left;

    private int dictionary;
    private byte[] window = new byte[0];

    /// Bytes so far, and where in the window the next goes.
    private long position;

    private int at;

    /// Of the current match.
    private int copy;

    public LzmaDecompressor() {
        this(DecompressionLimits.DEFAULT);
    }

    public LzmaDecompressor(DecompressionLimits limits) {
        this(limits, XzDecompressor.DEFAULT_MAX_DICTIONARY);
    }

    /// @param maxDictionary bytes of the dictionary, at most
    public LzmaDecompressor(DecompressionLimits limits, int maxDictionary) {
        super(limits);
        if (maxDictionary < MIN_DICTIONARY || maxDictionary > XzDecompressor.LARGEST_DICTIONARY) {
            throw new IllegalArgumentException(
                    "maxDictionary: "
                            + maxDictionary
                            + " (expected: "
                            + MIN_DICTIONARY
                            + " to "
                            + XzDecompressor.LARGEST_DICTIONARY
                            + ")");
        }
        this.maxDictionary = maxDictionary;
    }

    @Override
    protected Status step(Buffer in, Buffer out) {
        if (symbols == null) {
            if (in.readableBytes() < HEADER) {
                return Status.NEEDS_INPUT;
            }
            symbols = header(in);
        }
        if (!begun) {
            if (in.readableBytes() < RangeDecoder.HEADER) {
                return Status.NEEDS_INPUT;
            }
            if (!symbols.range().begin(in)) {
                throw corrupted("LZMA stream", "its first byte is not 0", 0);
            }
            begun = true;
        }
        symbols.range().source(in);
        return expand(symbols, out);
    }

    private LzmaSymbols header(Buffer in) {
        int properties = in.readUnsignedByte();
        long declared = in.readUnsignedIntLE();
        left = in.readLongLE();
        int lc = properties % 9;
        int lp = properties / 9 % 5;
        int pb = properties / 45;
        if (pb > 4 || lc + lp > MAX_LITERAL_BITS) {
            throw corrupted("LZMA properties", properties, "pb <= 4, lc + lp <= 4");
        }
        if (declared > maxDictionary) {
            throw new LimitExceededException("LZMA dictionary bytes", declared, maxDictionary);
        }
        if (left < -1) {
            throw corrupted("LZMA length", left, "-1 or more");
        }
        dictionary = (int) Math.max(declared, MIN_DICTIONARY);
        return new LzmaSymbols(lc, lp, pb, in);
    }

    private Status expand(LzmaSymbols from, Buffer out) {
        while (!done) {
            if (copy > 0) {
                if (out.writableBytes() == 0) {
                    return Status.NEEDS_OUTPUT;
                }
                copy(from.distance(), out);
            } else if (left == 0) {
                if (!end(from)) {
                    return Status.NEEDS_INPUT;
                }
            } else if (out.writableBytes() == 0) {
                return Status.NEEDS_OUTPUT;
            } else {
                switch (from.next(position, back(0), back(from.distance()))) {
                    case LITERAL -> put(from.literal(), out);
                    case MATCH -> match(from);
                    case END -> marker();
                    case PARTIAL -> {
                        return Status.NEEDS_INPUT;
                    }
                }
            }
        }
        return Status.FINISHED;
    }

    /// The byte that is `distance` + 1 back; 0 before the first one.
    private int back(int distance) {
        if (Integer.compareUnsigned(distance, (int) Math.min(position, dictionary)) >= 0) {
            return 0;
        }
        int index = at - distance - 1;
        return window[index < 0 ? index + dictionary : index] & 0xFF;
    }

    private void match(LzmaSymbols from) {
        long distance = Integer.toUnsignedLong(from.distance()) + 1;
        long there = Math.min(position, dictionary);
        if (distance > there) {
            throw corrupted("LZMA distance", distance, "at most " + there);
        }
        copy = from.length();
        if (left >= 0 && copy > left) {
            throw corrupted("LZMA match", copy, "at most " + left);
        }
    }

    private void copy(int distance, Buffer out) {
        for (int n = Math.min(copy, out.writableBytes()); n > 0; n--) {
            copy--;
            put(back(distance), out);
        }
    }

    private void put(int value, Buffer out) {
        if (at == dictionary) {
            at = 0;
        }
        if (at == window.length) {
            window =
                    Arrays.copyOf(
                            window, (int) Math.min(dictionary, Math.max(MIN_DICTIONARY, 2L * at)));
        }
        window[at++] = (byte) value;
        position++;
        if (left > 0) {
            left--;
        }
        out.writeByte(value);
    }

    /// An end marker before the end would be something else's beginning.
    private void marker() {
        if (left > 0) {
            throw corrupted("LZMA end marker", left + " bytes early", "none");
        }
        left = 0;
        marked = true;
    }

    /// Reads to the end of the range coder, and returns true once its last byte has been read. A
    /// stream whose length is known may still have a marker (lzma-specification.txt, "The main loop
    /// of decoder").
    private boolean end(LzmaSymbols from) {
        RangeDecoder range = from.range();
        range.mark();
        try {
            if (range.isFinished()) {
                range.commit();
                done = true;
                return true;
            }
        } catch (RangeDecoder.Underflow e) {
            range.rollback();
            return false;
        }
        range.rollback();
        if (marked) {
            throw corrupted("LZMA stream", "goes on", "its end");
        }
        return switch (from.next(position, back(0), back(from.distance()))) {
            case END -> {
                marker();
                yield true;
            }
            case PARTIAL -> false;
            case LITERAL, MATCH -> throw corrupted("LZMA stream", "goes on", "its end");
        };
    }

    @Override
    protected boolean isComplete() {
        return done;
    }
}
