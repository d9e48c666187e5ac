package io.weft.codec.lzma;

import io.weft.buffer.Buffer;

/// The symbols of LZMA, as the LZMA SDK's specification (lzma-specification.txt) has them: literals
/// and matches.
final class LzmaSymbols {
    /// The kind of symbol that [#next] found.
    enum Kind {
        LITERAL,
        MATCH,
        END,

        /// It is not all there yet.
        PARTIAL
    }

    private static final int STATES = 12;
    private static final int POSITION_STATES = 16;
    private static final int MIN_MATCH = 2;
    private static final int FIRST_MATCHED_STATE = 7;

    // Where the probabilities of each kind begin.
    private static final int IS_MATCH = 0;
    private static final int IS_REP = IS_MATCH + STATES * POSITION_STATES;
    private static final int IS_REP_0 = IS_REP + STATES;
    private static final int IS_REP_1 = IS_REP_0 + STATES;
    private static final int IS_REP_2 = IS_REP_1 + STATES;
    private static final int IS_REP_0_LONG = IS_REP_2 + STATES;
    private static final int SLOT = IS_REP_0_LONG + STATES * POSITION_STATES;
    private static final int SPECIAL = SLOT + 4 * 64;
    private static final int ALIGN = SPECIAL + 128;
    private static final int MATCH_LENGTH = ALIGN + 16;
    private static final int LOW = 2;
    private static final int MID = LOW + POSITION_STATES * 8;
    private static final int HIGH = MID + POSITION_STATES * 8;
    private static final int REP_LENGTH = MATCH_LENGTH + HIGH + 256;
    private static final int LITERALS = REP_LENGTH + HIGH + 256;
    private static final int LITERAL_SIZE = 0x300;

    private final int literalBits;
    private final int literalMask;
    private final int positionMask;
    private final RangeDecoder range;

    private int state;
    private int rep0;
    private int rep1;
    private int rep2;
    private int rep3;

    private int literal;
    private int length;

    /// @param lc bits of the byte before that choose the probabilities of a literal
    /// @param lp bits of the position that do
    /// @param pb bits of the position that choose those of matches
    LzmaSymbols(int lc, int lp, int pb, Buffer in) {
        literalBits = lc;
        literalMask = (1 << lp) - 1;
        positionMask = (1 << pb) - 1;
        range = new RangeDecoder(LITERALS + (LITERAL_SIZE << (lc + lp)), in);
    }

    RangeDecoder range() {
        return range;
    }

    int literal() {
        return literal;
    }

    int length() {
        return length;
    }

    /// Returns the distance back to the beginning of a match, less one, as an unsigned number.
    int distance() {
        return rep0;
    }

    /// The next symbol, whose bytes are taken when it is whole.
    ///
    /// @param position bytes so far
    /// @param previous the last of them
    /// @param matched the one that a match at the last distance would bring
    Kind next(long position, int previous, int matched) {
        int oldState = state;
        int old0 = rep0;
        int old1 = rep1;
        int old2 = rep2;
        int old3 = rep3;
        range.mark();
        try {
            Kind kind = decode((int) position, previous, matched);
            range.commit();
            return kind;
        } catch (RangeDecoder.Underflow e) {
            range.rollback();
            state = oldState;
            rep0 = old0;
            rep1 = old1;
            rep2 = old2;
            rep3 = old3;
            return Kind.PARTIAL;
        }
    }

    private Kind decode(int position, int previous, int matched) {
        int at = position & positionMask;
        if (range.bit(IS_MATCH + state * POSITION_STATES + at) == 0) {
            literal(position, previous, matched);
            return Kind.LITERAL;
        }
        if (range.bit(IS_REP + state) == 0) {
            return match(at);
        }
        repeat(at);
        return Kind.MATCH;
    }

    private void literal(int position, int previous, int matched) {
        int set = ((position & literalMask) << literalBits) + (previous >> (8 - literalBits));
        int base = LITERALS + LITERAL_SIZE * set;
        int symbol = 1;
        if (state >= FIRST_MATCHED_STATE) {
            int offset = 0x100;
            int match = matched << 1;
            while (symbol < 0x100) {
                int expected = match & offset;
                int bit = range.bit(base + offset + expected + symbol);
                symbol = symbol << 1 | bit;
                offset &= bit == 0 ? ~expected : expected;
                match <<= 1;
            }
        } else {
            while (symbol < 0x100) {
                symbol = symbol << 1 | range.bit(base + symbol);
            }
        }
        literal = symbol & 0xFF;
        state = state < 4 ? 0 : state < 10 ? state - 3 : state - 6;
    }

    private Kind match(int at) {
        rep3 = rep2;
        rep2 = rep1;
        rep1 = rep0;
        length = length(MATCH_LENGTH, at);
        int slot = range.tree(SLOT + 64 * Math.min(length - MIN_MATCH, 3), 6);
        rep0 = slot;
        if (slot >= 4) {
            int bits = (slot >> 1) - 1;
            rep0 = (2 | (slot & 1)) << bits;
            if (slot < 14) {
                rep0 += range.reverseTree(SPECIAL + rep0 - slot, bits);
            } else {
                rep0 += range.direct(bits - 4) << 4;
                rep0 += range.reverseTree(ALIGN, 4);
            }
        }
        state = state < FIRST_MATCHED_STATE ? 7 : 10;
        return rep0 == -1 ? Kind.END : Kind.MATCH;
    }

    private void repeat(int at) {
        if (range.bit(IS_REP_0 + state) == 0) {
            if (range.bit(IS_REP_0_LONG + state * POSITION_STATES + at) == 0) {
                state = state < FIRST_MATCHED_STATE ? 9 : 11;
                length = 1;
                return;
            }
        } else {
            int distance = rep1;
            if (range.bit(IS_REP_1 + state) != 0) {
                distance = rep2;
                if (range.bit(IS_REP_2 + state) != 0) {
                    distance = rep3;
                    rep3 = rep2;
                }
                rep2 = rep1;
            }
            rep1 = rep0;
            rep0 = distance;
        }
        length = length(REP_LENGTH, at);
        state = state < FIRST_MATCHED_STATE ? 8 : 11;
    }

    private int length(int base, int at) {
        if (range.bit(base) == 0) {
            return MIN_MATCH + range.tree(base + LOW + 8 * at, 3);
        }
        if (range.bit(base + 1) == 0) {
            return MIN_MATCH + 8 + range.tree(base + MID + 8 * at, 3);
        }
        return MIN_MATCH + 16 + range.tree(base + HIGH, 8);
    }
}
