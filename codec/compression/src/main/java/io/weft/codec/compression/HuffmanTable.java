package io.weft.codec.compression;

/// A canonical code of at most 20 bits: shorter codes come first, and among those of one length
/// smaller symbols.
final class HuffmanTable {
    static final int MAX_BITS = 20;

    final byte[] lengths;
    private final int[] symbols;

    /// The first code that is longer than so many bits, as the upper of 20.
    private final int[] ends = new int[MAX_BITS + 1];

    /// Numbers that are added to a code of each length to get its place in `symbols`.
    private final int[] offsets = new int[MAX_BITS + 1];

    HuffmanTable(int symbols) {
        lengths = new byte[symbols];
        this.symbols = new int[symbols];
    }

    /// To be called when `lengths` is filled.
    ///
    /// @throws io.weft.codec.CorruptedFrameException when there are more codes than fit
    void build() {
        int[] count = new int[MAX_BITS + 2];
        for (byte length : lengths) {
            count[length]++;
        }
        int code = 0;
        int place = 0;
        for (int bits = 1; bits <= MAX_BITS; bits++) {
            code <<= 1;
            offsets[bits] = place - code;
            code += count[bits];
            place += count[bits];
            if (code > 1 << bits) {
                throw Decompressor.corrupted("Huffman codes", "too many", "a prefix code");
            }
            ends[bits] = code << (MAX_BITS - bits);
        }
        int at = 0;
        for (int bits = 1; bits <= MAX_BITS; bits++) {
            for (int s = 0; s < lengths.length; s++) {
                if (lengths[s] == bits) {
                    symbols[at++] = s;
                }
            }
        }
    }

    /// The symbol whose code `next` (20 bits) begins with; -1 when there is none.
    int symbol(int next) {
        for (int bits = 1; bits <= MAX_BITS; bits++) {
            if (next < ends[bits]) {
                return symbols[(next >>> (MAX_BITS - bits)) + offsets[bits]];
            }
        }
        return -1;
    }

    /// The code of each symbol, for writing.
    int[] codes() {
        int[] codes = new int[lengths.length];
        int code = 0;
        for (int bits = 1; bits <= MAX_BITS; bits++) {
            code <<= 1;
            for (int s = 0; s < lengths.length; s++) {
                if (lengths[s] == bits) {
                    codes[s] = code++;
                }
            }
        }
        return codes;
    }

    /// Fills `lengths` for these frequencies, no code longer than `max`. Halving frequencies until
    /// the tree is flat enough is not optimal, and close.
    void fit(int[] frequencies, int max) {
        int n = lengths.length;
        long[] weight = new long[2 * n];
        for (int i = 0; i < n; i++) {
            weight[i] = Math.max(1, frequencies[i]);
        }
        while (tree(weight, n) > max) {
            for (int i = 0; i < n; i++) {
                weight[i] = (weight[i] >> 1) + 1;
            }
        }
    }

    /// Huffman's algorithm over a queue; returns the longest length.
    private int tree(long[] weight, int n) {
        int[] parent = new int[2 * n];
        var queue =
                new java.util.PriorityQueue<Integer>(
                        (a, b) ->
                                weight[a] != weight[b]
                                        ? Long.compare(weight[a], weight[b])
                                        : Integer.compare(a, b));
        for (int i = 0; i < n; i++) {
            queue.add(i);
        }
        int node = n;
        while (queue.size() > 1) {
            int a = queue.remove();
            int b = queue.remove();
            weight[node] = weight[a] + weight[b];
            parent[a] = node;
            parent[b] = node;
            queue.add(node++);
        }
        int longest = 0;
        for (int i = 0; i < n; i++) {
            int length = 0;
            for (int at = i; at != node - 1; at = parent[at]) {
                length++;
            }
            lengths[i] = (byte) Math.min(Byte.MAX_VALUE, length);
            longest = Math.max(longest, length);
        }
        return longest;
    }
}
