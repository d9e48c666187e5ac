package io.weft.http.hpack;

/// The code of RFC 7541, Appendix B. It is canonical: codes of one length are in the order of their
/// symbols, and follow on those that are shorter. So the lengths say it all.
final class HuffmanCode {
    static final int EOS = 256;
    static final int MIN_LENGTH = 5;
    static final int MAX_LENGTH = 30;

    /// The length of each symbol's code, in bits; a letter is one more than the letter before, "A"
    /// is 5.
    private static final String LETTERS =
            "ISXXXXXXXTZXXZXXXXXXXXZXXXXXXXXXBFFHIBDGFFDGDBBBAAABBBBBBBCDKBHF"
                    + "IBCCCCCCCCCCCCCCCCCCCCCCDCDIOIJBKABABABBBACCBBBABCBAABCCCCCKGJIX"
                    + "PRPPRRRSRSSSSSTSTTRSTSSSSQRSRSSTRQPRRSSQSRRTQRSSQQRQSRSSPRRRSRRS"
                    + "VVPORSRUVVVWWVTUOQVWWVWTQQVVXWWWPTPQRQQSRRUUTTVSVWVVWWWWWXWWWWWV"
                    + "Z";

    static final byte[] LENGTHS = new byte[EOS + 1];
    static final int[] CODES = new int[EOS + 1];

    /// All symbols in the order of their codes.
    static final short[] SYMBOLS = new short[EOS + 1];

    /// For each length, the place in [#SYMBOLS] of the first symbol with a code so long.
    static final int[] OFFSETS = new int[MAX_LENGTH + 1];

    /// For each length, its first code, moved up to be [#MAX_LENGTH] bits long.
    static final int[] FIRST = new int[MAX_LENGTH + 1];

    /// For each length, the code behind its last one, moved up likewise.
    static final int[] BEHIND = new int[MAX_LENGTH + 1];

    static {
        int code = 0;
        int count = 0;
        for (int length = MIN_LENGTH; length <= MAX_LENGTH; length++) {
            code <<= 1;
            OFFSETS[length] = count;
            FIRST[length] = code << (MAX_LENGTH - length);
            for (int symbol = 0; symbol <= EOS; symbol++) {
                if (LETTERS.charAt(symbol) - 'A' + MIN_LENGTH == length) {
                    LENGTHS[symbol] = (byte) length;
                    CODES[symbol] = code++;
                    SYMBOLS[count++] = (short) symbol;
                }
            }
            BEHIND[length] = code << (MAX_LENGTH - length);
        }
    }

    private HuffmanCode() {}
}
