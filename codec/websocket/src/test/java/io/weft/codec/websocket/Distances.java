package io.weft.codec.websocket;

import java.util.Arrays;

/// Reads the blocks of deflated data (RFC 1951) for the longest distance in them.
final class Distances {
    private static final int[] ORDER = {
        16, 17, 18, 0, 8, 7, 9, 6, 10, 5, 11, 4, 12, 3, 13, 2, 14, 1, 15
    };

    private final byte[] data;
    private int bit;
    private int longest;

    private Distances(byte[] data) {
        this.data = data;
    }

    /// @param data whole blocks, of which the last may lack its end
    static int longest(byte[] data) {
        Distances d = new Distances(data);
        while (d.bit + 3 <= 8 * data.length) {
            d.bits(1);
            switch (d.bits(2)) {
                case 0 -> d.stored();
                case 1 -> d.block(d.new Codes(fixed()), d.new Codes(filled(30, 5)));
                default -> d.dynamic();
            }
        }
        return d.longest;
    }

    private static int[] fixed() {
        int[] lengths = new int[288];
        for (int i = 0; i < 288; i++) {
            lengths[i] = i < 144 ? 8 : i < 256 ? 9 : i < 280 ? 7 : 8;
        }
        return lengths;
    }

    private static int[] filled(int count, int value) {
        int[] all = new int[count];
        Arrays.fill(all, value);
        return all;
    }

    private int bits(int count) {
        int value = 0;
        for (int i = 0; i < count; i++, bit++) {
            value |= (data[bit >> 3] >> (bit & 7) & 1) << i;
        }
        return value;
    }

    private void stored() {
        bit = (bit + 7) & ~7;
        if (bit + 32 > 8 * data.length) {
            bit = 8 * data.length; // the end that is not sent
            return;
        }
        int length = bits(16);
        bits(16);
        bit += 8 * length;
    }

    private void dynamic() {
        int literals = bits(5) + 257;
        int distances = bits(5) + 1;
        int count = bits(4) + 4;
        int[] lengths = new int[19];
        for (int i = 0; i < count; i++) {
            lengths[ORDER[i]] = bits(3);
        }
        Codes codes = new Codes(lengths);
        int[] all = new int[literals + distances];
        for (int i = 0; i < all.length; ) {
            int symbol = codes.next();
            int value = symbol == 16 ? all[i - 1] : symbol < 16 ? symbol : 0;
            int times =
                    switch (symbol) {
                        case 16 -> 3 + bits(2);
                        case 17 -> 3 + bits(3);
                        case 18 -> 11 + bits(7);
                        default -> 1;
                    };
            for (int end = i + times; i < end; i++) {
                all[i] = value;
            }
        }
        block(
                new Codes(Arrays.copyOf(all, literals)),
                new Codes(Arrays.copyOfRange(all, literals, all.length)));
    }

    private void block(Codes literals, Codes distances) {
        for (int symbol; (symbol = literals.next()) != 256; ) {
            if (symbol > 256) {
                bits(symbol < 265 || symbol == 285 ? 0 : (symbol - 261) / 4);
                int code = distances.next();
                int extra = code < 4 ? 0 : code / 2 - 1;
                int base = code < 4 ? code + 1 : ((2 + (code & 1)) << extra) + 1;
                longest = Math.max(longest, base + bits(extra));
            }
        }
    }

    /// A Huffman code, by the lengths of its symbols.
    private final class Codes {
        private final int[] lengths;

        Codes(int[] lengths) {
            this.lengths = lengths;
        }

        int next() {
            int code = 0;
            int first = 0;
            for (int length = 1; length < 16; length++) {
                code |= bits(1);
                int count = 0;
                for (int of : lengths) {
                    count += of == length ? 1 : 0;
                }
                if (code - first < count) {
                    return symbol(length, code - first);
                }
                first = (first + count) << 1;
                code <<= 1;
            }
            throw new AssertionError("no code");
        }

        private int symbol(int length, int index) {
            int left = index;
            for (int i = 0; ; i++) {
                if (lengths[i] == length && left-- == 0) {
                    return i;
                }
            }
        }
    }
}
