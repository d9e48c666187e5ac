package io.weft.codec.lzma;

/// What blocks there were, or what the index says there were: their number, and sums over their sizes that tell two lists
/// apart without keeping them.
final class Records {
    private static final long MULTIPLIER = 0x9E3779B97F4A7C15L;

    private long count;
    private long hash;

    void clear() {
        count = 0;
        hash = 0;
    }

    void add(long blockBytes, long contentBytes) {
        count++;
        hash = ((hash + blockBytes) * MULTIPLIER + contentBytes) * MULTIPLIER;
    }

    long count() {
        return count;
    }

    boolean sameAs(Records other) {
        return count == other.count && hash == other.hash;
    }

    @Override
    public String toString() {
        return count + " blocks, sum " + Long.toHexString(hash);
    }
}
