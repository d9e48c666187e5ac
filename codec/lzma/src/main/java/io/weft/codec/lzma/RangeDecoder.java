package io.weft.codec.lzma;

import io.weft.buffer.Buffer;
import java.util.Arrays;

/// Decodes bits that are coded by their probability, one symbol at a time: a symbol whose bytes are
/// not all there yet leaves no trace, and is decoded again from its beginning.
final class RangeDecoder {
    /// Bytes before the first symbol.
    static final int HEADER = 5;

    private static final int TOP = 24;
    private static final int PROBABILITY_BITS = 11;
    private static final int ADAPTATION = 5;

    /// More bits than a symbol has.
    private static final int MOST_BITS = 64;

    /// A symbol is not whole. Without a stack trace: it is thrown as often as input runs out.
    static final class Underflow extends RuntimeException {
        private static final long serialVersionUID = 1L;

        private Underflow() {
            super("no more input", null, false, false);
        }
    }

    private final short[] probabilities;
    private int range;
    private int code;

    // Where the current symbol began, and the probabilities that it changed.
    private int oldRange;
    private int oldCode;
    private int changes;
    private final int[] changedAt = new int[MOST_BITS];
    private final short[] changedFrom = new short[MOST_BITS];

    private Buffer in;
    private int at;
    private int end;

    RangeDecoder(int probabilities, Buffer in) {
        this.probabilities = new short[probabilities];
        Arrays.fill(this.probabilities, (short) (1 << (PROBABILITY_BITS - 1)));
        this.in = in;
    }

    /// Takes the first bytes; false when the first of them is not what it has to be.
    boolean begin(Buffer from) {
        boolean zero = from.readByte() == 0;
        code = from.readInt();
        range = -1;
        return zero;
    }

    /// Sets the buffer to read from; nothing is taken before [#commit].
    void source(Buffer from) {
        in = from;
    }

    /// A symbol begins.
    void mark() {
        at = in.readOffset();
        end = in.writeOffset();
        oldRange = range;
        oldCode = code;
        changes = 0;
    }

    /// The symbol is whole.
    void commit() {
        in.readOffset(at);
    }

    /// The symbol is not.
    void rollback() {
        range = oldRange;
        code = oldCode;
        while (changes > 0) {
            changes--;
            probabilities[changedAt[changes]] = changedFrom[changes];
        }
    }

    private void normalize() {
        if (range >>> TOP == 0) {
            if (at == end) {
                throw new Underflow();
            }
            code = code << 8 | in.getUnsignedByte(at++);
            range <<= 8;
        }
    }

    /// Tells if this is where an encoder would stop.
    boolean isFinished() {
        normalize();
        return code == 0;
    }

    int bit(int index) {
        normalize();
        int p = probabilities[index];
        changedAt[changes] = index;
        changedFrom[changes++] = (short) p;
        int bound = (range >>> PROBABILITY_BITS) * p;
        if (Integer.compareUnsigned(code, bound) < 0) {
            range = bound;
            probabilities[index] = (short) (p + (((1 << PROBABILITY_BITS) - p) >>> ADAPTATION));
            return 0;
        }
        range -= bound;
        code -= bound;
        probabilities[index] = (short) (p - (p >>> ADAPTATION));
        return 1;
    }

    /// `bits` bits, the highest first, whose probabilities are a tree from `base` on.
    int tree(int base, int bits) {
        int node = 1;
        for (int i = 0; i < bits; i++) {
            node = node << 1 | bit(base + node);
        }
        return node - (1 << bits);
    }

    /// The same, the lowest first.
    int reverseTree(int base, int bits) {
        int node = 1;
        int value = 0;
        for (int i = 0; i < bits; i++) {
            int bit = bit(base + node);
            node = node << 1 | bit;
            value |= bit << i;
        }
        return value;
    }

    /// Bits that are as likely as not.
    int direct(int bits) {
        int value = 0;
        for (int i = 0; i < bits; i++) {
            normalize();
            range >>>= 1;
            code -= range;
            int negative = code >> 31;
            code += range & negative;
            value = value << 1 | (negative + 1);
        }
        return value;
    }
}
