package io.weft.codec.compression;

/// Sorts the rotations of a block by doubling: sorted by their first k bytes, they are sorted by 2k
/// by the ranks of what stands k further on (Manber and Myers, 1990). O(n log n) whatever the
/// input, so no block is slow.
final class RotationSort {
    private RotationSort() {}

    /// Returns the starts of all rotations, in sorted order.
    static int[] sort(byte[] block, int n) {
        int[] order = new int[n];
        int[] rank = new int[n];
        int[] scratch = new int[n];
        int[] count = new int[Math.max(256, n) + 1];
        for (int i = 0; i < n; i++) {
            count[(block[i] & 0xFF) + 1]++;
        }
        for (int i = 0; i < 256; i++) {
            count[i + 1] += count[i];
        }
        for (int i = 0; i < n; i++) {
            order[count[block[i] & 0xFF]++] = i;
        }
        int classes = n == 0 ? 0 : 1;
        for (int i = 1; i < n; i++) {
            if (block[order[i]] != block[order[i - 1]]) {
                classes++;
            }
            rank[order[i]] = classes - 1;
        }
        for (int k = 1; k < n && classes < n; k <<= 1) {
            for (int i = 0; i < n; i++) {
                int shifted = order[i] - k;
                scratch[i] = shifted < 0 ? shifted + n : shifted;
            }
            java.util.Arrays.fill(count, 0, classes + 1, 0);
            for (int i = 0; i < n; i++) {
                count[rank[i] + 1]++;
            }
            for (int i = 0; i < classes; i++) {
                count[i + 1] += count[i];
            }
            for (int i = 0; i < n; i++) {
                order[count[rank[scratch[i]]]++] = scratch[i];
            }
            classes = 1;
            scratch[order[0]] = 0;
            for (int i = 1; i < n; i++) {
                int a = order[i];
                int b = order[i - 1];
                if (rank[a] != rank[b] || rank[(a + k) % n] != rank[(b + k) % n]) {
                    classes++;
                }
                scratch[a] = classes - 1;
            }
            int[] swap = rank;
            rank = scratch;
            scratch = swap;
        }
        return order;
    }
}
